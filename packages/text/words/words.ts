/** Words that say nothing about which file is meant. */
const STOP_WORDS = new Set(
  (
    'a able about add all also an and any are as at be been but by can change code create each ensure ' +
    'every existing file fix for from function get has have if implement in instead into is it its ' +
    'like make may method module more must new no not of on one only or our output please return ' +
    'returning set should so src some support such task test tests than that the their them then there ' +
    'these they this to two update us use used user using value via want we when where which will with ' +
    'without write you your js ts py md json'
  )
    .split(' ')
    .map(stem),
)

/** Lower-case words of code or prose, no plural s: `parseHTMLPage_v2` → parse, html, page, v2. */
export function splitWords(text: string): readonly string[] {
  const parts = text.match(/\p{Lu}+(?!\p{Ll})\d*|\p{Lu}?\p{Ll}+\d*|\p{Lo}+|\d+/gu) ?? []
  return parts.map((part) => stem(part.toLowerCase()))
}

/** The words of a text that can tell files apart. */
export const tellingWords = (text: string): readonly string[] =>
  splitWords(text).filter((word) => word.length > 1 && !STOP_WORDS.has(word))

export const identifiersIn = (text: string): readonly string[] =>
  text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []

/** Names of code in backticks: `total`, `parse()`, `User.save` → total, parse, save. */
export function markedNames(text: string): readonly string[] {
  const spans = [...text.matchAll(/`([^`\n]{1,120})`/g)].map(([, span = '']) => span.trim())
  return spans.flatMap((span) => {
    const name = /^(?:[\w$]+(?:\.|::|#))*([\p{L}_$][\p{L}\p{N}_$]*)(?:\([^()]*\))?$/u.exec(
      span,
    )?.[1]
    return name === undefined ? [] : [name]
  })
}

/** At most `most` characters; `…` replaces the rest. */
export const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text

/** Without the white space at its ends, and with one space for each run of it. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Appends a sentence to a text that may lack its full stop. */
export const withSentence = (text: string, sentence: string): string =>
  `${text}${/[.!?]$/.test(text) ? '' : '.'} ${sentence}`

/** `a, b and 3 more` */
export function nameSome(names: readonly string[], most: number): string {
  const more = names.length - most
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** Lines of an answer that are no prose: headings, quotes, tables, fences, tags, JSON, an announcement of what follows. */
const noProse = /^(?:#|>|\||`{3}|~{3}|<|[{[]["{[]|={3}|-{3})|:$/
const listMark = /^(?:[-*+]|\d{1,3}[.)])\s+/
const greeting = /^(?:sure|ok|okay|certainly|of course|absolutely|great|understood)\b[\s,.!:–-]*/i
/** Announces, or thinks aloud, and says nothing of the change. */
const empty =
  /^(?:here(?:'s|’s|\s+(?:is|are))|below\b|let me\b|let's\b|let’s\b|we (?:need|have|must|should)\b|i (?:need|have|must|should)\b|the (?:user|task) (?:asks|wants|is)\b|looking at\b|now\b|first\b|please\b)/i
const ending = /[.!?](?=\s+[\p{Lu}`"'([]|\s*$)/gu

const mostSentences = 8
const fewestWords = 2

/**
 * The first sentence of an answer's prose that says something, on one line; empty where there is none.
 *
 * @param limit characters. A longer sentence ends at a space, so that no word (and no secret) is cut in two.
 */
export function firstSentence(prose: string, limit: number): string {
  const lines = prose
    .split(/\r?\n/)
    .slice(0, 200)
    .map((line) => line.trim())
    .map((line) => (line === '' || noProse.test(line) ? '\n' : line.replace(listMark, '\n')))
  const sentences = lines
    .join(' ')
    .split('\n')
    .flatMap(sentencesOf)
    .filter((sentence) => sentence !== '')
    .slice(0, mostSentences)
    .map((sentence) => sentence.replace(greeting, ''))
  const found = sentences.find((sentence) => !empty.test(sentence) && hasWords(sentence))
  return found === undefined ? '' : cutAtSpace(found, limit)
}

function sentencesOf(paragraph: string): readonly string[] {
  const ends = [...paragraph.matchAll(ending)].map(({ index }) => index + 1)
  return [0, ...ends].map((start, at) => paragraph.slice(start, ends[at]).trim())
}

const hasWords = (sentence: string): boolean =>
  sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length >= fewestWords

function cutAtSpace(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = text.lastIndexOf(' ', limit - 2)
  return end <= 0 ? '' : `${text.slice(0, end).trimEnd()} …`
}

/** For source code this is 8 % above o200k_base, and no tokenizer has to be loaded. */
export const charactersPerToken = 4

export const estimateTokens = (text: string): number => Math.ceil(text.length / charactersPerToken)

/** Estimates a prompt's tokens, including the few that frame each message, and the tools that it offers natively. */
export const estimatePromptTokens = (
  messages: readonly { readonly content: string }[],
  tools: readonly unknown[] = [],
): number =>
  messages.reduce((sum, message) => sum + estimateTokens(message.content) + 4, 0) +
  (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools)))

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
