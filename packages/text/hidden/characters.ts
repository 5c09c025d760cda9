import type { HiddenText } from './hidden-record.ts'

/**
 * Characters that are drawn as nothing, change the reading order, or have no agreed meaning.
 * `isHonest` says which of them are legitimate where they are.
 */
const candidate =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu

/** Visible despite category Cf: signs written around Arabic, Syriac and Kaithi numbers. */
const visibleFormat = /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/u

/** Scripts whose letters join: there, a joiner or non-joiner changes the drawing. */
const joiningScripts =
  'Arabic Syriac Mongolian Nko Mandaic Adlam Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan Balinese Javanese'
const joining = new RegExp(
  `[${joiningScripts
    .split(' ')
    .map((name) => `\\p{Script_Extensions=${name}}`)
    .join('')}]$`,
  'u',
)
const emoji = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\uFE0F?$/u
const emojiNext = /^\p{Extended_Pictographic}/u
/** Characters with two shapes, between which a selector chooses. */
const twoShapes = /(?:\p{Emoji}|\p{Sm}|\p{Script=Han}|\p{Script=Myanmar}|\p{Script=Phags_Pa})$/u
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
/** England, Scotland, Wales: the only flags that are spelled with tag characters. */
const flags =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu

const kinds: readonly { readonly channel: string; readonly is: RegExp }[] = [
  { channel: 'terminal escape', is: /\u001B/ },
  { channel: 'bidirectional control', is: /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/ },
  { channel: 'zero-width character', is: /[\u200B-\u200D\u2060\uFEFF\u180E]/ },
  { channel: 'soft hyphen', is: /\u00AD/ },
  { channel: 'invisible operator', is: /[\u2061-\u2064]/ },
  { channel: 'combining grapheme joiner', is: /\u034F/ },
  { channel: 'Hangul filler', is: /[\u115F\u1160\u3164\uFFA0]/ },
  { channel: 'braille blank', is: /\u2800/ },
  { channel: 'tag character', is: /[\u{E0000}-\u{E007F}]/u },
  { channel: 'variation selector', is: /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u180B-\u180D\u180F]/u },
  { channel: 'private-use character', is: /\p{Co}/u },
  { channel: 'control character', is: /\p{Cc}/u },
]

/**
 * Finds invisible characters without a legitimate purpose where they are. Keeps emoji sequences,
 * joiners between letters of joining scripts and a byte order mark at the start.
 */
export function hiddenCharacters(text: string): readonly Cut[] {
  if (/^[\t\n\f\r\x20-\x7E]*$/.test(text) && !/\r(?!\n)/.test(text)) return []
  const honestTags = new Set<number>()
  for (const { index, 0: flag } of text.matchAll(flags))
    for (let at = index; at < index + flag.length; at += 1) honestTags.add(at)
  const cuts: Cut[] = []
  for (const { index, 0: found } of text.matchAll(candidate)) {
    const end = index + found.length
    if (honestTags.has(index) || isHonest(found, index, text)) continue
    const channel = kinds.find(({ is }) => is.test(found))?.channel ?? 'invisible character'
    const last = cuts.at(-1)
    if (last?.end === index && last.channel === channel) {
      cuts[cuts.length - 1] = { ...last, end }
    } else cuts.push({ start: index, end, channel })
  }
  return cuts
}

function isHonest(found: string, index: number, text: string): boolean {
  switch (found) {
    case '\t':
    case '\n':
    case '\f':
      return true
    case '\r':
      return text[index + 1] === '\n'
    case '\uFEFF':
      return index === 0
    case '\u200C':
    case '\u200D':
      return joins(found, index, text)
    case '\uFE0E':
    case '\uFE0F':
      return twoShapes.test(before(text, index))
    case '\u200E':
    case '\u200F':
      return isDirectionMark(index, text)
    case '\u2800':
      return /[\u2801-\u28FF]/.test(lineAround(text, index))
  }
  if (/[\u180B-\u180D\u180F\u180E]/.test(found))
    return /\p{Script=Mongolian}$/u.test(before(text, index))
  if (/[\uFE00-\uFE0D\u{E0100}-\u{E01EF}]/u.test(found))
    return /(?:\p{Script=Han}|\p{Sm}|\p{Script=Myanmar}|\p{Script=Phags_Pa})$/u.test(
      before(text, index),
    )
  return visibleFormat.test(found)
}

function joins(found: string, index: number, text: string): boolean {
  const previous = before(text, index)
  if (joining.test(previous)) return true
  return (
    found === '\u200D' && emoji.test(previous) && emojiNext.test(text.slice(index + 1, index + 3))
  )
}

/** A single mark in a line with letters of both directions settles where a full stop goes. */
function isDirectionMark(index: number, text: string): boolean {
  const next = text[index + 1] ?? ''
  const previous = text[index - 1] ?? ''
  return !/[\u200E\u200F]/.test(next + previous) && rightToLeft.test(lineAround(text, index))
}

/** The one or two characters before: a surrogate pair, or a letter and its selector. */
const before = (text: string, index: number): string => text.slice(Math.max(0, index - 3), index)

/** The limit on each side; without it, a line of a megabyte would take quadratic time. */
const reach = 200

function lineAround(text: string, index: number): string {
  const left = text.slice(Math.max(0, index - reach), index)
  const right = text.slice(index + 1, index + 1 + reach)
  return `${left.slice(left.lastIndexOf('\n') + 1)}${right.split('\n', 1)[0]}`
}

/** Columns of blanks within a line, after which the rest is outside every window. */
const farAway = 200

const padding = new RegExp(
  `(?<![ \\t\\u00A0\\u3000])[ \\t\\u00A0\\u3000]{${farAway},}(?=[^\\s]).*`,
  'gu',
)

/** Finds words pushed out of view by a run of blanks. */
export const paddedText = (text: string): readonly Cut[] =>
  cutsOf(text, padding, 'text pushed out of view')

const entity = /&(?:#(?:x[0-9a-f]{1,7}|[0-9]{1,8})|[A-Za-z]{2,32});/gi
const unseenEntity =
  /^&(?:zwj|zwnj|shy|lrm|rlm|ZeroWidthSpace|NoBreak|ApplyFunction|af|InvisibleTimes|it|InvisibleComma|ic|Negative(?:VeryThin|Thin|Medium|Thick)Space);$/
const unseenOne = /^[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]$/u
const escapedComment = /&lt;!--(?:(?!--&gt;)[^\n]){0,2000}(?:--&gt;)?/gi

/** Finds invisible entities, and comments whose brackets are entities, in Markdown's words. */
export function hiddenEntities(words: string, start = 0): readonly Cut[] {
  if (!words.includes('&')) return []
  const entities = cutsOf(words, entity, 'invisible entity').filter((cut) =>
    isUnseenEntity(words.slice(cut.start, cut.end)),
  )
  return cutsFrom(start, [...entities, ...cutsOf(words, escapedComment, 'HTML comment')])
}

function isUnseenEntity(found: string): boolean {
  if (unseenEntity.test(found)) return true
  const number = /^&#(x?)([0-9a-f]+);$/i.exec(found)
  if (number === null) return false
  const code = Number.parseInt(number[2] ?? '', number[1] === '' ? 10 : 16)
  return code > 0x10ffff || (code > 0x7e && unseenOne.test(String.fromCodePoint(code))) || code < 9
}

/** A piece to remove from a text. Offsets in UTF-16 units, `end` exclusive. */
export interface Cut {
  readonly start: number
  readonly end: number
  readonly instead?: string
  readonly channel: string
}

export function cutsOf(
  text: string,
  pattern: RegExp,
  channel: string,
  instead = '',
): readonly Cut[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
    ...{ start: index, end: index + found.length },
    ...{ instead, channel },
  }))
}

/** Shifts the pieces of a part of a text to the whole. */
export const cutsFrom = (start: number, cuts: readonly Cut[]): readonly Cut[] =>
  cuts.map((cut) => ({ ...cut, start: start + cut.start, end: start + cut.end }))

export interface Stripped {
  readonly text: string
  readonly removed: readonly HiddenText[]
}

const excerptLimit = 120

/** Removes the pieces, skipping those inside others; keeps line feeds and so line numbers. */
export function applyCuts(text: string, cuts: readonly Cut[]): Stripped {
  if (cuts.length === 0) return { text, removed: [] }
  const sorted = cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const parts: string[] = []
  const removed: HiddenText[] = []
  let [at, line] = [0, 1]
  for (const { start, end, instead = '', channel } of sorted) {
    if (end <= at && at > 0) continue
    const from = Math.max(start, at)
    const kept = text.slice(at, from)
    const hidden = text.slice(from, end)
    line += countLineFeeds(kept)
    parts.push(kept, instead, '\n'.repeat(countLineFeeds(hidden)))
    removed.push({ channel, line, excerpt: showHidden(hidden) })
    line += countLineFeeds(hidden)
    at = end
  }
  parts.push(text.slice(at))
  return { text: parts.join(''), removed }
}

const countLineFeeds = (text: string): number => text.split('\n').length - 1

/** Makes hidden text visible: `<U+202E>`; tag characters also as the letters they spell. */
function showHidden(text: string): string {
  const plain = text.slice(0, 4 * excerptLimit).replace(/[\u{E0020}-\u{E007E}]+/gu, (tags) => {
    const letters = [...tags].map((tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    return `<tags: ${letters.join('')}>`
  })
  const shown = plain
    .replace(/\s+/g, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, nameOf)
  return shown.length > excerptLimit ? `${shown.slice(0, excerptLimit).toWellFormed()}…` : shown
}

const nameOf = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`
