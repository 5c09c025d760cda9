import { trailer } from '../domain/identity.ts'
import type { Amendment, Attempt } from '../domain/run-state.ts'
import type { Settings } from '../domain/settings.ts'
import { fenced, neutralise, neutraliseTitle } from '../safety/neutralise.ts'
import { writeTitle } from './write-commit-message.ts'

/** The words of a recovery: its commit, and its pull request. */
export function writeRecovery(
  { task, failure, number }: Attempt,
  { strategy, reason, tasks }: Amendment,
  run: { readonly runId: string },
  settings: Pick<Settings, 'commit'>,
): { readonly title: string; readonly body: string; readonly commit: string } {
  const verb = strategy === 'DECOMPOSE' ? 'Split' : 'Rewrite'
  const commit = { ...settings.commit, title: `[Agent] ${verb} {id}: {title}` }
  const title = writeTitle(task, { commit })
  const ids = tasks.map(({ id }) => id)
  const listed = tasks.map(({ id, title: words }) => `- **${id}** ${neutralise(words)}`)
  const body = [
    `**${task.id}** could not be done as it stands (${reason}). ${verb === 'Split' ? 'These tasks take its place' : 'It now reads'}:`,
    listed.join('\n'),
    'Merging this changes the roadmap and nothing else. Work on the new tasks is stacked on this branch.',
    failure === null ? '' : `Why it failed:\n\n${fenced(failure.message)}`,
  ]
  const trailers = [
    `${trailer.run}: ${run.runId}`,
    `${trailer.task}: ${task.id}`,
    `${trailer.attempt}: ${number}`,
    `${trailer.fingerprint}: ${task.fingerprint}`,
    `${trailer.outcome}: replaced`,
  ]
  return {
    title,
    body: body.filter((part) => part !== '').join('\n\n'),
    commit: `${title}\n\n${task.id}: ${neutraliseTitle(task.title)}\nNow: ${ids.join(', ')}\n\n${trailers.join('\n')}\n`,
  }
}
