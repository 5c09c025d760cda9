import { wrapAnsi } from 'fast-wrap-ansi'
import { columnsOf } from '../progress/draw-line.ts'

/** On a narrower terminal, the terminal itself breaks lines. */
const leastColumns = 20

/**
 * Wraps lines at words, with a hanging indent of two columns. A word wider than the terminal, such as a URL, stays whole so
 * that you can copy it.
 *
 * @param columns width of the terminal; `undefined` or 0 when unknown
 */
export function wrapWords(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < leastColumns) return text
  return text
    .split('\n')
    .map((line) => {
      if (line.length < columns || columnsOf(line) <= columns) return line
      const indent = /^ */.exec(line)?.[0] ?? ''
      const hanging = indent.length + 2 > columns / 2 ? '' : `${indent}  `
      const wrapped = wrapAnsi(line.trimStart(), columns - hanging.length)
      return indent + wrapped.replaceAll('\n', `\n${hanging}`)
    })
    .join('\n')
}
