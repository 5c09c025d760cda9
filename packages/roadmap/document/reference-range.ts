/** Ranges of names: `T001-T003`, `1.1..1.4`, "phases 2 to 4", "ENG-7 through ENG-9". */

const number = String.raw`(?:\d+\.)*\d+`
const prefixed = `(?:T-|T(?=\\d)|[A-Z]{1,4}(?=\\d)|#|[A-Z][A-Z0-9]{0,15}(?:-[A-Z0-9]+)*-)${number}`
const sign = String.raw`\s*(?:\.{2,3}|…|[–—→~]|->)\s*|\s+(?:-|to|through|thru|until|up to|bis|à|al?|até|tot|до)\s+`
/** A number that has no letters around it is a name at the start of a part, or behind a word for such things. */
const named = String.raw`(?<=(?:^|[,;&([\n]|\band|\b(?:tasks?|sections?|steps?|items?|phases?|stages?))\s*)`
const ends = String.raw`(?=\s*(?:$|[,;&()\].\n]|and\b|tasks?\b|complete|done|finished))`
// A hyphen may belong to an id: alone, it needs the prefix again, or one without a hyphen: `T-1-T-3`, `T001-003`.
const ranges = [
  String.raw`(?<![\w.-])(${prefixed})(?:${sign}|-(?=T-?\d|#\d|[A-Z]+-\d|[A-Z]{1,4}\d))(${prefixed}|${number}${ends})(?![\w-]|\.\d)`,
  String.raw`(?<![\w.-])((?:T|#)${number})-(${number})(?![\w-]|\.\d)`,
  `${named}(${number})(?:${sign}|-)(${number})${ends}`,
].map((pattern) => new RegExp(pattern, 'gi'))

/** Returns true for a range with letters that could not be written out, so that its ends alone mean nothing. */
export const holdsRange = (text: string): boolean =>
  ranges.slice(0, 2).some((range) => text.search(range) >= 0)

/** More names than this are no range. */
const most = 500

/** Writes out every range of a text, name by name; a range whose ends do not fit together stays. */
export const writeOutRanges = (text: string): string =>
  ranges.reduce(
    (written, range) =>
      written.replace(range, (whole, start: string, end: string) => namesFrom(start, end) ?? whole),
    text,
  )

function namesFrom(start: string, end: string): string | null {
  const [first, last] = [cut(start), cut(end)]
  const isAlike = last.prefix === '' || last.prefix.toLowerCase() === first.prefix.toLowerCase()
  const count = last.number - first.number + 1
  if (!isAlike || count < 1 || count > most) return null
  return Array.from({ length: count }, (_, at) => {
    const next = String(first.number + at).padStart(first.width, '0')
    return `${first.prefix}${next}`
  }).join(', ')
}

/** `T-1.04` → `T-1.`, 4 and its width of 2. */
function cut(text: string) {
  const digits = /\d+$/.exec(text)?.[0] ?? ''
  const prefix = text.slice(0, text.length - digits.length)
  return { prefix, number: Number(digits), width: digits.length }
}
