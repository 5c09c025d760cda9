import { readEvent } from '../../runs/triggers/read-event.ts'
import type { Trigger } from '../../runs/triggers/trigger.ts'
import type { ActionInputs } from '../config/action-inputs.ts'

/** What this job is for: to look only, or to serve what the event asks for. */
export type Purpose =
  | { readonly kind: 'look'; readonly command: 'plan' | 'report' }
  | { readonly kind: 'lint'; readonly onlyChanged: boolean }
  | { readonly kind: 'serve'; readonly trigger: Trigger }
  | { readonly kind: 'nothing'; readonly reason: string }

/**
 * The event, as far as the `command` input leaves it to the event. A pull request's code is a stranger's:
 * of one that is open, only the roadmap is looked at, whatever was asked.
 */
export function findPurpose(
  { command, task }: Pick<ActionInputs, 'command' | 'task'>,
  event: { readonly name: string; readonly payload: unknown },
): Purpose {
  const asked = readEvent(event.name, event.payload)
  if (event.name === 'pull_request' && asked.kind !== 'reconcile') {
    const isLint = asked.kind === 'lint' && (command === 'auto' || command === 'lint')
    return isLint
      ? { kind: 'lint', onlyChanged: command === 'auto' }
      : { kind: 'nothing', reason: 'of a pull request, only the roadmap is looked at' }
  }
  switch (command) {
    case 'plan':
    case 'report':
      return { kind: 'look', command }
    case 'lint':
      return { kind: 'lint', onlyChanged: false }
    case 'reconcile':
      return { kind: 'serve', trigger: { kind: 'reconcile' } }
    case 'run':
      if (task === null && asked.kind === 'run' && asked.only === null) break
      return { kind: 'serve', trigger: { kind: 'run', only: task === null ? null : [task] } }
    default:
      break
  }
  if (asked.kind === 'ignored') return { kind: 'nothing', reason: asked.reason }
  return asked.kind === 'run' && task !== null
    ? { kind: 'serve', trigger: { kind: 'run', only: [task] } }
    : { kind: 'serve', trigger: asked }
}
