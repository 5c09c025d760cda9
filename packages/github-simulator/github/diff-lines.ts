/** A line of a patch that can have a comment. */
export interface DiffLine {
  /** Its numbers in the old and the new file; `null` in a file that lacks it. */
  readonly LEFT: number | null
  readonly RIGHT: number | null
  /** Lines below the first hunk's header, counting headers. */
  readonly position: number
  /** The hunk up to this line. */
  readonly hunk: string
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** The lines of a file's hunks. */
export function readDiffLines(patch: string): readonly DiffLine[] {
  const found: DiffLine[] = []
  let hunk: string[] = []
  let [left, right] = [0, 0]
  for (const [position, text] of patch.split('\n').entries()) {
    const start = header.exec(text)
    if (start !== null) {
      left = Number(start[1])
      right = Number(start[3])
      hunk = [text]
      continue
    }
    hunk.push(text)
    const sign = text.charAt(0)
    if (sign === '\\') continue
    found.push({
      LEFT: sign === '+' ? null : left++,
      RIGHT: sign === '-' ? null : right++,
      position,
      hunk: hunk.join('\n'),
    })
  }
  return found
}

/** Maps an old line to the new file, given a patch without context; `null` if it changed. */
export function followLine(patch: string, line: number): number | null {
  let moved = 0
  for (const text of patch.split('\n')) {
    const start = header.exec(text)
    if (start === null) continue
    const [from, removed, added] = [Number(start[1]), count(start[2]), count(start[4])]
    // Without removed lines, a hunk follows the line that it names.
    if (line < from || (removed === 0 && line === from)) break
    if (line < from + removed) return null
    moved += added - removed
  }
  return line + moved
}

const count = (text: string | undefined): number => (text === undefined ? 1 : Number(text))
