import { structuredPatch } from 'diff'
import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
  type Refusal,
} from '../../core/domain/change-set.ts'
import type { Terminal } from './terminal.ts'

/** More differences than this in one file are counted roughly, and not drawn. */
const mostDifferences = 4_000

/** What an answer would change, for a person: a diff of each file, and what could not be used. */
export function showApplied(
  outcome: {
    readonly changes: ChangeSet
    readonly refused: readonly Refusal[]
    readonly notes: readonly string[]
    readonly write: boolean
  },
  terminal: Terminal,
): void {
  const { changes, refused, notes, write } = outcome
  for (const change of changes) showChange(change, terminal)
  for (const { path, reason, excerpt } of refused) {
    const where = path === '' ? '' : `${visible(path)}: `
    terminal.say(`${terminal.paint('red', 'refused')} ${where}${visible(reason)}`)
    if (excerpt !== '') terminal.say(terminal.paint('dim', indented(visible(excerpt))))
  }
  for (const note of notes) terminal.say(`${terminal.paint('yellow', 'note')} ${visible(note)}`)
  terminal.say(conclusion(changes.length, refused.length, write))
}

function conclusion(files: number, refused: number, write: boolean): string {
  const count = files === 1 ? '1 file' : `${files} files`
  if (refused > 0) {
    const parts = refused === 1 ? '1 part' : `${refused} parts`
    return `${count} could be changed, ${parts} refused${write ? '; nothing was written' : ''}.`
  }
  if (files === 0) return 'The answer changes nothing.'
  return write ? `${count} changed.` : `${count} would be changed. --write does it.`
}

function showChange(change: FileChange, terminal: Terminal): void {
  const patch = structuredPatch(
    '',
    '',
    contentBefore(change) ?? '',
    contentAfter(change) ?? '',
    '',
    '',
    {
      context: 3,
      maxEditLength: mostDifferences,
    },
  )
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines) ?? []
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  const size = patch === undefined ? 'too much to show' : `+${count('+')} -${count('-')}`
  terminal.say(`${terminal.paint('bold', `${change.action} ${visible(change.path)}`)}  ${size}`)
  for (const { oldStart, oldLines, newStart, newLines, lines: body } of patch?.hunks ?? []) {
    const header = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`
    terminal.say(terminal.paint('cyan', header))
    for (const line of body) terminal.say(painted(visible(line), terminal))
  }
}

function painted(line: string, terminal: Terminal): string {
  if (line.startsWith('+')) return terminal.paint('green', line)
  return line.startsWith('-') ? terminal.paint('red', line) : line
}

/** A model's text steers no terminal. */
function visible(text: string): string {
  return text.replace(/\r$/gm, '').replace(/[^\P{Cc}\t\n]/gu, '\u{FFFD}')
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}
