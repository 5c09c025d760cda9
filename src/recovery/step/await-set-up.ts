import { type Diagnosis, isKnownTool, lastLines } from '../../../packages/diagnosis/diagnosis.ts'
import { openBaseline } from '../../../packages/judge/judge.ts'
import { noteErrors, type StatePatch } from '../../core/domain/change-state.ts'
import type { RunError, RunState } from '../../core/domain/run-state.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Model } from '../../core/ports/model.ts'
import type { Ports } from '../../core/ports.ts'

interface Ended {
  readonly outcome: 'not_prepared'
  readonly patch: StatePatch
}

/** Last lines of an installer's output that a person is shown. */
const mostLines = 10

type Needs = Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock'>
type Baseline = Awaited<ReturnType<typeof openBaseline>>
type Verification = Awaited<ReturnType<Baseline['result']>>

/** In seconds. A set-up that takes longer does not delay the news of a refused key. */
const moment = 1

/** @throws ExecutorError `model_rejected` as soon as the endpoint refuses the key */
async function whileKeyHolds<T>(
  setUp: Promise<T>,
  tryKey: NonNullable<Model['tryKey']>,
  clock: Clock,
): Promise<T> {
  const isQuick = await Promise.race([
    setUp.then(() => true),
    clock.sleep(moment).then(() => false),
  ])
  return isQuick ? setUp : Promise.race([setUp, tryKey().then(() => setUp)])
}

/**
 * Starts the baseline and, once in a run, waits before the first model request until the tests' dependencies are
 * installed, or until the tests have ended where the last run found some red. Checks first for the cause that ended the
 * last run, and for faults that tests of an earlier task have shown meanwhile. `null`: the step continues; otherwise the
 * run ends, and no task is charged.
 *
 * @param tryKey asks the endpoint beside a long set-up; absent for a program that has a key of its own
 * @throws ExecutorError `model_rejected` for a key that the endpoint refuses
 */
export async function awaitSetUp(
  state: RunState,
  start: Parameters<typeof openBaseline>[0],
  ports: Needs,
  tryKey?: Model['tryKey'],
): Promise<Ended | null> {
  const { stuck, awaitsTests = false } = state.progress
  const baseline = await openBaseline(start, ports)
  const begun = baseline.start().then(async ({ found: known, isFirst }) => {
    const awaited = known ?? (isFirst && awaitsTests ? await baseline.result() : null)
    return { found: awaited, isFirst }
  })
  const { found, isFirst } = await (tryKey ? whileKeyHolds(begun, tryKey, ports.clock) : begun)
  const isPrepared = found === null || found.status === 'verified'
  const looksAgain = isFirst && isPrepared && stuck !== undefined
  const isStuck = looksAgain && (await baseline.isStillSo(stuck))
  const error = (() => {
    if (isStuck) return stillSo(stuck)
    return found === null ? null : cannotStart(found, baseline, start, ports)
  })()
  if (error === null) return null
  return { outcome: 'not_prepared', patch: { ...noteErrors(state, error), attempt: null } }
}

const stillSo = ({ message, install }: Diagnosis): RunError => ({
  code: 'still_so',
  message: `The cause that ended the last run persists, so no model was asked: ${message}`,
  next: `${install === null ? 'Fix that' : `Install it: ${install}`} and run it again. ${goesOn}`,
  taskId: null,
})

const goesOn = 'Set verify-mode: skip to run without tests.'

function cannotStart(
  found: Verification,
  baseline: Baseline,
  { task }: Parameters<typeof openBaseline>[0],
  { settings }: Pick<Ports, 'settings'>,
): RunError | null {
  if (found.status === 'not_prepared') {
    const { reason, output, error } = found
    return notPrepared(reason, error.program === null ? output : '', 'Fix that')
  }
  const { kind, message, lacks, install } = baseline.whyBlocked(found) ?? {}
  // Other tasks may not need the missing part, and a wrong line in the configuration may be corrected.
  const isWrong = settings.verify.testCommand !== null && !isKnownTool(lacks ?? '')
  if (kind !== 'set-up' || message === undefined || task.verify !== null || isWrong) return null
  const [red] = found.report.commands.filter(({ exitCode }) => exitCode !== 0)
  const help = install == null ? 'Fix that' : `Install it: ${install}`
  return notPrepared(message, red?.tail ?? '', help)
}

function notPrepared(reason: string, output: string, help: string): RunError {
  const said = lastLines(output, mostLines).join('\n')
  return {
    code: 'not_prepared',
    message: `The tests cannot run on the unchanged code, so no model was asked. ${reason}`,
    ...(said === '' ? {} : { output: said }),
    next: `${help} and run it again. ${goesOn}`,
    taskId: null,
  }
}
