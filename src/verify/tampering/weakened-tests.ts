import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../core/domain/change-set.ts'
import { lostAssertions, newAssertions, Surplus } from './compare-assertions.ts'
import { isTestFile } from './is-test-file.ts'
import { type Matched, matchTests, type OutlinePair } from './match-tests.ts'
import { type Assertion, noOutline, type TestFileOutline } from './outline.ts'
import { readMasked } from './read-masked.ts'
import { readPython } from './read-python.ts'
import { readScript } from './read-script.ts'
import { changedSnapshots, isSnapshot } from './snapshots.ts'
import { Tables } from './tables.ts'
import { isTestSetting, looserSettings } from './test-settings.ts'

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

/** A file beyond this is data. */
const longestFile = 1_000_000

/**
 * What a change takes away from the tests there were: tests deleted, skipped or emptied, assertions
 * removed or made weaker, other values expected, snapshots rewritten, runs and thresholds loosened.
 * New tests, moved, renamed, split, merged and parametrised ones are none of these.
 */
export async function findWeakenedTests(changes: ChangeSet): Promise<readonly WeakenedTest[]> {
  const pairs: OutlinePair[] = []
  for (const change of changes) {
    const texts = [contentBefore(change), contentAfter(change)] as const
    if (!isTestFile(change.path, texts)) continue
    pairs.push({ path: change.path, ...(await readOutlines(change.path, ...texts)) })
  }
  const unread = new Set(pairs.filter(isUnread(changes)).map(({ path }) => path))
  const matched = matchTests(pairs.filter(({ path }) => !unread.has(path)))
  const fresh = added(matched, pairs)
  const surplus = new Surplus([...fresh.inTests, ...fresh.elsewhere])
  const takenOver = new Surplus(fresh.inTests)
  const tables = new Tables(matched, pairs)
  return [
    ...matched.flatMap((each) => judge(each, { surplus, takenOver, changes, matched, tables })),
    ...pairs.flatMap(onlyOnes),
    ...changes.flatMap(settingsOf),
    ...changes.filter(({ path }) => isSnapshot(path)).flatMap(snapshotsOf),
  ]
}

/** Both sides in the same manner: by their syntax, or by their shape where one has none. */
export async function readOutlines(path: string, was: string | undefined, is: string | undefined) {
  const texts = [was, is].map((text) => text ?? '')
  if (texts.some((text) => text.length > longestFile))
    return { before: noOutline, after: noOutline }
  const read = async (text: string): Promise<TestFileOutline | null> => {
    if (/\.[cm]?[jt]sx?$/i.test(path)) return readScript(path, text)
    return /\.pyi?$/i.test(path) ? readPython(text) : null
  }
  const [before = null, after = null] = await Promise.all(texts.map(read))
  if (before !== null && after !== null) return { before, after }
  const [one = noOutline, other = noOutline] = texts.map((text) => readMasked(path, text))
  return { before: one, after: other }
}

/** A text that could not be read says nothing of its tests. */
const isUnread =
  (changes: ChangeSet) =>
  ({ path, after }: OutlinePair): boolean => {
    const change = changes.find((each) => each.path === path)
    const text = change && contentAfter(change)
    if (text === undefined || after !== noOutline) return false
    return text.trim() !== ''
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

interface Evidence {
  readonly surplus: Surplus
  readonly takenOver: Surplus
  readonly changes: ChangeSet
  readonly matched: readonly Matched[]
  readonly tables: Tables
}

function judge(
  { before: was, after: is }: Matched,
  { surplus, takenOver, changes, matched, tables }: Evidence,
): readonly WeakenedTest[] {
  const found = (
    kind: WeakenedTest['kind'],
    path: string,
    line: number,
    what: string,
    expected: string | null = null,
  ) => ({ kind, path, line, what, test: was.test.name, expected })
  if (was.test.state === 'skipped') return []
  if (is === null) {
    if (tables.take(was) || isTakenOver(was.test.assertions, takenOver)) return []
    const change = changes.find(({ path }) => path === was.path)
    const whole = change?.action === 'delete'
    const isAll = matched
      .filter(({ before }) => before.path === was.path)
      .every(({ after }) => after === null)
    const what = whole && isAll ? 'was deleted with its file' : 'was deleted'
    return [found('deleted', was.path, was.test.line, what)]
  }
  const { path, test } = is
  if (test.state === 'skipped') return [found('skipped', path, test.line, 'is skipped now')]
  if (test.state === 'may fail' && was.test.state === 'runs') {
    return [found('skipped', path, test.line, 'may fail now')]
  }
  if (was.test.size > 0 && test.size === 0) {
    return [found('weakened', path, test.line, 'is empty now')]
  }
  const isSame = test.title === was.test.title
  if (isSame && was.test.rows !== null && test.rows !== null && test.rows < was.test.rows) {
    const what = `runs on ${test.rows} rows now, on ${was.test.rows} before`
    return [found('weakened', path, test.line, what)]
  }
  const lost = lostAssertions(was.test, test, surplus)
  return lost.map(({ kind, what, line, expected }) => found(kind, path, line, what, expected))
}

/** All it asserted is asserted elsewhere now: it was split, merged, or became rows of a table. */
function isTakenOver(assertions: readonly Assertion[], surplus: Surplus): boolean {
  const real = assertions.filter(({ strength }) => strength > 0)
  return real.length > 0 && real.map((each) => surplus.take(each)).every((taken) => taken)
}

/** `.only` leaves the file's other tests out. */
function onlyOnes({ path, before, after }: OutlinePair): readonly WeakenedTest[] {
  const [line] = after.only
  if (line === undefined || before.only.length > 0 || before.tests.length === 0) return []
  return [ofFile('skipped', path, line, '`only` leaves the other tests of this file out')]
}

function settingsOf(change: FileChange): readonly WeakenedTest[] {
  const { path } = change
  if (change.action === 'create' || !isTestSetting(path)) return []
  const settings = looserSettings(path, change.before, contentAfter(change) ?? '')
  return settings.map(({ line, what }) => ofFile('settings', path, line, what))
}

const snapshotsOf = (change: FileChange): readonly WeakenedTest[] =>
  changedSnapshots(change).map((what) => ofFile('snapshot', change.path, 1, what))

const ofFile = (
  kind: WeakenedTest['kind'],
  path: string,
  line: number,
  what: string,
): WeakenedTest => ({ kind, path, line, what, test: '', expected: null })
