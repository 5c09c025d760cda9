import { neutraliseLine } from '../../../packages/text/text.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { Report } from './build-report.ts'

export const verdictText = (verdict: string): string => verdict.replaceAll('_', ' ')

/** `[#7](https://…)`; empty without a pull request. */
export const linkTo = (pullRequest: TaskResult['pullRequest'] | undefined): string =>
  pullRequest ? `[#${pullRequest.number}](${pullRequest.url})` : ''

/** `: reason`, to append to a statement; empty without a reason. */
export const because = (reason: string | undefined): string =>
  reason ? `: ${neutraliseLine(reason)}` : ''

/** `$0.0123`, `at least $0.0123`; `unknown` for a `null` price. */
export const describeDollars = (dollars: number | null, isPartial = false): string =>
  dollars === null ? 'unknown' : `${isPartial ? 'at least ' : ''}$${dollars.toFixed(4)}`

/** The cost of a run among other figures. */
export const describeCost = ({ cost, isCostPartial }: Pick<Report, 'cost' | 'isCostPartial'>) =>
  cost === null ? 'cost unknown' : describeDollars(cost, isCostPartial)

/** Says why a report lists no task. */
export function describeNoTasks({ unfinished, errors }: Pick<Report, 'unfinished' | 'errors'>) {
  if (unfinished !== null) return `${unfinished} was started, but no task is finished yet.`
  return errors.length === 0 ? 'There was nothing to do.' : 'No task was started.'
}

/** What a person can do about a task that is not done, in a sentence; empty when there is nothing to do. */
export function nextStep(
  verdict: string,
  pullRequest: { readonly number: number } | null,
  overtaken?: unknown,
): string {
  if (overtaken !== undefined) return 'Take theirs, ours or both by hand: the commands are below.'
  const answers = '`/retry`, `/rewrite`, `/decompose` or `/skip`'
  switch (verdict) {
    case 'failed':
      return pullRequest === null
        ? 'Reword the task, or name its id in the next run to try it again.'
        : `Answer in #${pullRequest.number}: ${answers}.`
    case 'unverified':
      return 'Try it yourself before you merge it: no test covers it.'
    case 'deferred':
      return 'The next run retries it.'
    case 'waiting':
      return pullRequest === null
        ? 'Run the same command at a terminal to answer.'
        : `Answer in #${pullRequest.number}: \`/approve\` or \`/reject\`, or one of the other commands there.`
    default:
      return ''
  }
}
