/** The comment about failed checks of a pull request, which also records that they were handled. */
import type { RunState } from '../../core/domain/run-state.ts'
import type { RedCheck } from '../../core/ports/discussion.ts'
import { neutraliseLine } from '../../text/markdown/neutralise.ts'
import { writeList } from '../../text/markdown/write-markdown.ts'
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
  const [, shas = ''] = /^<!-- executor:handled ((?:[\da-f]{40} ?){1,5})-->$/.exec(second) ?? []
  return { shas: shas.split(' ').filter(Boolean), isUnderWay: third.trim() === underWay }
}

/** @param about `state`: the run that tried to repair them; `null` before it */
export function writeChecksComment({
  red,
  shas,
  id,
  state,
}: {
  readonly red: readonly RedCheck[]
  readonly shas: readonly string[]
  readonly id: string
  readonly state: RunState | null
}): string {
  const names = red.map(({ name }) => `**${neutraliseLine(name)}**`)
  return [
    checksMarker,
    `<!-- executor:handled ${shas.join(' ')} -->`,
    ...(state === null ? [underWay] : []),
    `Checks failed on \`${shas.at(-1)?.slice(0, 7)}\`${names.length === 0 ? '.' : ':'}`,
    ...(names.length === 0 ? [] : ['', writeList(names)]),
    '',
    state === null
      ? 'The executor tries one fix.'
      : writeOutcome(state, [id], 'these failed checks'),
  ].join('\n')
}
