import { changesOf, type Draft } from '../../../../packages/change/change.ts'
import { lastLines } from '../../../../packages/diagnosis/diagnosis.ts'
import { nothingRun, type TestReport, type Verifier } from '../../../../packages/judge/judge.ts'
import { membersOf, type Task } from '../../../../packages/task/task.ts'
import type { Attempt, BestDraft, Failure } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  failureAt,
  joinPatches,
  patchAttempt,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { OutcomeOf } from '../../../core/domain/steps.ts'
import type { Ports } from '../../../core/ports.ts'
import type { ModelPorts } from '../../../model/ask/ask-model.ts'
import { countTouched } from '../../../model/context/find-code.ts'
import { verifierOf } from '../../../recovery/step/confirm-failures.ts'
import { mayReflect } from '../../../recovery/step/may-reflect.ts'
import type { Mended } from '../../../recovery/step/mend-commands.ts'
import { mayTryAgain } from '../../../recovery/step/next-request.ts'
import { settleTestRepairs } from '../../../recovery/step/note-repair.ts'
import { isBeyondRepair } from '../../../recovery/task/classify-by-pattern.ts'
import { findModulesFromLaterTasks } from '../../../recovery/task/find-modules-from-later-tasks.ts'
import { missingFiles, reachOf, unchangedTargets } from '../../parts/beside-change.ts'
import { mayDraw } from '../../parts/draw-sample.ts'
import type { StepOf } from '../../step.ts'

type Needs = ModelPorts & Pick<Ports, 'workspace' | 'sandbox' | 'memory' | 'random'>

/**
 * Runs the project's tests and the task's accept commands on the written change and compares them with the baseline:
 * only what the change broke counts. Returns a receipt. Corrects, for this attempt, a command line that cannot run
 * where a correction is known.
 */
export async function verifyTask(state: RunState, ports: Needs): Promise<StepOf<'verify_task'>> {
  const attempt = attemptOf(state)
  const openTasks = () => loadOrder(state, ports)
  const later = await findModulesFromLaterTasks(attempt, openTasks, ports)
  if (later.length > 0) return cannotRun(state, later.join('\n'))
  if (ports.settings.verify.mode === 'skip') return skipVerification(state, attempt)
  const verifier = await verifierOf(attempt, ports)
  try {
    const mended = await runAndMend(state, verifier, ports)
    const { usage, calls } = mended.state.spent
    const { windows, corrections } = mended.state.learned
    const { outcome, patch } = await judgeTwice(mended, verifier, ports)
    return {
      outcome,
      patch: joinPatches({ spent: { usage, calls }, learned: { windows, corrections } }, patch),
    }
  } finally {
    await verifier.end()
  }
}

/** Runs the tests of both trees in parallel, then again those whose command could not run as written. */
async function runAndMend(state: RunState, verifier: Verifier, ports: Needs): Promise<Mended> {
  const { testRepairs, isFlaky, loop, remedies } = attemptOf(state)
  // `repair_test` runs a first failure a second time while the model answers; a loop of tools has no such step.
  const defersSecondRun = testRepairs === 0 && isFlaky !== true && loop?.isOpen !== true
  const { before, after } = await verifier.run({ defersSecondRun })
  const tried = [...new Set([...(before.tried ?? []), ...(after.tried ?? [])])]
  const noted = changeState(
    state,
    patchAttempt(state, {
      remedies: [...remedies, ...tried.map((each) => ({ ...each, node: 'verify_task' as const }))],
    }),
  )
  if (verifier.findTroubles({ before, after }).length === 0)
    return { state: noted, before, after, warnings: [] }
  const { mendCommands } = await import('../../../recovery/step/mend-commands.ts')
  return mendCommands(noted, { before, after }, verifier, ports)
}

/** The other open tasks, without those of its group. */
const othersThan = (task: Task, order: readonly Task[]): readonly Task[] =>
  order.filter((each) => each.id !== task.id && !membersOf(task).some(({ id }) => id === each.id))

async function loadOrder(state: RunState, ports: Needs): Promise<readonly Task[]> {
  const { loadOpenTasks } = await import('../../../tasks/load-roadmap.ts')
  return (await loadOpenTasks(state, ports)).order
}

/** Judges the first run. When that would end the attempt or pass it, first runs again what ran only once. */
async function judgeTwice(
  mended: Mended,
  verifier: Verifier,
  ports: Needs,
): Promise<StepOf<'verify_task'>> {
  const step = await judgeVerified(mended, verifier, ports)
  const { after } = mended
  const isFailed = step.outcome === 'failed' || step.outcome === 'failed_again'
  if (isFailed || after.status === 'not_prepared') return step
  if (!after.report.commands.some(({ once }) => once)) return step
  // When the tests nearest to the change failed by chance, the others have not run yet.
  const whole = after.report.notRun !== undefined
  const report = await verifier.runAgain(after.report, { whole })
  return judgeVerified({ ...mended, after: { ...after, report } }, verifier, ports)
}

async function judgeVerified(
  { state, before, after, warnings: corrected }: Mended,
  verifier: Verifier,
  ports: Needs,
): Promise<StepOf<'verify_task'>> {
  if (after.status === 'not_prepared') return cannotRun(state, after.reason, after)
  const attempt = attemptOf(state)
  const warnings = [...corrected, ...(await missingFiles(attempt, ports)), ...reachOf(attempt)]
  const others = async () => othersThan(attempt.task, await loadOrder(state, ports))
  const concerns = await unchangedTargets(attempt, ports)
  const tested = { before, after, warnings }
  const compared = await verifier.judge(tested, { ...attempt, concerns, others })
  const touched = compared.result === 'failed' ? {} : await countTouched(attempt, ports)
  const receipt = { ...compared.receipt, ...touched }
  return judge(state, attempt, { ...compared, receipt }, ports)
}

async function judge(
  state: RunState,
  attempt: Attempt,
  { result, broken, kept, receipt, output, diagnosis }: Awaited<ReturnType<Verifier['judge']>>,
  ports: Needs,
): Promise<StepOf<'verify_task'>> {
  const remedies = settleTestRepairs(attempt, broken)
  const facts = { ...kept, receipt, remedies }
  const best = betterOf(attempt.best, attempt.draft, facts)
  const told = { failures: kept.broken, output, diagnosis }
  const found = (at: OutcomeOf<'verify_task'>, message: string): StepOf<'verify_task'> => ({
    outcome: at,
    patch: patchAttempt(state, { ...facts, failure: failureAt(at, message, told) }),
  })
  switch (result) {
    case 'cannot_run':
      return found('cannot_run', receipt.notes.join(' ') || 'the tests cannot be run here')
    case 'failed': {
      const first = broken[0]
      const message = first ? `${first.test}: ${first.message}` : receipt.notes.join(' ')
      if (attempt.draft?.claimsDone)
        return mayRefute(attempt, ports)
          ? found('refuted', message)
          : found('unproven', `"nothing to do", but ${message}`)
      const stuck = await isBeyondRepair(
        attempt,
        failureAt('failed', message, told),
        await loadOrder(state, ports),
        ports,
      )
      if (stuck) return found('cannot_run', message)
      const isSpent = !mayTryAgain({ ...attempt, receipt }, ports.settings)
      const step = isSpent
        ? found('repairs_spent', message)
        : found(mayReflect(attempt, ports.settings) ? 'failed_again' : 'failed', message)
      return withBest(step, state, best, isSpent)
    }
    default: {
      if (!attempt.draft?.claimsDone) return { outcome: result, patch: patchAttempt(state, facts) }
      return isProven(attempt, kept.tests)
        ? { outcome: 'already_satisfied', patch: patchAttempt(state, facts) }
        : found('unproven', whyUnproven(attempt, ports.settings))
    }
  }
}

/** Keeps the draft of which fewer tests fail; the earlier one where both fail alike. */
function betterOf(
  before: BestDraft | null,
  draft: Draft | null,
  { broken, tests, receipt }: Pick<BestDraft, 'broken' | 'tests' | 'receipt'>,
): BestDraft | null {
  if (draft === null || (before !== null && before.broken.length <= broken.length)) return before
  return { draft, broken, tests, receipt }
}

/** Notes the best draft so far; an attempt that ends leaves that one to a person. */
function withBest(
  { outcome, patch }: StepOf<'verify_task'>,
  state: RunState,
  best: BestDraft | null,
  isSpent: boolean,
): StepOf<'verify_task'> {
  const judged = changeState(state, patch)
  const { failure, draft } = attemptOf(judged)
  if (!isSpent || best === null || best.draft === draft || failure === null) {
    return { outcome, patch: joinPatches(patch, patchAttempt(judged, { best })) }
  }
  const [first] = best.broken
  const message = first === undefined ? failure.message : `${first.test}: ${first.message}`
  const kept = { ...best, best, failure: { ...failure, message, failures: best.broken } }
  return { outcome, patch: joinPatches(patch, patchAttempt(judged, kept)) }
}

/** True where one more request may show the red tests to a model that sees nothing to do. */
const mayRefute = (attempt: Attempt, { settings }: Pick<Ports, 'settings'>): boolean =>
  mayDraw(attempt, { settings }) &&
  !attempt.requests.some(({ rung }) => rung === 'red_tests') &&
  mayTryAgain(attempt, settings)

/** An agent without a change may have given up: its last words say why. */
function whyUnproven({ draft }: Attempt, { strategy }: Ports['settings']): string {
  if (strategy !== 'agent') return 'the model says there is nothing to do, and nothing shows that'
  const said = lastLines(draft?.summary ?? '', 1).join('')
  return `the agent changed nothing${said === '' ? '' : `, and says: ${said}`}`
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
): StepOf<'verify_task'> {
  const failure = failureAt('cannot_run', message, { output, diagnosis })
  return { outcome: 'cannot_run', patch: patchAttempt(state, { failure }) }
}

/** `verify-mode: skip`: claims nothing, and the receipt says why. */
function skipVerification(state: RunState, attempt: Attempt): StepOf<'verify_task'> {
  const notes = ['verification was switched off (verify-mode: skip)', ...reachOf(attempt)]
  const receipt = nothingRun(changesOf(attempt.draft), notes, 'unverified')
  if (!attempt.draft?.claimsDone) {
    return { outcome: 'unverified', patch: patchAttempt(state, { receipt }) }
  }
  const message = 'the model says there is nothing to do, and verification is switched off'
  const failure = failureAt('unproven', message)
  return { outcome: 'unproven', patch: patchAttempt(state, { receipt, failure }) }
}
