const headers =
  /^(?:diff --git \S|@@+\s*-\d|@@(?: .*)?$|--- (?:a\/|\/dev\/null)|\*\*\*\s+(?:Begin Patch|(?:Update|Add|Delete) File)\b)/i

/** True when a diff begins at this line; `--- x` needs its `+++ y`, since it may be anything. */
export function startsDiff(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  return headers.test(line) || (/^--- \S/.test(line) && /^\+\+\+ \S/.test(lines[at + 1] ?? ''))
}
