import { type Definition, definitionsOf, indentWidth } from '../../source/source.ts'
import { linesOf, textOfLines } from './text-lines.ts'

/** An import that a sent function brings along. */
const isImport = /^(?:import|from|use|using|#include)\b|^(?:const|let|var)\b.*\brequire\(/

/**
 * Puts the functions of an answer in place of those of the same name in a file, new ones before the first of them, and
 * missing imports above. `null` when the answer does not consist of functions, when none of them is in the file, or when
 * the file has a name more than once: then it is not certain what was meant.
 *
 * @param path decides the language
 * @param part the functions alone, each complete
 */
export function spliceFunctions(path: string, text: string, part: string): string | null {
  const [lines, sent] = [linesOf(text), linesOf(part)]
  const outer = outermost(definitionsOf(path, sent))
  const rest = sent.filter(
    (line, at) => line.trim() !== '' && !outer.some(({ start, end }) => start <= at && at < end),
  )
  const imports = rest.filter((line) => isImport.test(line) && !lines.includes(line))
  if (outer.length === 0 || rest.some((line) => !isImport.test(line) && !isAside(line))) return null
  const known = definitionsOf(path, lines)
  const places = outer.map((each) => known.filter(({ name }) => name === each.name))
  if (places.some(({ length }) => length > 1)) return null
  const first = places.flat().toSorted((a, b) => a.start - b.start)[0]
  if (first === undefined) return null
  const edits = outer.map((each, index) => {
    const place = places[index]?.[0]
    const own = indented(
      sent.slice(each.start, each.end),
      indentWidth(lines[(place ?? first).start] ?? ''),
    )
    return place === undefined
      ? { start: first.start, end: first.start, lines: [...own, ''] }
      : { start: place.start, end: place.end, lines: own }
  })
  const spliced = edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce<readonly string[]>(
      (now, edit) => now.toSpliced(edit.start, edit.end - edit.start, ...edit.lines),
      lines,
    )
  const at = Math.max(
    0,
    spliced.findIndex((line) => isImport.test(line)),
  )
  return textOfLines(spliced.toSpliced(at, 0, ...imports))
}

/** A decorator, a comment or the name of a file: the file's own stay. */
const isAside = (line: string): boolean => /^\s*(?:@|#|\/\/|\/?\*|\.\.\.\s*$)/.test(line)

const outermost = (all: readonly Definition[]): readonly Definition[] =>
  all.filter((each) => !all.some(({ start, end }) => start < each.start && each.end <= end))

/** The lines of a function, moved to this depth. */
function indented(lines: readonly string[], depth: number): readonly string[] {
  const more = depth - indentWidth(lines[0] ?? '')
  if (more === 0) return lines
  return lines.map((line) => {
    if (line.trim() === '') return line
    return more > 0 ? `${' '.repeat(more)}${line}` : line.slice(Math.min(-more, indentWidth(line)))
  })
}
