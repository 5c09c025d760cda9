/** The comment that tells what the executor did about red checks of a pull request. */
import type { RunState } from '../../core/domain/run-state.ts'
import type { RedCheck } from '../../core/ports/discussion.ts'
import { neutraliseLine } from '../../text/markdown/neutralise.ts'
import { writeList } from '../../text/markdown/write-markdown.ts'
import { writeOutcome } from './write-replies.ts'

export const checksMarker = '<!-- executor:checks -->'

/** The commits whose red checks were handled, in one of our comments. */
export function readHandled(body: string): readonly string[] {
  const second = body.slice(0, 500).split(/\r?\n/, 2)[1] ?? ''
  const [, shas = ''] = /^<!-- executor:handled ((?:[\da-f]{40} ?){1,5})-->$/.exec(second) ?? []
  return shas.trim() === '' ? [] : shas.trim().split(' ')
}

/**
 * @param handled the commits whose checks were handled, this one last
 * @param state the run that tried to repair them
 */
export function writeChecksComment(
  red: readonly RedCheck[],
  handled: readonly string[],
  id: string,
  state: RunState,
): string {
  const sha = handled.at(-1) ?? ''
  const names = red.map(({ name }) => `**${neutraliseLine(name)}**`)
  return [
    checksMarker,
    `<!-- executor:handled ${handled.join(' ')} -->`,
    `Checks of \`${sha.slice(0, 7)}\` are red, though the tests pass on the executor's machine:`,
    '',
    writeList(names),
    '',
    writeOutcome(state, [id], 'the checks'),
  ].join('\n')
}
