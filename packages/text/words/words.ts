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
