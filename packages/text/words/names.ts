const ascii = /^[\x20-\x7E]*$/

/**
 * Folds a name as a file system may that ignores case, width, the encoding of accents or invisible
 * characters. Two names with one folding may be one file somewhere.
 */
export function foldName(name: string): string {
  if (ascii.test(name)) return name.toLowerCase()
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
}

/** `a/b/c` → `a`, `a/b`, `a/b/c`. */
export function stepsTo(path: string): readonly string[] {
  const names = path.split('/')
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}

/**
 * A path as the repository spells it where only the encoding of its accents differs, in whole or up to a folder;
 * otherwise as it is.
 */
export function respell(path: string, known: Iterable<string>): string {
  if (ascii.test(path)) return path
  const wanted = path.normalize('NFC').split('/')
  let best: readonly string[] = []
  for (const each of known) {
    if (ascii.test(each)) continue
    const steps = each.split('/')
    const length = steps.findIndex((step, at) => step.normalize('NFC') !== wanted[at])
    const shared = length < 0 ? steps.length : length
    if (shared > best.length) best = steps.slice(0, shared)
  }
  return [...best, ...path.split('/').slice(best.length)].join('/')
}

/** The known name that was probably meant; `null` when over two fifths of its letters are wrong. */
export function closestName(written: string, known: readonly string[]): string | null {
  const plain = asWords(written)
  if (plain.length > 100) return null
  let best: { name: string; distance: number } | null = null
  for (const name of known) {
    const distance = editDistance(plain, asWords(name))
    if (distance > name.length * 0.4) continue
    if (best === null || distance < best.distance) best = { name, distance }
  }
  return best === null ? null : best.name
}

/** `maxTasks`, `max_tasks` and `Max-Tasks` are all `max-tasks` to a person. */
const asWords = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()

/** Levenshtein: insertions, deletions and replacements that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/**
 * True when one letter more, less or other, or two letters changed over, turn one word into the other; false for equal
 * words.
 */
export function isOneEditApart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short === long || long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  const rest = (word: string, from: number) => word.slice(from)
  if (short.length < long.length) return rest(short, start) === rest(long, start + 1)
  const isSwapped = short[start] === long[start + 1] && short[start + 1] === long[start]
  return (
    rest(short, start + 1) === rest(long, start + 1) ||
    (isSwapped && rest(short, start + 2) === rest(long, start + 2))
  )
}
