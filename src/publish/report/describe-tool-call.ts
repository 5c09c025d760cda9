import { clip, oneLine, parseJson } from '../../../packages/text/text.ts'
import type { ToolTurn } from '../../core/domain/tool-loop.ts'

/** In characters. */
const longestInput = 120

/** A tool call in a few words, not neutralised: `grep "total" src`. */
export function describeToolCall({ tool, input }: Pick<ToolTurn, 'tool' | 'input'>): string {
  if (tool === '') return 'no tool'
  return tool === 'write_diff' || tool === 'done' ? tool : `${tool}${describeInput(input)}`
}

/** The values of the arguments; what a call searches for, in quotes. */
function describeInput(input: string): string {
  const value = parseJson(input)
  const given = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const said =
    given.length > 0 || input === '{}'
      ? given
          .map(([name, each]: [string, unknown]) =>
            isSought.has(name) || typeof each === 'object' ? JSON.stringify(each) : String(each),
          )
          .join(' ')
      : input
  const words = oneLine(said)
  return words === '' ? '' : ` ${clip(words, longestInput)}`
}

const isSought: ReadonlySet<string> = new Set(['words', 'expression', 'query', 'pattern'])
