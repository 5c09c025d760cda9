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
