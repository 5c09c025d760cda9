interface Placed {
  readonly type: string
  readonly message: string
  readonly line: number
}

/** A text and what was found in it. */
export interface Checked<P extends Placed> {
  readonly text: string
  readonly problems: readonly P[]
}

/**
 * The problems that a change brought in. One the old text already had has the same message (figures
 * aside) on a line that reads the same; where several lines read so, it also keeps its distance from
 * the file's start or end.
 */
export function broughtIn<P extends Placed>(now: Checked<P>, before: Checked<P>): readonly P[] {
  if (before.problems.length === 0) return now.problems
  const lines = readLines(now.text)
  const oldLines = readLines(before.text)
  const isOld = (problem: P) =>
    before.problems.some((old) => {
      if (old.type !== problem.type || gist(old.message) !== gist(problem.message)) return false
      const oldLine = oldLines[old.line - 1] ?? ''
      if (oldLine !== (lines[problem.line - 1] ?? '')) return false
      const samePlace =
        old.line === problem.line || oldLines.length - old.line === lines.length - problem.line
      return samePlace || oldLines.indexOf(oldLine) === oldLines.lastIndexOf(oldLine)
    })
  return now.problems.filter((problem) => !isOld(problem))
}

/** Messages quote line numbers, which an unrelated edit above shifts. */
function gist(message: string): string {
  return message.replace(/\d+/g, '#')
}

function readLines(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trim())
}
