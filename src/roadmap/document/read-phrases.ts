/** A dependency in the words of a sentence. */
export interface Phrase {
  /** What it names, as it is written. */
  readonly value: string
  /** What it names must be a task: it says so, or stands apart for it. */
  readonly isPlain: boolean
  /** It may be a title, not only an id or a number. */
  readonly mayBeWords: boolean
}

const anyPhrase = /\b(?:blocked by|depend|needs|requires|after)\b|\bdepends?\b/i
const verbs =
  /(?<start>^[\s>*+-]*|[([]\s*|[,;]\s+|\s[–—-]+\s+)(?:is\s+|but\s+)?(?<verb>blocked by|depend(?:s|ent|ing)?(?: (?:up)?on|:)|needs|requires|after)[:\s]\s*(?<value>[^()[\]\n;]{1,200})/giu
const sentenceEnd = /\.\s|[.!?]$|\s[–—]\s|\s-\s/u

/** The dependencies that a line tells in words: "— blocked by 1.3", "[depends: 1.1]", "(after Add the store)". */
export function readPhrases(line: string): readonly Phrase[] {
  if (!anyPhrase.test(line)) return []
  return [...line.matchAll(verbs)].flatMap(({ groups = {} }): Phrase[] => {
    const value = (groups.value ?? '').split(sentenceEnd)[0]?.trim() ?? ''
    const isStart = /^[\s>*+-]*$/.test(groups.start ?? '') && !/[–—]/.test(groups.start ?? '')
    const isAside = /[([]/.test(groups.start ?? '')
    const isFirm = /^(?:blocked|depend)/i.test(groups.verb ?? '')
    const isAfter = /^after/i.test(groups.verb ?? '')
    if (value === '' || (isAfter && isStart)) return []
    return [{ value, isPlain: isFirm || (isAfter && isAside), mayBeWords: !isStart || isFirm }]
  })
}
