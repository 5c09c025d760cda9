/** Definitions in a source text, by their indentation: enough to find one, in any language with blocks. */
import { declarationLines } from './outline.ts'

export interface Definition {
  readonly name: string
  /** Indexes of its lines: from the line that names it to the one behind its end. */
  readonly start: number
  readonly end: number
}

const named =
  /\b(?:class|struct|enum|trait|interface|type|const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u
const called = /([\p{L}_$#][\p{L}\p{N}_$]*)\s*(?:<[^(]{0,80}>)?\s*\(/u
const receiver = /^(\s*func)\s*\([^)]*\)\s*/

/** Every definition of a text, outer and inner ones, in their order. */
export function definitionsOf(path: string, lines: readonly string[]): readonly Definition[] {
  return declarationLines(path, lines).flatMap((start) => {
    const line = (lines[start] ?? '').replace(receiver, '$1 ')
    const name = (named.exec(line) ?? called.exec(line))?.[1]
    return name === undefined ? [] : [{ name, start, end: definitionEnd(lines, start) }]
  })
}

/** The index behind a definition: everything that is indented below its first line, and its closing line. */
export function definitionEnd(lines: readonly string[], start: number): number {
  const depth = indentWidth(lines[start] ?? '')
  let end = start + 1
  for (let at = start + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    if (indentWidth(line) > depth) end = at + 1
    // The end of a signature of several lines opens the body.
    else if (/^\s*[)\]}][\s\S]*[:{([]\s*$/.test(line) || /^\s*\{\s*$/.test(line)) end = at + 1
    else return /^\s*(?:[)}\]]|end\b)/.test(line) ? at + 1 : end
  }
  return end
}

export const indentWidth = (line: string): number => line.length - line.trimStart().length
