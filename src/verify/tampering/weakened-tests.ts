import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../core/domain/change-set.ts'
import { isTestFile } from '../../text/source/is-test-file.ts'
import {
  lostAssertions,
  newAssertions,
  surplusOf,
  type TakeAssertion,
} from './compare-assertions.ts'
import {
  type Matched,
  matchTests,
  type OutlinePair,
  type PlacedTest,
  rowsOfTables,
} from './match-tests.ts'
import { type Assertion, noOutline } from './outline.ts'
import { readOutlines } from './read-outlines.ts'
import { changedSnapshots } from './snapshots.ts'
import { looserSettings } from './test-settings.ts'

/** One way in which a change makes the tests say less than they did. */
export interface WeakenedTest {
  readonly kind: 'deleted' | 'skipped' | 'weakened' | 'expectation' | 'snapshot' | 'settings'
  readonly path: string
  /** 1-based, in the text after the change where there is one. */
  readonly line: number
  /** Plain words, to follow the test's name. */
  readonly what: string
  /** The test's full name; empty where a whole file or a setting is meant. */
  readonly test: string
  /** The new expected value of a changed expectation, as written. */
  readonly expected: string | null
}

/**
 * What a change takes away from the tests there were: tests deleted, skipped or emptied, assertions
 * removed or made weaker, other values expected, snapshots rewritten, runs and thresholds loosened.
 * New tests, moved, renamed, split, merged and parametrised ones are none of these.
 */
export async function findWeakenedTests(changes: ChangeSet): Promise<readonly WeakenedTest[]> {
  const pairs: OutlinePair[] = []
  const read: OutlinePair[] = []
  for (const change of changes) {
    const { path } = change
    const [was = '', is = ''] = [contentBefore(change), contentAfter(change)]
    if (!isTestFile(path, was, is)) continue
    const [before = noOutline, after = noOutline] = await readOutlines(path, [was, is])
    pairs.push({ path, before, after })
    // A text that could not be read says nothing of its tests.
    if (after !== noOutline || is.trim() === '') read.push({ path, before, after })
  }
  const matched = matchTests(read)
  const { inTests, elsewhere } = added(matched, pairs)
  const evidence: Evidence = {
    takeMoved: surplusOf([...inTests, ...elsewhere]),
    takeOver: surplusOf(inTests),
    takeRow: rowsOfTables(matched, pairs),
    isFileGone: (path) =>
      changes.some((each) => each.path === path && each.action === 'delete') &&
      matched.every(({ before, after }) => before.path !== path || after === null),
  }
  return [
    ...matched.flatMap((each) => judge(each, evidence)),
    ...pairs.flatMap(onlyOnes),
    ...changes.flatMap((change) => [
      ...looserSettings(change).map(({ line, what }) => ofFile('settings', change, line, what)),
      ...changedSnapshots(change).map((what) => ofFile('snapshot', change, 1, what)),
    ]),
  ]
}

/** Assertions that a test, or the rest of a file, did not make before. */
function added(matched: readonly Matched[], pairs: readonly OutlinePair[]) {
  const earlier = new Map(matched.map(({ before, after }) => [after?.test, before.test]))
  const tests = pairs.flatMap(({ after }) => after.tests)
  return {
    inTests: tests.flatMap((test) =>
      newAssertions(earlier.get(test)?.assertions ?? [], test.assertions),
    ),
    elsewhere: pairs.flatMap(({ before, after }) => newAssertions(before.others, after.others)),
  }
}

/** What a change asserts that was not asserted before: it may stand for what is gone. */
interface Evidence {
  readonly takeMoved: TakeAssertion
  /** Of tests alone. */
  readonly takeOver: TakeAssertion
  readonly takeRow: (lost: PlacedTest) => boolean
  /** The file is deleted, and all of its tests with it. */
  readonly isFileGone: (path: string) => boolean
}

function judge(
  { before: was, after: is }: Matched,
  { takeMoved, takeOver, takeRow, isFileGone }: Evidence,
): readonly WeakenedTest[] {
  const { path, test } = is ?? was
  const found = (kind: WeakenedTest['kind'], what: string) => [
    { kind, path, line: test.line, what, test: was.test.name, expected: null },
  ]
  if (was.test.state === 'skipped') return []
  if (is === null) {
    if (takeRow(was) || isTakenOver(was.test.assertions, takeOver)) return []
    return found('deleted', isFileGone(path) ? 'was deleted with its file' : 'was deleted')
  }
  if (test.state === 'skipped') return found('skipped', 'is skipped now')
  if (test.state === 'may fail' && was.test.state === 'runs') {
    return found('skipped', 'may fail now')
  }
  if (was.test.size > 0 && test.size === 0) return found('weakened', 'is empty now')
  const isSame = test.title === was.test.title
  if (isSame && was.test.rows !== null && test.rows !== null && test.rows < was.test.rows) {
    return found('weakened', `runs on ${test.rows} rows now, on ${was.test.rows} before`)
  }
  const lost = lostAssertions(was.test, test, takeMoved)
  return lost.map((each) => ({ ...each, path, test: was.test.name }))
}

/** All it asserted is asserted elsewhere now: it was split, merged, or became rows of a table. */
function isTakenOver(assertions: readonly Assertion[], take: TakeAssertion): boolean {
  const real = assertions.filter(({ strength }) => strength > 0)
  return real.length > 0 && real.map(take).every((taken) => taken)
}

/** `.only` leaves the file's other tests out. */
function onlyOnes({ path, before, after }: OutlinePair): readonly WeakenedTest[] {
  const [line] = after.only
  if (line === undefined || before.only.length > 0 || before.tests.length === 0) return []
  return [ofFile('skipped', { path }, line, '`only` leaves the other tests of this file out')]
}

const ofFile = (
  kind: WeakenedTest['kind'],
  { path }: Pick<FileChange, 'path'>,
  line: number,
  what: string,
): WeakenedTest => ({ kind, path, line, what, test: '', expected: null })
