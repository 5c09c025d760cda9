/** The comment about failed checks of a pull request, which also records that they were handled. */

import { neutraliseLine, writeList } from '../../../packages/text/text.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { RedCheck } from '../../core/ports/discussion.ts'
import { writeOutcome } from './write-replies.ts'

export const checksMarker = '<!-- executor:checks -->'
const underWay = '<!-- executor:under-way -->'

export interface Handled {
  /** The commits whose failed checks were handled, oldest first. */
  readonly shas: readonly string[]
  /** The repair of the last one has not ended. */
  readonly isUnderWay: boolean
}

/** Reads one of our comments. */
export function readHandled(body: string): Handled {
  const [, second = '', third = ''] = body.slice(0, 500).split(/\r?\n/, 3)
  const [, shas = ''] =
    /^<!-- executor:handled ((?:(?:[\da-f]{40}|[\da-f]{64}) ){1,5})-->$/.exec(second) ?? []
  return { shas: shas.split(' ').filter(Boolean), isUnderWay: third.trim() === underWay }
}

export interface ChecksComment {
  readonly red: readonly RedCheck[]
  /** The commits whose failed checks were handled, this one last. */
  readonly shas: readonly string[]
  /** Id of the task. */
  readonly id: string
  /** The run that tried to repair them; `null` before it, `lost` when no one knows its end. */
  readonly end: RunState | 'lost' | null
}

export function writeChecksComment({ red, shas, id, end }: ChecksComment): string {
  const names = red.map(({ name }) => `**${neutraliseLine(name)}**`)
  return [
    checksMarker,
    `<!-- executor:handled ${shas.join(' ')} -->`,
    ...(end === null ? [underWay] : []),
    `Checks failed on \`${shas.at(-1)?.slice(0, 7)}\`${names.length === 0 ? '.' : ':'}`,
    ...(names.length === 0 ? [] : ['', writeList(names)]),
    '',
    writeEnd(end, id),
  ].join('\n')
}

function writeEnd(end: ChecksComment['end'], id: string): string {
  if (end === null) return 'The executor tries one fix.'
  return end === 'lost'
    ? 'The executor tried a fix and was interrupted. `/revise <what to change>` starts another attempt.'
    : writeOutcome(end, [id], 'these failed checks')
}
