import { inlineCode, paragraphs } from '../../text/markdown/write-markdown.ts'
import type { TaskSet } from './workspace-report.ts'

/** Of every set that a pull request belongs to. */
export const setMarker = ({ name }: Pick<TaskSet, 'name'>): string =>
  `<!-- executor:set ${name} -->`

/** A pull request of a set, in the order in which they are merged; `url` is `null` while there is none. */
export interface SetPart {
  /** `api:T-1` */
  readonly task: string
  readonly url: string | null
}

/** The comment by which the pull requests of a set name one another. */
export function writeSetComment({ name, atomic }: TaskSet, parts: readonly SetPart[]): string {
  const lines = parts.map(
    ({ task, url }, at) => `${at + 1}. ${inlineCode(task)}: ${url ?? 'not done yet'}`,
  )
  const rule = atomic ? 'Merge all of them or none' : 'Merge them in this order'
  return paragraphs([
    `This belongs to the set **${name}** of a workspace:`,
    lines.join('\n'),
    `${rule}: ${inlineCode(`executor workspace merge ${name}`)} does it.`,
  ])
}
