import { type ChangeSet, changesOf, countChanges, type Draft } from '../../change/change.ts'
import { countOf } from '../../text/text.ts'
import { type Comparison, compareReports } from '../compare/compare.ts'
import { findOnlyStubs, findStubs } from '../compare/find-stubs.ts'
import {
  type ChangedTree,
  findMissing,
  findSilenced,
  findStillRed,
  findUnnamed,
  findUnrun,
} from '../compare/find-unrun.ts'
import { comparableWith, evidenceOf, failureSaying, identity } from '../compare/read-outcome.ts'
import type { JudgePorts, Scope } from '../judging.ts'
import type { Proof } from '../proof/prepare-proof.ts'
import { describeAdded, describeOldTests } from '../proof/try-old-tests.ts'
import type { TestFailure, TestReport } from '../results/test-report.ts'
import {
  asksToEditTests,
  describeWeakened,
  mayRemoveTests,
  weakenedBy,
} from '../run/guard-tests.ts'
import { reportOf, type Verification } from '../run/verify-folder.ts'
import { findAnswersForTests, findForgedSummaries } from '../tampering/find-takeovers.ts'
import { describeRunnerChange, findRunnerChanges } from '../tampering/runner-settings.ts'
import { findBrokenStart, findUnrelated } from './find-unrelated.ts'
import { findWaiting } from './find-waiting.ts'

type Needs = Pick<JudgePorts, 'settings'>

/** A change, and the words that ask for it. */
export interface JudgedChange {
  readonly task: Scope
  readonly draft: Pick<Draft, 'changes' | 'locks'> | null
  /** Which tests of the changed files it must turn green, though they were red before; all of them when absent. */
  readonly owes?: (failure: TestFailure) => boolean
  /** Files that count as changed when it is asked whose tests are red; of a change that claims to be needless. */
  readonly concerns?: ChangeSet
  /** What else is asked for and open; red tests that wait for it are not the change's. None when absent. */
  readonly others?: () => Promise<readonly Scope[]>
}

interface Runs {
  readonly before: Verification
  readonly after: Extract<Verification, { readonly status: 'verified' }>
  readonly warnings: readonly string[]
}

/** A longer list hides the warnings that matter. */
const mostWarnings = 20
const mostNewTests = 20

/**
 * Compares the runs of both trees, and looks for signs that they miss: tests that are gone, weakened, silenced or never
 * ran, a change that forges results, or one without effect. Returns the comparison with its receipt.
 *
 * @param runs.warnings warnings of earlier checks, for the receipt
 */
export async function compareChange(
  attempt: JudgedChange,
  { before, after, warnings: known }: Runs,
  { paths, read }: Pick<ChangedTree, 'paths' | 'read'>,
  proof: Proof,
  ports: Needs,
): Promise<Comparison> {
  const start = comparableWith(after.report, reportOf(before))
  const changes = attempt.draft?.changes ?? []
  const weakened = await weakenedBy(changes, attempt.task)
  const compared = compareReports(start, after.report, {
    requireTests: ports.settings.verify.requireTests,
    mayRemoveTests: mayRemoveTests(attempt.task),
    lostTests: weakened.flatMap(({ kind, test }) =>
      kind === 'deleted' || kind === 'skipped' ? [{ kind, test }] : [],
    ),
  })
  const tree = { changes, paths, read }
  const mayMiss = compared.broken.length > 0 || mayRemoveTests(attempt.task)
  const concerned = { ...tree, changes: [...changes, ...(attempt.concerns ?? [])] }
  const reports = { start, after: after.report }
  const { owed = [], known: stillRed = [] } = await sortRed(attempt, compared, reports, concerned)
  const more = [
    ...owed,
    ...(mayMiss ? [] : await findMissing(start, after.report, tree)),
    ...(mayMiss ? [] : await findSilenced(start, after.report, tree)),
    ...findUndone(attempt, start, after.report),
  ]
  const unrun = await findUnrun(start, after.report, tree)
  const notes = new Set([...baselineNotes(before), ...after.notes])
  const forged = findForgedSummaries(changes)
  const answers = findAnswersForTests(changes, attempt.task)
  const runner = await findRunnerChanges(tree)
  const unnamed = findUnnamed(start, after.report).map(tellsNumbers)
  const doubts = [
    ...unrun.flatMap(({ path, isAccepted }) => (isAccepted ? didNotRun(path) : [])),
    ...forged.map(holdsSummary),
    ...answers.map(mayAnswer),
    ...runner.map(describeRunnerChange),
    ...unnamed,
    ...after.report.commands.flatMap(({ without = [] }) => without.map(ranWithout)),
    ...(stillRed.length > 0 ? [stayRed(stillRed)] : []),
  ]
  const seen = withMore(compared, more, [...notes])
  const behind = await lookBehind(seen, after.report, proof, attempt.task)
  const judged = withoutProof(behind.comparison, [...doubts, ...behind.inDoubt], ports)
  const { stubs, lines } = findStubs(changes)
  const changed = countChanges(changesOf(attempt.draft))
  const counted = { ...judged.receipt, stubs: { found: stubs.length, lines }, changed }
  const warnings = [
    ...answers.map((each) => `may answer for its tests: ${each}`),
    ...runner.map((each) => `decides how the tests run: ${each}`),
    ...forged.map((each) => `holds what a test run would print: ${each}`),
    ...unnamed,
    ...known,
    ...(judged.receipt.warnings ?? []),
    ...weakened.map(describeWeakened),
    ...stubs.map((each) => `does nothing yet: ${each}`),
    ...unrun.flatMap(({ path, isAccepted }) => (isAccepted ? [] : isNotIncluded(path))),
  ].slice(0, mostWarnings)
  const evidence = evidenceOf(counted, start, after.report, behind.isShown)
  const receipt = {
    ...counted,
    ...(evidence !== undefined && { evidence }),
    ...(warnings.length > 0 && { warnings }),
  }
  return { ...judged, stillRed, receipt }
}

/**
 * For a change that would pass: checks that its tests can be trusted, that its new tests can fail, and that it passes
 * the tests of the start commit without its own.
 */
async function lookBehind(
  judged: Comparison,
  after: TestReport,
  proof: Proof,
  task: JudgedChange['task'],
): Promise<{
  readonly comparison: Comparison
  readonly inDoubt: readonly string[]
  readonly isShown: boolean
}> {
  if (judged.result !== 'passed') return { comparison: judged, inDoubt: [], isShown: false }
  const found = await proof.judge(after)
  const { distrust, notes, newTests, oldTests, outside, isShown, warnings: blind } = found
  if (distrust !== null) {
    const comparison = withMore(judged, [failureSaying('the tests', distrust)], [])
    return { comparison, inDoubt: [], isShown: false }
  }
  const proven = withMore(judged, [], notes)
  const { failed, isAdded } = oldTests
  const edited = isAdded ? [] : failed.filter(({ file }) => !asksToEditTests(task, file))
  const inDoubt = [...(isAdded && failed.length > 0 ? [describeAdded(failed)] : []), ...outside]
  const shown = newTests.slice(0, mostNewTests)
  const bent = edited.length === 0 ? [] : [describeOldTests(edited)]
  const warnings = [...bent, ...inDoubt, ...blind]
  const receipt = {
    ...proven.receipt,
    ...(shown.length > 0 && { newTests: shown }),
    ...(warnings.length > 0 && { warnings }),
  }
  return { comparison: { ...proven, receipt }, inDoubt, isShown }
}

/**
 * The failing tests of the changed files: those that the change owes, and the others that were red before. Tests that
 * wait for another task, and those that the change has nothing to do with, are in neither.
 */
async function sortRed(
  { owes = () => true, others: openTasks = async () => [], task }: JudgedChange,
  compared: Comparison,
  { start, after }: { readonly start: TestReport | null; readonly after: TestReport },
  tree: ChangedTree,
): Promise<Partial<Record<'others' | 'owed' | 'known', readonly TestFailure[]>>> {
  const caused = new Set(compared.broken.map(identity))
  const red = (await findStillRed(after, tree)).filter((each) => !caused.has(identity(each)))
  if (red.length === 0) return {}
  const others = [
    ...(await findUnrelated(red, start, task, tree)),
    ...(await findWaiting(red, task, await openTasks(), tree)),
  ]
  const broken = findBrokenStart(red, start, task, tree)
  return Object.groupBy(red, (failure) => {
    if (others.includes(failure)) return 'others'
    return owes(failure) && !broken.includes(failure) ? 'owed' : 'known'
  })
}

/** Detects a change without effect, unless it turned a test green or one more test passes. */
function findUndone(
  { draft, task }: JudgedChange,
  before: TestReport | null,
  after: TestReport,
): readonly TestFailure[] {
  const stub = findOnlyStubs(draft?.changes ?? [], task)
  const passed = (report: TestReport | null) =>
    (report?.commands ?? []).reduce((total, { counts }) => total + (counts?.passed ?? 0), 0)
  if (stub === null || passed(after) > passed(before)) return []
  const message = `Everything that this change adds does nothing (${stub}), and the task does not ask for that. Write what it is to do.`
  return [failureSaying('the change', message)]
}

const baselineNotes = (found: Verification): readonly string[] =>
  found.status === 'verified'
    ? []
    : [`The tests could not be run before the change: ${found.reason}`]

const didNotRun = (path: string): string =>
  `No test of the new ${path} ran, though tests beside it did.`
/** Our own tests, which show that results can be trusted, do not compile beside such a file. */
const ranWithout = (path: string): string =>
  `The tests ran without ${path}, which does not compile, nor did before this change.`
const isNotIncluded = (path: string): string =>
  `The project's test command does not run the new tests in ${path}.`
const holdsSummary = (said: string): string =>
  `The change holds what a test run would print (${said}).`
const tellsNumbers = (command: string): string =>
  `${command} named its tests before this change and only counts them now: something else may run in their place.`
const mayAnswer = (said: string): string =>
  `The change may answer for its tests: ${said}. A person has to look at it.`
const stayRed = ({ length }: readonly TestFailure[]): string =>
  `Nothing got worse, but this change is not proven: ${countOf(length, 'test')} of its files failed before it and still ${length === 1 ? 'fails' : 'fail'}.`

/** A doubt makes the result unproven: a person decides. */
function withoutProof(
  compared: Comparison,
  doubts: readonly string[],
  { settings }: Pick<Needs, 'settings'>,
): Comparison {
  if (compared.result !== 'passed' || doubts.length === 0) return compared
  const result = settings.verify.requireTests ? 'failed' : 'unverified'
  const { receipt } = compared
  const notes = [...receipt.notes, ...doubts.slice(0, mostWarnings)]
  return { ...compared, result, receipt: { ...receipt, result, notes } }
}

/** Adds failures that a comparison of both runs does not see. */
function withMore(
  compared: Comparison,
  failures: readonly TestFailure[],
  notes: readonly string[],
): Comparison {
  const known = new Set(compared.broken.map(identity))
  const more = failures.filter((failure) => !known.has(identity(failure)))
  const failed = compared.result !== 'cannot_run' && more.length > 0
  const result = failed ? 'failed' : compared.result
  const { receipt, diagnosis } = compared
  return {
    result,
    diagnosis,
    broken: [...compared.broken, ...more],
    receipt: {
      ...receipt,
      result: failed ? 'failed' : receipt.result,
      notes: [...notes, ...receipt.notes],
    },
  }
}
