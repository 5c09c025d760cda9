const headers =
  /^(?:diff --git \S|@@+\s*-\d|@@(?: .*)?$|--- (?:a\/|\/dev\/null)|\*\*\*\s+(?:Begin Patch|(?:Update|Add|Delete) File)\b)/i

/** True when a diff begins at this line; `--- x` needs its `+++ y`, since it may be anything. */
export function startsDiff(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  const next = lines[at + 1] ?? ''
  if (headers.test(line)) return true
  return line.startsWith('--- ')
    ? /^\+\+\+ \S/.test(next)
    : /^\+\+\+ \S/.test(line) && next.startsWith('@@')
}
