import { neutraliseLine, writeList } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { describeOperation, type Operation } from '../../publish/rollback/operations.ts'
import { planRollback, rollBack } from '../../runs/rollback/roll-back.ts'
import type { Session } from '../compose/compose.ts'
import type { JobRunner } from './runner.ts'

/**
 * `command: rollback`: reverts the work of one task or run, and lists it in the job summary. Fails the step if something
 * is left. A dry run only lists it.
 *
 * @throws ExecutorError `bad_usage` while other tasks build on the work, `unknown_task`, `unknown_run`
 */
export async function rollBackTask(
  target: string,
  { ports }: Session,
  { runner, dryRun }: { readonly runner: JobRunner; readonly dryRun: boolean },
): Promise<number> {
  const plan = await planRollback({ target, newest: null, withDependents: false }, ports)
  if (plan.dependents.length > 0) {
    const names = plan.dependents.map(({ task }) => task).join(', ')
    throw new ExecutorError(
      'bad_usage',
      `These tasks build on ${plan.target}: ${names}. Roll them back first, or comment /rollback with-dependents on its pull request.`,
    )
  }
  const lines: string[] = []
  const say = (line: string) => {
    lines.push(neutraliseLine(line))
    runner.say(line)
  }
  if (plan.operations.length === 0) say(`Nothing of ${plan.target} is left to revert.`)
  for (const each of plan.leftAlone) say(`left alone: ${each}`)
  const show = (outcome: string, operation: Operation, detail: string) =>
    say([outcome, describeOperation(operation), detail].filter(Boolean).join(': '))
  if (dryRun) for (const each of plan.operations) show('planned', each, '')
  const done = dryRun
    ? []
    : await rollBack(
        plan,
        ports,
        ({ operation, outcome, detail }) => show(outcome, operation, detail),
        (warning) => runner.annotate('warning', warning),
      )
  await runner.summarise(`## Rollback of ${neutraliseLine(plan.target)}\n\n${writeList(lines)}\n`)
  const left = done.filter(({ outcome }) => outcome === 'left').length
  if (left > 0) runner.fail(`${left} of ${done.length} operations are left; see the job summary.`)
  return left > 0 ? 1 : 0
}
