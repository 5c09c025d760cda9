import type { RunState } from '../../core/domain/run-state.ts'
import type { NodeName } from '../../core/domain/steps.ts'
import type { WatchedCall } from '../observe/watch-ports.ts'
import { describeCall, describeInside, describeStep, formatSeconds } from './describe-activity.ts'
import { type FollowedCall, followCommand, followModel } from './follow-call.ts'

/** The work of a run at a point in time. */
export interface Activity {
  /** `T-1 running the tests (npm test)`. */
  readonly label: string
  /** `12 s`, `340 tokens`, `28 tokens/s`; the seconds come first. */
  readonly figures: readonly string[]
  /** The last line of a command's output; empty when there is none. */
  readonly output: string
}

/** Follows the steps and calls of a run; times are seconds of one clock. */
export interface FollowedRun {
  beginStep(node: NodeName, state: RunState, at: number): void
  endStep(at: number): void
  beginCall(call: WatchedCall, at: number): FollowedCall
  endCall(call: FollowedCall): void
  /** True between two steps. */
  isIdle(): boolean
  /** `null` while a person answers a question: then only the question is visible. */
  activity(at: number): Activity | null
}

export function followRun(redact: (text: string) => string, began: number): FollowedRun {
  const calls = new Set<FollowedCall>()
  const ready = 'getting ready'
  let step = { task: '', words: ready, began }
  /** The oldest call of this kind: tests start before the commands that check those tests. */
  const first = (kind: WatchedCall['kind']): FollowedCall | undefined =>
    [...calls].find(({ call }) => call.kind === kind)
  return {
    beginStep(node, state, at) {
      const id = state.attempt?.task.id
      step = { task: id === undefined ? '' : `${id} `, words: describeStep(node, state), began: at }
    },
    endStep(at) {
      step = { task: '', words: ready, began: at }
    },
    isIdle: () => step.words === ready,
    beginCall(call, at) {
      const follow = call.kind === 'model' ? followModel : followCommand
      const followed = follow(call, at, redact)
      calls.add(followed)
      return followed
    },
    endCall: (call) => void calls.delete(call),
    activity(at) {
      if (first('person') !== undefined) return null
      const command = first('command')
      const installer = command?.call.name.endsWith('prepare_dependencies') ? command : undefined
      const own = first('model') ?? installer
      if (own !== undefined) {
        const figures = [formatSeconds(at - own.began), ...own.figures(at)]
        return { label: step.task + describeCall(own.call), figures, output: own.lastLine(at) }
      }
      const figures = [formatSeconds(at - step.began), ...(command?.figures(at) ?? [])]
      const call = command ?? first('git') ?? first('forge')
      const label = `${step.task}${step.words}${call === undefined ? '' : describeInside(call.call)}`
      return { label, figures, output: command?.lastLine(at) ?? '' }
    },
  }
}
