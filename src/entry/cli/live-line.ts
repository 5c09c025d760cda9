import type { LiveLine } from '../progress/open-progress.ts'

/** Erases from the cursor to the end of the screen. */
const eraseDown = '\u001B[J'

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
    show(line) {
      const clean = redact(line).replaceAll(/[\r\n]/g, ' ')
      if (clean === shown) return
      shown = clean
      stream.write(clean === '' ? eraseDown : `${clean}${eraseDown}\r`)
    },
    writeAbove: (text) =>
      void stream.write(shown === '' ? text : `${eraseDown}${text}${shown}${eraseDown}\r`),
  }
}
