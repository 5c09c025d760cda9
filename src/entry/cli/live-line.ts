import type { LiveLine } from '../progress/open-progress.ts'

/** Erases from the cursor to the end of the screen. */
const eraseDown = '\u001B[J'

/** More tasks at a time than these are not shown: the lines must fit on the screen. */
const mostLines = 12

/** The lines, and the cursor at the start of the first. */
function drawn(lines: string): string {
  const more = lines.split('\n').length - 1
  return `${lines}${eraseDown}\r${more === 0 ? '' : `\u001B[${more}A`}`
}

type Stream = Pick<NodeJS.WriteStream, 'write' | 'columns'>

/**
 * Opens a line at the bottom of a terminal that can be redrawn. The cursor rests at the start of the line: erasing from
 * there removes the line even after a resize has wrapped it, and nothing above it. A killed program leaves nothing to undo.
 */
export function openLiveLine(
  stream: Stream,
  redact: (text: string) => string,
): LiveLine & {
  /** Writes lines above the live line. */
  writeAbove(text: string): void
} {
  let shown = ''
  return {
    width: () => stream.columns ?? 0,
    show(...lines) {
      const clean = lines
        .slice(0, mostLines)
        .map((line) => redact(line).replaceAll(/[\r\n]/g, ' '))
        .join('\n')
      if (clean === shown) return
      const isHigher = shown.includes('\n')
      shown = clean
      stream.write(clean === '' ? eraseDown : `${isHigher ? eraseDown : ''}${drawn(clean)}`)
    },
    writeAbove: (text) =>
      void stream.write(shown === '' ? text : `${eraseDown}${text}${drawn(shown)}`),
  }
}
