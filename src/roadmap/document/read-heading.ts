import { plainWords, visibleText } from '../../text/markdown/inline-text.ts'
import type { Block } from './parse-shape.ts'

export interface Heading {
  readonly line: number
  readonly depth: number
  readonly title: string
  /** `2` of "Phase 2: Title". */
  readonly phase: string | null
  /** `1.2` of "1.2 Title". */
  readonly section: string | null
}

const phaseNumber = /\bphase\s+(\d+(?:\.\d+)*)/i
const dottedNumber =
  /^[^\p{L}\p{N}]*(?:(?:section|task|step|milestone)\s+)?(\d+(?:\.\d+)+)(?![\p{L}\d])/iu

export function readHeading(block: Block, lines: readonly string[]): Heading {
  const title = headingTitle(block, lines)
  return {
    line: block.line,
    depth: block.depth,
    title,
    phase: phaseNumber.exec(title)?.[1] ?? null,
    section: dottedNumber.exec(title)?.[1] ?? null,
  }
}

function headingTitle(block: Block, lines: readonly string[]): string {
  const first = (lines[block.line - 1] ?? '').slice(block.column - 1)
  const underlined = block.endLine > block.line
  const text = underlined
    ? [first, ...lines.slice(block.line, block.endLine - 1)].join('\n')
    : first.replace(/^#{1,6}/, '').replace(/[ \t]#+[ \t]*$/, '')
  return plainWords(visibleText(text))
}
