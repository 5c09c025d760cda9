import { countOf, neutraliseLine, writeList } from '../../../packages/text/text.ts'
import { describeOperation } from '../../publish/rollback/operations.ts'
import { done, type Handler, loginText, refused } from '../pass.ts'
import { type DoneOperation, planRollback, rollBack } from '../rollback/roll-back.ts'

/**
 * `/rollback`: closes the task's open pull request and reverts our commits on its branch, or proposes a pull request that
 * reverts the merged ones. Refuses while other tasks build on it, unless the author names them, too.
 */
export const undo: Handler = async ({ command, remark, target }, _, { ports }) => {
  const withDependents = command.name === 'rollback' && command.withDependents
  const { id } = target
  const plan = await planRollback({ target: id, newest: null, withDependents }, ports)
  const { dependents, leftAlone, operations } = plan
  if (dependents.length > 0 && !withDependents) {
    const names = dependents.map(({ task }) => `**${task}**`).join(', ')
    return refused(
      `${countOf(dependents.length, 'task')} ${dependents.length === 1 ? 'builds' : 'build'} on **${id}**: ${names}. \`/rollback with-dependents\` reverts that, too.`,
    )
  }
  const warnings: string[] = []
  const results = await rollBack(plan, ports, undefined, (warning) => warnings.push(warning))
  const more = [...leftAlone, ...warnings].map(neutraliseLine)
  if (operations.length === 0) {
    const words = `Nothing of **${id}** is left to revert.`
    return done(more.length === 0 ? words : `${words}\n\n${writeList(more)}`, true)
  }
  const head = `Rolled back **${id}** for ${loginText(remark.author)}. The task is open again, and the next run works on it; \`/reject\` lets it rest.`
  return done(`${head}\n\n${writeList([...results.map(describeDone), ...more])}`, true)
}

function describeDone({ operation, outcome, detail }: DoneOperation): string {
  const words = describeOperation(operation)
  const said = outcome === 'done' ? words : `not done: ${words}`
  return neutraliseLine(detail === '' ? said : `${said}: ${detail}`)
}
