import { inlineCode, neutraliseLine, paragraphs } from '../../../packages/text/text.ts'
import type { TaskSet } from './workspace-report.ts'

/** Of every set that a pull request belongs to. */
export const setMarker = ({ name }: Pick<TaskSet, 'name'>): string =>
  `<!-- executor:set ${name} -->`

/** Last line of such a comment while an atomic set is merged halfway. */
export const halfwayMarker = '<!-- executor:halfway -->'

/** A pull request of a set, in the order in which they are merged; `url` is `null` while there is none. */
export interface SetPart {
  /** `api:T-1` */
  readonly task: string
  readonly url: string | null
  /** `approved`, or why it is not merged; empty where nothing is known. */
  readonly state: string
}

/** How a set is merged: by the command, or by the App after approvals; `halfway` tells what a failed merge left. */
export type SetMerging =
  | { readonly by: 'command' }
  | { readonly by: 'approvals'; readonly halfway: string | null }

/** The comment by which the pull requests of a set name one another. */
export function writeSetComment(
  set: TaskSet,
  parts: readonly SetPart[],
  merging: SetMerging,
): string {
  const lines = parts.map(({ task, url, state }, at) => {
    const known = state === '' ? '' : ` (${neutraliseLine(state)})`
    return `${at + 1}. ${inlineCode(task)}: ${url ?? 'not done yet'}${known}`
  })
  const halfway = merging.by === 'approvals' ? merging.halfway : null
  return paragraphs([
    `This belongs to the set **${set.name}** of a workspace:`,
    lines.join('\n'),
    halfway === null ? rule(set, merging) : `**${neutraliseLine(halfway)}**\n\n${halfwayMarker}`,
  ])
}

function rule({ name, atomic }: TaskSet, { by }: SetMerging): string {
  if (by === 'command') {
    const how = atomic ? 'Merge all of them or none' : 'Merge them in this order'
    return `${how}: ${inlineCode(`executor workspace merge ${name}`)} does it.`
  }
  return atomic
    ? 'Comment `/approve` on each. Once all are approved and green, the bot merges them in this order, all or none.'
    : 'Comment `/approve` on each. The bot merges them in this order, each once it is approved and green.'
}
