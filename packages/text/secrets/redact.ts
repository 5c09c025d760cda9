import { mask, maskPlaces } from './find-keys.ts'

/** Shorter values would mask ordinary words. */
const shortestSecret = 4

/**
 * Creates the one redactor of all outgoing text. It replaces with `***` registered secrets (also as
 * base64, hex, URL and JSON text, escaped or wrapped, and line by line) and anything shaped like a
 * known token.
 *
 * As SECURITY.md says, it misses other encodings (gzip, encryption, reversal), values cut into
 * pieces, and unregistered secrets of unknown shape.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const maskRegistered = createSecretMask(secrets)
  return (text) => {
    let clean = maskRegistered(text)
    for (const { shape, keeps } of shapes) {
      clean = clean.replace(shape, (...found: readonly unknown[]) => (keeps ? found[1] : '') + mask)
    }
    return clean
  }
}

/** Masks only registered secrets, in every spelling: for code, whose examples look like tokens. */
export function createSecretMask(secrets: readonly string[]): (text: string) => string {
  const values = [...new Set(secrets.flatMap(withLines))]
  const needles = [...new Set(values.flatMap(spellingsOf))]
    .filter((needle) => needle.length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
  const maskSpelled = createSpelledMask(values)
  return (text) => {
    let clean = text
    for (const needle of needles) clean = clean.replaceAll(needle, mask)
    return maskSpelled(clean)
  }
}

/** A secret of several lines is printed line by line. */
function withLines(secret: string): readonly string[] {
  const lines = secret.split(/\r?\n/).filter((line) => line.trim().length >= 8)
  return [secret, secret.trim(), ...(lines.length > 1 ? lines : [])].filter(
    (value) => value.length >= shortestSecret,
  )
}

function spellingsOf(secret: string): readonly string[] {
  const url = encodeURIComponent(secret.toWellFormed())
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    ...base64Of(secret),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
    url,
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    url.replaceAll('%20', '+'),
    encodeURI(secret.toWellFormed()),
    json,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
  ]
}

function base64Of(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const alone = bytes.toString('base64')
  const plain = [alone, alone.replace(/=+$/, ''), ...base64Inside(bytes)]
  return [...plain, ...plain.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))]
}

/**
 * A way to read a text: `read` translates or drops what `pattern` finds; `needles` are the forms of
 * a secret in the translated text. `glance` translates a whole text without
 * recording places, and keeps at least the needles that are in it.
 */
interface Reading {
  readonly pattern: RegExp
  readonly read: (found: string) => string
  readonly glance: (text: string) => string
  readonly needles: (secret: string) => readonly string[]
}

/** Shorter needles would match across unrelated words. */
const shortestNeedle = 10

const escapes =
  /\\{1,8}u(?:[\da-f]{4}|\{[\da-f]{1,8}\})|\\{1,8}x[\da-f]{2}|\\{1,8}["'/`\\]|&(?:amp;)?(?:#x[\da-f]{1,8}|#\d{1,8}|lt|gt|quot|apos|amp);?|(?:[%=][\da-f]{2})+|\0/gi
const wraps = /(?:[\s>]|\\{1,4}[nr])+/g
const separators = /(?:[\s:;,._%-]|0x|\\{1,4}[xnr])+/g

const readings: readonly Reading[] = [
  {
    // Escapes in strings, HTML, URLs and mails; zero bytes, as in UTF-16.
    pattern: escapes,
    read: unescaped,
    glance: (text) => text.replace(escapes, (found) => unescaped(found)),
    needles: (secret) => [secret],
  },
  {
    // Base64 in both alphabets: wrapped at any column, indented, quoted or in a string.
    pattern: new RegExp(`${wraps.source}|[-_]`, 'g'),
    read: (found) => ({ '-': '+', _: '/' })[found] ?? '',
    glance: (text) => text.replace(wraps, '').replaceAll('-', '+').replaceAll('_', '/'),
    needles: (secret) => encodings(secret).flatMap(base64Inside),
  },
  {
    // Hex with separators: `0A:1B`, `0x0a, 0x1b`, `\x0a`, `%0a`; in either case.
    pattern: new RegExp(`${separators.source}|[A-F]+`, 'g'),
    read: (found) => (/^[A-F]/.test(found) ? found.toLowerCase() : ''),
    glance: (text) => text.replace(separators, '').toLowerCase(),
    needles: (secret) => encodings(secret).map((bytes) => bytes.toString('hex')),
  },
]

function encodings(secret: string): readonly Buffer[] {
  const wide = () => Buffer.from(secret, 'utf16le')
  return [Buffer.from(secret), wide(), wide().swap16()]
}

/** The base64 text that these bytes fully determine, at each of three offsets. */
const base64Inside = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const first = Math.ceil((offset * 8) / 6)
    return text.slice(first, Math.floor(((offset + bytes.length) * 8) / 6))
  })

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

/** Masks what only reads as a secret, however it is escaped, wrapped or separated. */
function createSpelledMask(secrets: readonly string[]): (text: string) => string {
  const searches = readings.map(({ needles, ...reading }) => ({
    ...reading,
    needles: [...new Set(secrets.flatMap(needles))].filter(
      (needle) => needle.length >= shortestNeedle,
    ),
  }))
  return (text) =>
    searches.reduce((clean, { pattern, read, glance, needles }) => {
      if (needles.length === 0) return clean
      const seen = glance(clean)
      if (!needles.some((needle) => seen.includes(needle))) return clean
      const view = viewOf(clean, pattern, read)
      const places = needles.flatMap((needle) => placesOf(needle, view))
      return places.length === 0 ? clean : maskPlaces(clean, places, () => mask)
    }, text)
}

interface Place {
  readonly start: number
  readonly end: number
}

interface View {
  readonly text: string
  /** The pieces that were translated: their places in the view and in the text. */
  readonly marks: readonly { readonly seen: Place; readonly source: Place }[]
}

function viewOf(text: string, pattern: RegExp, read: Reading['read']): View {
  const parts: string[] = []
  const marks: { seen: Place; source: Place }[] = []
  let [at, from] = [0, 0]
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const plain = read(found)
    const start = at + index - from
    parts.push(text.slice(from, index), plain)
    at = start + plain.length
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
    const last = at + needle.length - 1
    places.push({ start: sourceOf(at, view).start, end: sourceOf(last, view).end })
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

/** Known tokens; `keeps` keeps the first group. Unbounded ones overflow the stack on long runs. */
const shapes: readonly { readonly shape: RegExp; readonly keeps?: true }[] = [
  {
    shape:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s*(?:Proc-Type|DEK-Info|Version|Comment):[^\n]*){0,8}[A-Za-z0-9+/=\s\\]*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  { shape: /github_pat_[A-Za-z0-9_]{20,8000}/g },
  { shape: /gh[pousr]_[A-Za-z0-9][A-Za-z0-9_.-]{15,8000}/g },
  { shape: /(?<=^|[^A-Za-z0-9]|\\[nrt])sk-[A-Za-z0-9_-]{16,8000}/g },
  { shape: /(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,8000}/g },
  { shape: /(?<=^|[^A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g },
  {
    shape:
      /(aws_?secret_?access_?key["']?[ \t]{0,8}[=:][ \t]{0,8}["']?)[A-Za-z0-9/+]{30,8000}={0,2}/gi,
    keeps: true,
  },
  { shape: /xox[abeoprs]-[A-Za-z0-9-]{10,8000}/g },
  { shape: /xapp-[A-Za-z0-9-]{10,8000}/g },
  { shape: /(?<=^|[^\w-]|\\[nrt])eyJ[\w-]{8,8000}\.[\w-]{8,8000}(?:\.[\w-]{0,8000})?/g },
  { shape: /npm_[A-Za-z0-9]{20,8000}/g },
  { shape: /pypi-[A-Za-z0-9_-]{20,8000}/g },
  { shape: /glpat-[A-Za-z0-9_-]{16,8000}/g },
  { shape: /(?<=^|[^A-Za-z0-9]|\\[nrt])hf_[A-Za-z0-9]{20,8000}/g },
  { shape: /AIza[A-Za-z0-9_-]{35}/g },
  {
    shape:
      /(authorization["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?:bearer|basic|token)[ \t]{1,8})[^\s"',;]+/gi,
    keeps: true,
  },
  { shape: /(\bbearer[ \t]{1,8})[A-Za-z0-9._~+/=-]{16,8000}/gi, keeps: true },
  { shape: /(?<=:\/\/)[^\s/@:"'<>]{0,255}:[^\s/@"'<>]{1,1023}(?=@)/g },
]

type Mask = (text: string) => string

/**
 * Masks each string in data by itself, keys included, so that JSON stays JSON. Returns the very
 * same object when it contains nothing to mask. Visits arrays, maps, sets and plain objects.
 *
 * `remembers`: visits each object once, for data that never changes in place.
 */
export function createDataMask(
  mask: Mask,
  { remembers = false }: { readonly remembers?: boolean } = {},
): <Data>(data: Data) => Data {
  const known = new WeakMap<object, unknown>()
  const maskText = remembers ? rememberWords(mask) : mask
  const masked = (data: unknown): unknown => {
    if (typeof data === 'string') return maskText(data)
    if (typeof data !== 'object' || data === null || data instanceof AbortSignal) return data
    if (!remembers) return maskInside(data, masked)
    if (!known.has(data)) known.set(data, maskInside(data, masked))
    return known.get(data)
  }
  return <Data>(data: Data) => masked(data) as Data
}

const longestWord = 40
const mostWords = 10_000

/** Remembers short texts: names of fields and values of enumerations recur. */
function rememberWords(mask: Mask): Mask {
  const known = new Map<string, string>()
  return (text) => {
    if (text.length > longestWord) return mask(text)
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= mostWords) known.clear()
    const masked = mask(text)
    known.set(text, masked)
    return masked
  }
}

/** An entry of a map or object is an array of two, which stays the same if nothing was masked. */
function maskInside(data: object, masked: (part: unknown) => unknown): unknown {
  const isList = data instanceof Set || data instanceof Map || Array.isArray(data)
  const parts: readonly unknown[] = isList ? [...data] : isPlain(data) ? Object.entries(data) : []
  const clean = parts.map(masked)
  if (clean.every((part, index) => part === parts[index])) return data
  if (Array.isArray(data)) return clean
  if (data instanceof Set) return new Set(clean)
  const entries = clean as readonly (readonly [string, unknown])[]
  return data instanceof Map ? new Map(entries) : Object.fromEntries(entries)
}

function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data)
  return prototype === Object.prototype || prototype === null
}
