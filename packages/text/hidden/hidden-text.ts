import { maskKeys } from '../secrets/find-keys.ts'
import { applyCuts, type Cut, hiddenCharacters, paddedText, type Stripped } from './characters.ts'
import type { HiddenText } from './hidden-record.ts'
import { hiddenMarkdown } from './markdown.ts'
import { hiddenMarkup, readTags } from './markup.ts'

/** Something in a text that a reader cannot see, or misreads. Line and column are 1-based. */
interface HiddenFinding {
  readonly what: string
  readonly line: number
  readonly column: number
}

/** These change the reading order: https://trojansource.codes (CVE-2021-42574). */
const bidi = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/**
 * Nothing is drawn for these. Joiners are legitimate in emoji and Persian, but not inside a Latin
 * word; rows of variation selectors have carried hidden programs in published packages.
 */
const invisible = new RegExp(
  [
    '[\\u00AD\\u115F\\u1160\\u200B\\u2060-\\u2064\\u206A-\\u206F\\u3164\\uFFA0\\uFEFF]',
    '[\\u{E0000}-\\u{E007F}]',
    '(?<=\\w)[\\u200C\\u200D]|[\\u200C\\u200D](?=\\w)',
    '(?<!\\p{Script=Han})[\\u{E0100}-\\u{E01EF}]',
    '[\\uFE00-\\uFE0F]{2}',
  ].join('|'),
  'u',
)

/** Words that mix Latin letters with those of a look-alike script (CVE-2021-42694). */
const word = /[\p{L}\p{M}\p{N}_$]{1,200}/gu
const latin = /\p{Script=Latin}/u
const lookAlike =
  /[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳονικ\uFF21-\uFF3A\uFF41-\uFF5A]/u
/** Styled mathematical alphabets, which Python reads as plain letters. */
const styled = /[\u{1D400}-\u{1D7FF}]/u

const prose = /\.(?:mdx?|markdown|rst|txt|adoc|po|pot|html?|csv|tsv|srt|vtt)$/i

const mostFindings = 5

/**
 * Finds hidden text in a file's new lines; lines of the old text are not the model's. Searches for
 * words of mixed script only in code, as prose has legitimate ones.
 */
export function findHiddenText(
  path: string,
  text: string,
  before: string,
): readonly HiddenFinding[] {
  if (isPlain(text) && !farAway.test(text)) return []
  const old = new Set(before.split('\n'))
  const found: HiddenFinding[] = []
  const names = prose.test(path) ? null : latinNames(`${text}\n${before}`)
  for (const [index, line] of text.split('\n').entries()) {
    if (found.length === mostFindings) break
    if (old.has(line)) continue
    const isFar = names !== null && farAway.test(line) && !tagOfDocs.test(line)
    const [pushed] = isFar ? paddedText(line) : []
    if (pushed !== undefined) {
      const what = 'code pushed out of view by blanks'
      found.push({ what, line: index + 1, column: pushed.start + 1 })
    }
    if (isPlain(line)) continue
    const hidden = hiddenIn(index === 0 ? line.replace(/^\uFEFF/, ' ') : line, names)
    if (hidden) found.push({ ...hidden, line: index + 1 })
  }
  return found
}

const farAway = /[ \t]{200}\S/

/** A comment up to the end of its line. Formatters align names below long types. */
const tagOfDocs = /^[ \t]*(?:\*|\/\/|#)[ \t]*@\w(?!.*(?:\*\/|\?>))/

function hiddenIn(
  line: string,
  names: ReadonlySet<string> | null,
): Omit<HiddenFinding, 'line'> | null {
  const turned = bidi.exec(line)
  if (turned) return at(line, turned, 'a character that changes the reading order')
  const unseen = invisible.exec(line)
  if (unseen) return at(line, unseen, 'an invisible character')
  if (names === null) return null
  for (const found of line.matchAll(word)) {
    const letters = withoutEscape(line, found.index, found[0])
    const twin = twinOf(letters)
    const isTwin = twin !== null && names.has(twin)
    const isMixed =
      styled.test(letters) ||
      (latin.test(letters.replace(/[\uFF21-\uFF5A]/g, '')) && lookAlike.test(letters))
    if (!isTwin && !isMixed) continue
    const why = isTwin ? `looks like "${twin}" but is not` : 'mixes look-alike letters'
    return { what: `"${found[0].slice(0, 60)}" ${why}`, column: found.index + 1 }
  }
  return null
}

/** Cyrillic and Greek letters that are indistinguishable from Latin ones, each above its twin. */
const foreign = 'аԁеһіјӏорԛѕсухѵԝАВЕНІЈКМОРԚЅТСУХԜοανυρικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'
const familiar = 'adehijlopqscyxvwABEHIJKMOPQSTCYXWoavupikABEZHIKMNOPTYX'
const twins = new Map([...foreign].map((letter, index) => [letter, familiar.charAt(index)]))
/** Shorter words may be real ones: `а`, `сор`. */
const shortestTwin = 4

/** The Latin word that a word without any Latin letter looks like, or `null`. */
function twinOf(letters: string): string | null {
  if (letters.length < shortestTwin || !/^[^\x00-\x7F]/.test(letters)) return null
  const latinLetters = [...letters].map(
    (letter) => twins.get(letter) ?? (/\d|_/.test(letter) ? letter : ''),
  )
  return latinLetters.includes('') ? null : latinLetters.join('')
}

const latinNames = (text: string): ReadonlySet<string> =>
  new Set(text.match(/[A-Za-z_$][\w$]{3,}/g) ?? [])

/** `\n` and `%s` before a foreign word are not part of it. */
const withoutEscape = (line: string, index: number, letters: string): string =>
  /[\\%]/.test(line.charAt(index - 1)) ? letters.slice(1) : letters

function at(line: string, found: RegExpExecArray, what: string): Omit<HiddenFinding, 'line'> {
  const code = line.codePointAt(found.index) ?? 0
  const name = code.toString(16).toUpperCase().padStart(4, '0')
  return { what: `${what} (U+${name})`, column: found.index + 1 }
}

const isPlain = (text: string): boolean => /^[\x00-\x7F]*$/.test(text)

/**
 * How people read a text: `markdown` as GitHub renders it, `html` as its source without comments,
 * `code` and `plain` unchanged.
 */
type TextKind = 'markdown' | 'html' | 'code' | 'plain'

/**
 * Prepares a text for a prompt as its reader sees it: removes and lists invisible characters,
 * comments, attributes, collapsed or invisible elements, and text out of view. Lines keep their
 * numbers. Linear, except that Markdown's parser gets at most 60,000 characters.
 */
export function stripHidden(text: string, kind: TextKind): Stripped {
  const first = applyCuts(text, structureOf(text, kind))
  const rest = [...hiddenCharacters(first.text), ...paddedText(first.text)]
  const second = applyCuts(first.text, rest)
  return { text: second.text, removed: [...first.removed, ...second.removed] }
}

/** What something may hide behind in Markdown: neither a check box nor code within a line can. */
const suspect = /[<&~$|]|`{3}|\]\(|!\[|\[(?![ xX~!-]\] )/

function structureOf(text: string, kind: TextKind): readonly Cut[] {
  if (kind === 'markdown') return suspect.test(text) ? hiddenMarkdown(text) : []
  if (kind !== 'html' || !text.includes('<!--')) return []
  const comments = readTags(text, 0, text.length).filter((tag) => tag.kind === 'comment')
  return hiddenMarkup(text, comments)
}

export function kindOf(path: string): TextKind {
  if (/\.(?:md|mdx|markdown|mdown|mkdn?)$/i.test(path)) return 'markdown'
  return /\.(?:html?|xhtml)$/i.test(path) ? 'html' : 'code'
}

/**
 * Prepares a repository file for a model: without hidden text, keys and byte order mark. Lines keep
 * their numbers.
 */
export function showText(path: string, text: string): Stripped {
  const { text: visible, removed } = stripHidden(text.replace(/^\uFEFF/, ''), kindOf(path))
  return { text: maskKeys(visible), removed }
}

/** Does the same for several files; removed pieces have their file's path. */
export function showTexts(texts: ReadonlyMap<string, string>): {
  readonly texts: ReadonlyMap<string, string>
  readonly removed: readonly (HiddenText & { readonly path: string })[]
} {
  const shown = [...texts].map(([path, text]) => ({ path, ...showText(path, text) }))
  return {
    texts: new Map(shown.map(({ path, text }) => [path, text])),
    removed: shown.flatMap(({ path, removed }) => removed.map((each) => ({ ...each, path }))),
  }
}
