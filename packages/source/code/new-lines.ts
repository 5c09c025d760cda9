/** The 1-based numbers of the lines that `before` lacks. */
export function newLineNumbers(before: string, after: string): ReadonlySet<number> {
  const left = Map.groupBy(before.split('\n'), (line) => line.trim())
  const changed = after.split('\n').flatMap((line, index) => {
    return left.get(line.trim())?.pop() === undefined ? [index + 1] : []
  })
  return new Set(changed)
}
