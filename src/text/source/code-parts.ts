/** What an index keeps of a text: parts with their lines and words, and the names that it declares. */
import { splitWords } from '../words/words.ts'
import { signatureLines } from './outline.ts'

/** Lines `first` to `last`, 1-based, and the words in them. */
export interface CodePart {
  readonly first: number
  readonly last: number
  /** Words of the declarations. */
  readonly names: string
  readonly words: string
}

export interface Definition {
  readonly name: string
  readonly line: number
}

/** Parts end before a declaration or after an empty line, once they are long enough. */
const shortest = 20
const longest = 60
/** Longer lines are data or minified code. */
const widest = 400
/** Of one text: what follows is rarely written by people. */
const mostLines = 20_000

const isImport = /^\s*(?:import|from|use|using|require\w*|include|package|#include)\b/
const compound = /[\p{L}_$][\p{L}\p{N}_$]*/gu
const declared =
  /\b(?:function\*?|func|fn|fun|def|class|struct|enum|trait|impl|interface|module|namespace|type|const|let|var|static|union|object|record|mod)\s+(?:\([^)]*\)\s*)?(?:self\.)?([\p{L}_$][\p{L}\p{N}_$]*[?!]?)/gu
const called = /^\s*(?:[\w<>,[\]]+\s+)*([\p{L}_$#][\p{L}\p{N}_$]*)\s*(?:<[^>]{0,80}>)?\(/u

export function readCodeParts(
  path: string,
  text: string,
): { readonly parts: readonly CodePart[]; readonly definitions: readonly Definition[] } {
  const lines = text
    .split(/\r?\n/, mostLines)
    .map((line) => (line.length > widest ? line.slice(0, widest) : line))
  const signatures = new Set(
    signatureLines(path, lines).filter((index) => !isImport.test(lines[index] ?? '')),
  )
  const parts: CodePart[] = []
  const definitions: Definition[] = []
  let first = 0
  const close = (end: number) => {
    const own = lines.slice(first, end)
    const names = own.filter((_, offset) => signatures.has(first + offset)).join('\n')
    const words = indexWords(own.join('\n'))
    if (words !== '') parts.push({ first: first + 1, last: end, names: indexWords(names), words })
    first = end
  }
  for (const [index, line] of lines.entries()) {
    const size = index - first
    const isBreak = signatures.has(index) || lines[index - 1] === ''
    if (size >= longest || (size >= shortest && isBreak)) close(index)
    if (!signatures.has(index)) continue
    for (const name of namesDeclared(line)) definitions.push({ name, line: index + 1 })
  }
  close(lines.length)
  return { parts, definitions }
}

function namesDeclared(line: string): readonly string[] {
  const found = [...line.matchAll(declared)].map(([, name = '']) => name)
  if (found.length > 0) return [...new Set(found)]
  const name = called.exec(line)?.[1]
  return name === undefined || /^(?:describe|it|test)$/.test(name) ? [] : [name]
}

/** The words of a text, and each compound name as one word as well: `parseHTML` → parse, html, parsehtml. */
export function indexWords(text: string): string {
  return [...splitWords(text).filter((word) => word.length > 1), ...compoundNames(text)].join(' ')
}

/** `looseEqual` and `loose_equal` → looseequal. */
export function compoundNames(text: string): readonly string[] {
  return (text.match(compound) ?? []).flatMap((name) => {
    const isCompound = /\p{Ll}\p{Lu}|[^_]_[^_]/u.test(name)
    return isCompound && name.length <= 60 ? [name.replaceAll(/[_$]/g, '').toLowerCase()] : []
  })
}
