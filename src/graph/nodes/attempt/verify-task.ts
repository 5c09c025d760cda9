import type { Attempt, Failure } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  changesOf,
  joinPatches,
  patchAttempt,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { OutcomeOf } from '../../../core/domain/steps.ts'
import type { Task } from '../../../core/domain/task.ts'
import type { Receipt, TestFailure, TestReport } from '../../../core/domain/test-report.ts'
import type { Folder } from '../../../core/ports/workspace.ts'
import type { Ports } from '../../../core/ports.ts'
import type { ModelPorts } from '../../../model/ask/ask-model.ts'
import { countTouched } from '../../../model/context/count-touched.ts'
import { findMissingFiles } from '../../../model/context/expected-files.ts'
import { folderOf, runFailuresAgain } from '../../../recovery/step/confirm-failures.ts'
import { findTroubles } from '../../../recovery/step/find-trouble.ts'
import { mayReflect } from '../../../recovery/step/may-reflect.ts'
import type { Mended } from '../../../recovery/step/mend-commands.ts'
import { settleTestRepairs } from '../../../recovery/step/note-repair.ts'
import { isBeyondRepair } from '../../../recovery/task/classify-by-pattern.ts'
import { findModulesFromLaterTasks } from '../../../recovery/task/find-modules-from-later-tasks.ts'
import { countChanges } from '../../../text/markdown/count-changes.ts'
import { type Comparison, compareReports } from '../../../verify/compare/compare.ts'
import { findOnlyStubs, findStubs } from '../../../verify/compare/find-stubs.ts'
import {
  type ChangedTree,
  findMissing,
  findSilenced,
  findStillRed,
  findUnnamed,
  findUnrun,
} from '../../../verify/compare/find-unrun.ts'
import { comparableWith, failureSaying, identity } from '../../../verify/compare/read-outcome.ts'
import { type Proof, prepareProof } from '../../../verify/proof/prepare-proof.ts'
import {
  baselineOf,
  baselineWith,
  mostShown,
  startOf,
  toStored,
} from '../../../verify/run/baseline.ts'
import { describeWeakened, mayRemoveTests, notAskedFor } from '../../../verify/run/guard-tests.ts'
import {
  pathsAfter,
  reportOf,
  type Verification,
  type VerifyOptions,
  verifyFolder,
} from '../../../verify/run/verify-folder.ts'
import {
  findAnswersForTests,
  findForgedSummaries,
} from '../../../verify/tampering/find-takeovers.ts'
import { findWeakenedTests } from '../../../verify/tampering/weakened-tests.ts'
import type { Step } from '../../step.ts'

type Outcome = OutcomeOf<'verify_task'>
type Needs = ModelPorts & Pick<Ports, 'workspace' | 'sandbox' | 'memory' | 'random'>

/** A longer list hides the warnings that matter. */
const mostWarnings = 20
const mostNewTests = 20

/**
 * Runs the project's tests and the task's accept commands on the written change and compares them with the baseline:
 * only what the change broke counts. Returns a receipt. Corrects, for this attempt, a command line that cannot run
 * where a correction is known.
 */
export async function verifyTask(state: RunState, ports: Needs): Promise<Step<Outcome>> {
  const attempt = attemptOf(state)
  const openTasks = () => loadOrder(state, ports)
  const later = await findModulesFromLaterTasks(attempt, openTasks, ports)
  if (later.length > 0) return cannotRun(state, later.join('\n'))
  if (ports.settings.verify.mode === 'skip') return skipVerification(state, attempt)
  const folder = await folderOf(attempt, ports)
  const files = await ports.workspace.listFiles(attempt.start.sha)
  const paths = pathsAfter(files, changesOf(attempt.draft))
  const read = (wanted: readonly string[]) => ports.workspace.readFolder(folder, wanted)
  const tree = { changes: changesOf(attempt.draft), paths, read }
  const proof = prepareProof(startOf(state), tree, ports)
  try {
    const mended = await runAndMend(state, folder, tree, proof.begin, ports)
    const { usage, calls } = mended.state.spent
    const { windows, corrections } = mended.state.learned
    const { outcome, patch } = await judgeTwice(mended, tree, proof, ports)
    return {
      outcome,
      patch: joinPatches({ spent: { usage, calls }, learned: { windows, corrections } }, patch),
    }
  } finally {
    await proof.end()
  }
}

/** Runs the tests of both trees in parallel, then again those whose command could not run as written. */
async function runAndMend(
  state: RunState,
  folder: Folder,
  { changes: written, paths, read }: ChangedTree,
  begins: () => void,
  ports: Needs,
): Promise<Mended> {
  const { task, testRepairs, isFlaky, loop } = attemptOf(state)
  // `repair_test` runs a first failure a second time while the model answers; a loop of tools has no such step.
  const defersSecondRun = testRepairs === 0 && isFlaky !== true && loop?.isOpen !== true
  const verifyAfter = (choice: VerifyOptions) =>
    verifyFolder(folder, paths, task, ports, { ...choice, written, begins })
  const change = {
    paths: written.map(({ path }) => path),
    before: () => baselineOf(state, ports),
  }
  const [before, after] = await Promise.all([
    baselineOf(state, ports),
    verifyAfter({ change, defersSecondRun }),
  ])
  const project = {
    paths,
    readTexts: read,
    async again(choice: VerifyOptions) {
      const both = [baselineWith(state, choice, ports), verifyAfter(choice)] as const
      const [start, end] = await Promise.all(both)
      return { before: start, after: end }
    },
  }
  const tried = [...new Set([...(before.tried ?? []), ...(after.tried ?? [])])]
  const { remedies } = attemptOf(state)
  const noted = changeState(state, patchAttempt(state, { remedies: [...remedies, ...tried] }))
  if (findTroubles(before, after).length === 0) return { state: noted, before, after, warnings: [] }
  const { mendCommands } = await import('../../../recovery/step/mend-commands.ts')
  return mendCommands(noted, { before, after }, project, ports)
}

async function loadOrder(state: RunState, ports: Needs): Promise<readonly Task[]> {
  const { loadOpenTasks } = await import('../../../roadmap/load-roadmap.ts')
  return (await loadOpenTasks(state, ports)).order
}

/** Judges the first run. When that would end the attempt or pass it, first runs again what ran only once. */
async function judgeTwice(
  mended: Mended,
  tree: ChangedTree,
  proof: Proof,
  ports: Needs,
): Promise<Step<Outcome>> {
  const step = await judgeVerified(mended, tree, proof, ports)
  const { state, after } = mended
  const isFailed = step.outcome === 'failed' || step.outcome === 'failed_again'
  if (isFailed || after.status === 'not_prepared') return step
  if (!after.report.commands.some(({ once }) => once)) return step
  // When the tests nearest to the change failed by chance, the others have not run yet.
  const whole = after.report.notRun !== undefined
  const report = await runFailuresAgain(state, after.report, ports, { whole })
  return judgeVerified({ ...mended, after: { ...after, report } }, tree, proof, ports)
}

async function judgeVerified(
  { state, before, after, warnings: corrected }: Mended,
  { paths, read }: ChangedTree,
  proof: Proof,
  ports: Needs,
): Promise<Step<Outcome>> {
  if (after.status === 'not_prepared') return cannotRun(state, after.reason, after)
  const attempt = attemptOf(state)
  const start = comparableWith(after.report, reportOf(before))
  const changes = attempt.draft?.changes ?? []
  const weakened = notAskedFor(await findWeakenedTests(changes), attempt.task)
  const compared = compareReports(start, after.report, {
    requireTests: ports.settings.verify.requireTests,
    mayRemoveTests: mayRemoveTests(attempt.task),
    lostTests: weakened.flatMap(({ kind, test }) =>
      kind === 'deleted' || kind === 'skipped' ? [{ kind, test }] : [],
    ),
  })
  const tree = { changes, paths, read }
  const mayMiss = compared.broken.length > 0 || mayRemoveTests(attempt.task)
  const more = [
    ...(await findStillRed(after.report, tree)),
    ...(mayMiss ? [] : await findMissing(start, after.report, tree)),
    ...(mayMiss ? [] : await findSilenced(start, after.report, tree)),
    ...findUndone(attempt, start, after.report),
  ]
  const unrun = await findUnrun(start, after.report, tree)
  const notes = new Set([...baselineNotes(before), ...after.notes])
  const forged = findForgedSummaries(changes)
  const answers = findAnswersForTests(changes, attempt.task)
  const unnamed = findUnnamed(start, after.report).map(tellsNumbers)
  const doubts = [
    ...unrun.flatMap(({ path, isAccepted }) => (isAccepted ? didNotRun(path) : [])),
    ...forged.map(holdsSummary),
    ...answers.map(mayAnswer),
    ...unnamed,
  ]
  const seen = withStillRed(compared, more, [...notes])
  const behind = seen.result === 'passed' ? await lookBehind(seen, after.report, proof) : seen
  const judged = withoutProof(behind, doubts, ports)
  const { stubs, lines } = findStubs(changes)
  const changed = countChanges(changesOf(attempt.draft))
  const touched = judged.result === 'failed' ? {} : await countTouched(attempt, ports)
  const counted = { ...judged.receipt, ...touched, stubs: { found: stubs.length, lines }, changed }
  const warnings = [
    ...answers.map((each) => `may answer for its tests: ${each}`),
    ...forged.map((each) => `holds what a test run would print: ${each}`),
    ...unnamed,
    ...corrected,
    ...weakened.map(describeWeakened),
    ...stubs.map((each) => `does nothing yet: ${each}`),
    ...(await missingFiles(attempt, ports)),
    ...unrun.flatMap(({ path, isAccepted }) => (isAccepted ? [] : isNotIncluded(path))),
  ].slice(0, mostWarnings)
  const receipt = warnings.length === 0 ? counted : { ...counted, warnings }
  return judge(state, attempt, { ...judged, receipt }, after.report, ports)
}

/** For a change that would pass: checks that its tests can be trusted, and that its new tests can fail. */
async function lookBehind(
  judged: Comparison,
  after: TestReport,
  proof: Proof,
): Promise<Comparison> {
  const { distrust, notes, newTests } = await proof.judge(after)
  if (distrust !== null) return withStillRed(judged, [failureSaying('the tests', distrust)], [])
  const proven = withStillRed(judged, [], notes)
  if (newTests.length === 0) return proven
  return { ...proven, receipt: { ...proven.receipt, newTests: newTests.slice(0, mostNewTests) } }
}

/** Detects a change without effect, unless it turned a test green or one more test passes. */
function findUndone(
  { draft, task }: Attempt,
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

/** Files that the answer promised, that were requested again, and that never arrived. */
async function missingFiles(attempt: Attempt, ports: Needs): Promise<readonly string[]> {
  const files = await ports.workspace.listFiles(attempt.start.sha)
  const paths = files.map(({ path }) => path)
  const isMissing = (mayCreate: (path: string) => boolean) =>
    findMissingFiles(attempt, paths, mayCreate)
  if (isMissing(() => true).length === 0) return []
  const { mayCreate } = await import('../../../changes/gate/gate.ts')
  return isMissing(mayCreate(attempt, files, ports.settings)).map(({ path, by }) =>
    by === 'answer'
      ? `the model says it wrote ${path}, and did not`
      : `the task asks for ${path}, which is missing`,
  )
}

const didNotRun = (path: string): string =>
  `No test of the new ${path} ran, though tests beside it did.`
const isNotIncluded = (path: string): string =>
  `The project's test command does not run the new tests in ${path}.`
const holdsSummary = (said: string): string =>
  `The change holds what a test run would print (${said}).`
const tellsNumbers = (command: string): string =>
  `${command} named its tests before this change and only counts them now: something else may run in their place.`
const mayAnswer = (said: string): string =>
  `The change may answer for its tests: ${said}. A person has to look at it.`

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

/** A test of the changed files that failed before and still fails counts as broken, too. */
function withStillRed(
  compared: Comparison,
  stillRed: readonly TestFailure[],
  notes: readonly string[],
): Comparison {
  const known = new Set(compared.broken.map(identity))
  const more = stillRed.filter((failure) => !known.has(identity(failure)))
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

async function judge(
  state: RunState,
  attempt: Attempt,
  { result, broken, receipt, diagnosis }: Comparison,
  tests: TestReport,
  ports: Needs,
): Promise<Step<Outcome>> {
  const remedies = settleTestRepairs(attempt, broken)
  const shown = broken.slice(0, mostShown)
  const facts = { tests: toStored(tests), receipt, broken: shown, remedies }
  const output = tests.commands.map(({ tail }) => tail).join('\n')
  const failureAt = (at: Outcome, message: string): Failure => ({
    at,
    message,
    problems: [],
    failures: shown,
    output,
    diagnosis,
  })
  const found = (at: Outcome, message: string): Step<Outcome> => ({
    outcome: at,
    patch: patchAttempt(state, { ...facts, failure: failureAt(at, message) }),
  })
  switch (result) {
    case 'cannot_run':
      return found('cannot_run', receipt.notes.join(' ') || 'the tests cannot be run here')
    case 'failed': {
      const first = broken[0]
      const message = first ? `${first.test}: ${first.message}` : receipt.notes.join(' ')
      if (attempt.draft?.claimsDone) return found('unproven', `"nothing to do", but ${message}`)
      const stuck = await isBeyondRepair(
        attempt,
        failureAt('failed', message),
        await loadOrder(state, ports),
        ports,
      )
      if (stuck) return found('cannot_run', message)
      const { limits } = ports.settings
      if (attempt.testRepairs >= limits.testRepairs) return found('repairs_spent', message)
      return found(mayReflect(attempt, ports.settings) ? 'failed_again' : 'failed', message)
    }
    default: {
      if (!attempt.draft?.claimsDone) return { outcome: result, patch: patchAttempt(state, facts) }
      return isProven(attempt, tests)
        ? { outcome: 'already_satisfied', patch: patchAttempt(state, facts) }
        : found('unproven', 'the model says there is nothing to do, and nothing shows that')
    }
  }
}

/** Accepts "nothing to do" only with passing accept commands, or with the expected files and green tests. */
function isProven({ task, context, feedback }: Attempt, tests: TestReport): boolean {
  // A reviewer who asks for a change has seen that the task is not done.
  if (feedback !== null) return false
  if (task.accept.length > 0) return true
  const shown = new Set(context.map(({ path }) => path))
  const expected = task.files.filter((path) => !path.includes('*'))
  return (
    tests.commands.length > 0 && expected.length > 0 && expected.every((path) => shown.has(path))
  )
}

function cannotRun(
  state: RunState,
  message: string,
  { output, diagnosis }: Pick<Failure, 'output' | 'diagnosis'> = { output: '' },
): Step<Outcome> {
  const found = { message, problems: [], failures: [], output, diagnosis }
  const failure: Failure = { at: 'cannot_run', ...found }
  return { outcome: 'cannot_run', patch: patchAttempt(state, { failure }) }
}

/** `verify-mode: skip`: claims nothing, and the receipt says why. */
function skipVerification(state: RunState, attempt: Attempt): Step<Outcome> {
  const notes = ['verification was switched off (verify-mode: skip)']
  const receipt: Receipt = {
    result: 'unverified',
    commands: [],
    ...{ before: null, after: null, seconds: 0, sandbox: null },
    changed: countChanges(changesOf(attempt.draft)),
    notes,
  }
  if (!attempt.draft?.claimsDone) {
    return { outcome: 'unverified', patch: patchAttempt(state, { receipt }) }
  }
  const message = 'the model says there is nothing to do, and verification is switched off'
  const failure: Failure = { at: 'unproven', message, problems: [], failures: [], output: '' }
  return { outcome: 'unproven', patch: patchAttempt(state, { receipt, failure }) }
}
