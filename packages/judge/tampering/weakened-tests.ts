import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../change/change.ts'
import { isTestFile } from '../../source/source.ts'
import {
  findReplacements,
  lostAssertions,
  type Matched,
  matchTests,
  type OutlinePair,
  type Replacements,
} from './compare-tests.ts'
import { noOutline } from './outline.ts'
import { readOutlines } from './read-outlines.ts'
import { looserSettings } from './test-settings.ts'

/** One way in which a change makes the tests check less. */
export interface WeakenedTest {
  readonly kind: 'deleted' | 'skipped' | 'weakened' | 'expectation' | 'snapshot' | 'settings'
  readonly path: string
  /** 1-based, in the text after the change if there is one. */
  readonly line: number
  /** Plain words that follow the test's name. */
  readonly what: string
  /** The test's full name; empty for a whole file or a setting. */
  readonly test: string
  /** The new expected value of a changed expectation, as written. */
  readonly expected: string | null
}

/**
 * Finds what a change takes from existing tests: tests deleted, skipped or emptied, assertions
 * removed or weakened, other values expected, snapshots rewritten, runs and thresholds loosened.
 * New tests do not count, nor do moved, renamed, split, merged and parametrised ones.
 */
export async function findWeakenedTests(changes: ChangeSet): Promise<readonly WeakenedTest[]> {
  const pairs: OutlinePair[] = []
  for (const change of changes) {
    const { path } = change
    const [was = '', is = ''] = [contentBefore(change), contentAfter(change)]
    if (!isTestFile(path, was, is)) continue
    const [before = noOutline, after = noOutline] = await readOutlines(path, [was, is])
    // An unreadable text says nothing about its tests.
    if (after !== noOutline || is.trim() === '') pairs.push({ path, before, after })
  }
  const matched = matchTests(pairs)
  const replacements = findReplacements(matched, pairs)
  const isFileGone = (path: string) =>
    changes.some((each) => each.path === path && each.action === 'delete') &&
    matched.every(({ before, after }) => before.path !== path || after === null)
  return [
    ...matched.flatMap((each) => judge(each, replacements, isFileGone)),
    ...pairs.flatMap(onlyOnes),
    ...changes.flatMap((change) => [
      ...looserSettings(change).map(({ line, what }) => ofFile('settings', change, line, what)),
      ...changedSnapshots(change).map((what) => ofFile('snapshot', change, 1, what)),
    ]),
  ]
}

/** @param isFileGone true for a file that is deleted with all of its tests */
function judge(
  { before: was, after: is }: Matched,
  { takeMoved, takeOver, takeRow }: Replacements,
  isFileGone: (path: string) => boolean,
): readonly WeakenedTest[] {
  const { path, test } = is ?? was
  const found = (kind: WeakenedTest['kind'], what: string) => [
    { kind, path, line: test.line, what, test: was.test.name, expected: null },
  ]
  if (was.test.state === 'skipped') return []
  if (is === null) {
    // Everything it asserted is asserted elsewhere: it was split, merged, or became table rows.
    const real = was.test.assertions.filter(({ strength }) => strength > 0)
    const isThere = () => real.length > 0 && real.map(takeOver).every((taken) => taken)
    if (takeRow(was) || isThere()) return []
    return found('deleted', isFileGone(path) ? 'was deleted with its file' : 'was deleted')
  }
  if (test.state === 'skipped') return found('skipped', 'is skipped now')
  if (test.state === 'may fail' && was.test.state === 'runs')
    return found('skipped', 'may fail now')
  if (was.test.size > 0 && test.size === 0) return found('weakened', 'is empty now')
  const isSame = test.title === was.test.title
  if (isSame && was.test.rows !== null && test.rows !== null && test.rows < was.test.rows)
    return found('weakened', `runs on ${test.rows} rows now, on ${was.test.rows} before`)
  const lost = lostAssertions(was.test, test, takeMoved)
  return lost.map((each) => ({ ...each, path, test: was.test.name }))
}

/** `.only` excludes the file's other tests. */
function onlyOnes({ path, before, after }: OutlinePair): readonly WeakenedTest[] {
  const [line] = after.only
  if (line === undefined || before.only.length > 0 || before.tests.length === 0) return []
  return [ofFile('skipped', { path }, line, '`only` excludes the other tests of this file')]
}

const ofFile = (
  kind: WeakenedTest['kind'],
  { path }: Pick<FileChange, 'path'>,
  line: number,
  what: string,
): WeakenedTest => ({ kind, path, line, what, test: '', expected: null })

const snapshot =
  /\.(?:snap|ambr|approved\.\w+|verified\.\w+|golden)$|(?:^|\/)(?:__snapshots__|__image_snapshots__|snapshots)\//

/** Lists what a change removes from a snapshot file; added entries do not count. */
function changedSnapshots(change: FileChange): readonly string[] {
  if (change.action === 'create' || !snapshot.test(change.path)) return []
  if (change.action === 'delete') return ['the snapshot file was deleted']
  const was = entriesOf(change.before)
  const is = entriesOf(change.content)
  if (was.size === 0) {
    return isContained(change.before, change.content) ? [] : ['the snapshot was rewritten']
  }
  const changed = [...was].filter(([name, text]) => is.has(name) && is.get(name) !== text)
  const gone = [...was.keys()].filter((name) => !is.has(name))
  return [
    ...changed.map(([name]) => `the snapshot "${name}" was rewritten`),
    ...gone.map((name) => `the snapshot "${name}" was deleted`),
  ]
}

/** Reads snapshots of jest, vitest and ava: one entry for each `exports[…]`. */
function entriesOf(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^exports\[`/m).slice(1)
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('`] = ')
      return [end < 0 ? part : part.slice(0, end), part.slice(Math.max(0, end)).trim()]
    }),
  )
}

/** Every earlier line is still there, in the same order. */
function isContained(before: string, after: string): boolean {
  const lines = after.split('\n')
  let at = 0
  for (const line of before.split('\n')) {
    at = lines.indexOf(line, at) + 1
    if (at === 0) return line === ''
  }
  return true
}
