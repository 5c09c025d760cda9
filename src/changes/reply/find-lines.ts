/** Where some lines stand in others, in one pass (Knuth, Morris, Pratt): hostile input stays linear. */
export function findLines(
  lines: readonly string[],
  wanted: readonly string[],
  limit: number,
): readonly number[] {
  if (wanted.length === 0) return []
  const fallback = fallbacksOf(wanted)
  const found: number[] = []
  let matched = 0
  for (let index = 0; index < lines.length && found.length < limit; index += 1) {
    while (matched > 0 && lines[index] !== wanted[matched]) matched = fallback[matched - 1] ?? 0
    if (lines[index] === wanted[matched]) matched += 1
    if (matched < wanted.length) continue
    found.push(index - matched + 1)
    matched = fallback[matched - 1] ?? 0
  }
  return found
}

/** For each prefix, the length of its longest proper prefix that is its suffix too. */
function fallbacksOf(wanted: readonly string[]): readonly number[] {
  const fallback = [0]
  let matched = 0
  for (let index = 1; index < wanted.length; index += 1) {
    while (matched > 0 && wanted[index] !== wanted[matched]) matched = fallback[matched - 1] ?? 0
    if (wanted[index] === wanted[matched]) matched += 1
    fallback.push(matched)
  }
  return fallback
}
