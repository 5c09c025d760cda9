/**
 * A way to read a text: `pattern` finds what stands for something else, or for nothing, and `read`
 * says for what; `needles` are how a secret looks in the text that was read so.
 */
interface Reading {
  readonly pattern: RegExp
  readonly read: (found: string) => string
  readonly needles: (secret: string) => readonly string[]
}

/** Shorter needles are found across words that have nothing to do with each other. */
const shortestNeedle = 10

const readings: readonly Reading[] = [
  {
    // Escapes of strings, HTML, URLs and mails; zero bytes, as UTF-16 has them.
    pattern:
      /\\{1,8}u(?:[\da-f]{4}|\{[\da-f]{1,8}\})|\\{1,8}x[\da-f]{2}|\\{1,8}["'/`\\]|&(?:amp;)?(?:#x[\da-f]{1,8}|#\d{1,8}|lt|gt|quot|apos|amp);?|(?:[%=][\da-f]{2})+|\0/gi,
    read: unescaped,
    needles: (secret) => [secret],
  },
  {
    // Base64, wrapped at any column, indented, quoted or in a string; both of its alphabets.
    pattern: /(?:[\s>]|\\{1,4}[nr])+|[-_]/g,
    read: (found) => ({ '-': '+', _: '/' })[found] ?? '',
    needles: (secret) => encodings(secret).flatMap(base64Inside),
  },
  {
    // Hex with separators: `0A:1B`, `0x0a, 0x1b`, `\x0a`, `%0a`; in either case.
    pattern: /(?:[\s:;,._%-]|0x|\\{1,4}[xnr])+|[A-F]+/g,
    read: (found) => (/^[A-F]/.test(found) ? found.toLowerCase() : ''),
    needles: (secret) => encodings(secret).map((bytes) => bytes.toString('hex')),
  },
]

function encodings(secret: string): readonly Buffer[] {
  const wide = () => Buffer.from(secret, 'utf16le')
  return [Buffer.from(secret), wide(), wide().swap16()]
}

/** What of the bytes is the same in every base64 text that holds them, at each of three offsets. */
export function base64Inside(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const first = Math.ceil((offset * 8) / 6)
    return text.slice(first, Math.floor(((offset + bytes.length) * 8) / 6))
  })
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function unescaped(found: string): string {
  if (found === '\0') return ''
  if (/^[%=]/.test(found)) return Buffer.from(found.replace(/[%=]/g, ''), 'hex').toString()
  const [, name] = /^&(?:amp;)?([a-z]+);?$/i.exec(found) ?? []
  if (name !== undefined) return named[name.toLowerCase()] ?? found
  const [, hex, decimal] = /(?:[ux]\{?|#x)([\da-f]+)[};]?$|#(\d+);?$/i.exec(found) ?? []
  if (hex === undefined && decimal === undefined) return found.slice(-1)
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code === 0 || code > 0x10ffff ? '' : String.fromCodePoint(code)
}

/** Replaces what only reads as one of the secrets: however it is escaped, wrapped or separated. */
export function createSpelledMask(
  secrets: readonly string[],
  mask: string,
): (text: string) => string {
  const searches = readings.map(({ needles, ...reading }) => ({
    ...reading,
    needles: [...new Set(secrets.flatMap(needles))].filter(
      (needle) => needle.length >= shortestNeedle,
    ),
  }))
  return (text) =>
    searches.reduce((clean, { pattern, read, needles }) => {
      if (needles.length === 0) return clean
      const view = viewOf(clean, pattern, read)
      const places = needles.flatMap((needle) => placesOf(needle, view))
      return places.length === 0 ? clean : withoutPlaces(clean, places, mask)
    }, text)
}

interface Place {
  readonly start: number
  readonly end: number
}

interface View {
  readonly text: string
  /** What was read as something else: the place in the text of what stands there in the view. */
  readonly marks: readonly { readonly seen: Place; readonly source: Place }[]
}

function viewOf(text: string, pattern: RegExp, read: Reading['read']): View {
  const parts: string[] = []
  const marks: { seen: Place; source: Place }[] = []
  let [at, from] = [0, 0]
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const meant = read(found)
    const start = at + index - from
    parts.push(text.slice(from, index), meant)
    at = start + meant.length
    from = index + found.length
    marks.push({ seen: { start, end: at }, source: { start: index, end: from } })
  }
  parts.push(text.slice(from))
  return { text: parts.join(''), marks }
}

function placesOf(needle: string, view: View): readonly Place[] {
  const places: Place[] = []
  const { text } = view
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const { start } = sourceOf(at, view)
    places.push({ start, end: sourceOf(at + needle.length - 1, view).end })
  }
  return places
}

/** The place in the text of one character of the view. */
function sourceOf(at: number, { marks }: View): Place {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle]?.seen.start ?? 0) <= at) low = middle + 1
    else high = middle
  }
  const mark = marks[low - 1]
  if (mark !== undefined && at < mark.seen.end) return mark.source
  const start = at + (mark === undefined ? 0 : mark.source.end - mark.seen.end)
  return { start, end: start + 1 }
}

function withoutPlaces(text: string, places: readonly Place[], mask: string): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    if (start >= at) parts.push(text.slice(at, start), mask)
    at = Math.max(at, end)
  }
  parts.push(text.slice(at))
  return parts.join('')
}
