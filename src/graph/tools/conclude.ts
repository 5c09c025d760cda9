import { countOf } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import { attemptOf, failureAt, patchAttempt } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { newLoop, type ToolLoop } from '../../core/domain/tool-loop.ts'
import { mayReflect } from '../../recovery/step/may-reflect.ts'
import type { StepOf } from '../step.ts'
import { hasJustFailed } from './test-change.ts'
import { notRun, type ToolPorts, type ToolResult } from './tool-result.ts'

type Ended = StepOf<'use_tool'>
type Settled = Pick<ToolPorts, 'settings'>

/** A model that only talks, or repeats itself, does not come back to work. */
const mostIdle = 5

const idleCalls = ({ turns }: ToolLoop): number =>
  turns.length - 1 - turns.findLastIndex(({ summary }) => summary !== notRun)

/** Continues the loop after a call, or ends it. */
export function conclude(
  state: RunState,
  { ends, fault, observation, summary }: ToolResult,
  { settings }: Settled,
): Ended {
  const attempt = attemptOf(state)
  const loop = attempt.loop ?? newLoop
  if (ends === 'finished') return finish(state, { settings })
  if (ends !== undefined) return { outcome: ends }
  const { failingChanges, toolCalls } = settings.limits
  // A change that only parses does not end a row of changes whose tests fail.
  if (loop.failingChanges + loop.failedRuns >= failingChanges) {
    const message = `${countOf(failingChanges, 'change')} in a row failed their checks or tests (limits.failing-changes): ${summary}`
    const { problems, broken: failures } = attempt
    return spend(state, failureAt('spent', message, { problems, failures, output: observation }))
  }
  const isIdle = idleCalls(loop) >= mostIdle
  if (isIdle || loop.turns.length >= toolCalls) {
    if ((attempt.draft?.changes ?? []).length > 0) return finish(state, { settings })
    const message = isIdle
      ? `${countOf(mostIdle, 'call')} in a row could not be run`
      : `${countOf(toolCalls, 'tool call')} brought no change (limits.tool-calls)`
    const output = loop.turns.at(-1)?.thought ?? ''
    return spend(state, failureAt('spent', message, { output }))
  }
  const isFailure = fault === 'change' || fault === 'tests'
  return { outcome: isFailure && mayReflect(attempt, settings) ? 'failed_again' : 'observed' }
}

/** Ends the loop with its draft. One whose tests have just failed is repaired, without another test run first. */
function finish(state: RunState, { settings }: Settled): Ended {
  const { loop, destructive, failure, testRepairs } = attemptOf(state)
  if (destructive.length > 0 || !hasJustFailed(loop)) return close('finished', state)
  return testRepairs < settings.limits.testRepairs || failure === null
    ? close('failed', state)
    : spend(state, { ...failure, at: 'spent' })
}

/** No one is asked about operations in a change that failed. */
const spend = (state: RunState, failure: Attempt['failure']): Ended =>
  close('spent', state, { failure, destructive: [] })

function close(
  outcome: Ended['outcome'],
  state: RunState,
  change: Parameters<typeof patchAttempt>[1] = {},
): Ended {
  const loop = { ...(attemptOf(state).loop ?? newLoop), isOpen: false }
  return { outcome, patch: patchAttempt(state, { loop, ...change }) }
}
