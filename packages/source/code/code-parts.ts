/** What an index keeps of a text: parts with their lines and words. */
import { identifiersIn, splitWords } from '../../text/text.ts'
import { declarationLines } from './outline.ts'

/** Lines `first` to `last`, 1-based, and the words in them. */
export interface CodePart {
  readonly first: number
  readonly last: number
  /** Words of the declarations. */
  readonly names: string
  readonly words: string
}

/** Parts end before a declaration or after an empty line, once they are long enough. */
const shortest = 20
const longest = 60
/** Longer lines are data or minified code. */
const widest = 400
/** Of one text: what follows is rarely written by people. */
const mostLines = 20_000

export function readCodeParts(path: string, text: string): readonly CodePart[] {
  const lines = text
    .split(/\r?\n/, mostLines)
    .map((line) => (line.length > widest ? line.slice(0, widest) : line))
  const declared = new Set(declarationLines(path, lines))
  const parts: CodePart[] = []
  let first = 0
  const close = (end: number) => {
    const own = lines.slice(first, end)
    const names = own.filter((_, offset) => declared.has(first + offset)).join('\n')
    const words = indexWords(own.join('\n'))
    if (words !== '') parts.push({ first: first + 1, last: end, names: indexWords(names), words })
    first = end
  }
  for (const index of lines.keys()) {
    const size = index - first
    const isBreak = declared.has(index) || lines[index - 1] === ''
    if (size >= longest || (size >= shortest && isBreak)) close(index)
  }
  close(lines.length)
  return parts
}

/** The words of a text, and each compound name as one word as well: `parseHTML` → parse, html, parsehtml. */
export const indexWords = (text: string): string =>
  [...splitWords(text).filter((word) => word.length > 1), ...compoundNames(text)].join(' ')

/** `looseEqual` and `loose_equal` → looseequal. */
export const compoundNames = (text: string): readonly string[] =>
  identifiersIn(text).flatMap((name) => {
    const isCompound = /\p{Ll}\p{Lu}|[^_]_[^_]/u.test(name)
    return isCompound && name.length <= 60 ? [name.replaceAll(/[_$]/g, '').toLowerCase()] : []
  })
