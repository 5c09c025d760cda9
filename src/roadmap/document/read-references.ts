/** A dependency in the words of a sentence. */
import { plainWords } from '../../text/markdown/inline-text.ts'

/** What a dependency names. `words` is anything that is no known form. */
export interface Reference {
  readonly kind: 'id' | 'phase' | 'number' | 'words'
  /** `T-1`, `1`, `1.1`, or the words. */
  readonly name: string
  /** True when nothing else stands beside it: "1.1", not "Python 3.11". */
  readonly alone: boolean
  /** The words that it stands in. */
  readonly part: string
}

const nothing =
  /^(?:none|nothing|no|n\/?a|nil|[-–—.]*|no (?:dependenc|prerequisite)\w*)\.?(?:\s*[(–—-].*)?$/i
const id =
  /(?<![\w-])(?:T-[A-Za-z0-9](?:[\w.-]*\w)?|T\d+(?!\w)|[A-Z][A-Z0-9]{0,15}(?:-[A-Z0-9]+)*-\d(?:[\w.-]*\w)?)/
const phase = /\bphases?\s+(?<phase>\d+(?:\.\d+)*)/
const named = /(?:\b(?:tasks?|sections?|steps?|items?)\s+|#)(?<named>\d+(?:\.\d+)*)/
const dotted = /(?<![\w.])(?<dotted>\d+(?:\.\d+)+)(?!\w)/
const forms = new RegExp(
  [`(?<id>${id.source})`, phase, named, dotted].map(sourceOf).join('|'),
  'gi',
)

function sourceOf(pattern: string | RegExp): string {
  return typeof pattern === 'string' ? pattern : pattern.source
}

/** The names in a dependency's text: `T-1, T-2`, `1.1 and 1.2`, `Phase 1`, a title. */
export function readReferences(value: string): Reference[] {
  let kind: Reference['kind'] = 'number'
  return splitParts(value).flatMap((part): Reference[] => {
    if (nothing.test(part)) return []
    // "Phases 1, 2 and 3": a bare number is what the one before it was.
    if (/^\d+$/.test(part)) return [toReference(kind, part, part)]
    const found = readForms(part)
    kind = found.at(-1)?.kind ?? 'number'
    return found.length > 0 ? found : [{ kind: 'words', name: part, alone: true, part }]
  })
}

function splitParts(value: string): string[] {
  const unmarked = value.replaceAll('`', ' ').replace(/[[\]]/g, ' ')
  return unmarked
    .split('\n')
    .flatMap((line) => plainWords(line).split(/ ?[,;&] ?| and /i))
    .map((part) => part.trim())
}

function readForms(part: string): Reference[] {
  return [...part.matchAll(forms)].map(({ 0: whole, groups = {} }) => {
    if (groups.id !== undefined) return toReference('id', groups.id, part, whole)
    if (groups.phase !== undefined) return toReference('phase', groups.phase, part, whole)
    return toReference('number', groups.named ?? groups.dotted ?? '', part, whole)
  })
}

function toReference(
  kind: Reference['kind'],
  name: string,
  part: string,
  whole: string = part,
): Reference {
  const full = kind === 'id' ? name.replace(/^T?(?=\d)/i, 'T-') : name
  return { kind, name: full, alone: whole.trim() === part.replace(/\.$/, ''), part }
}

export interface Phrase {
  /** What it names, as it is written. */
  readonly value: string
  /** What it names must be a task: it says so, or stands apart for it. */
  readonly isPlain: boolean
  /** It may be a title, not only an id or a number. */
  readonly mayBeWords: boolean
}

/** False for a text that cannot have one. */
export const tellsPhrases = (text: string): boolean =>
  /\b(?:blocked by|depend|needs|requires|after)\b|\bdepends?\b/i.test(text)

const verbs =
  /(?<start>^[\s>*+-]*|[([]\s*|[,;]\s+|\s[–—-]+\s+)(?:is\s+|but\s+)?(?<verb>blocked by|depend(?:s|ent|ing)?(?: (?:up)?on|:)|needs|requires|after)[:\s]\s*(?<value>[^()[\]\n;]{1,200})/giu
const sentenceEnd = /\.\s|[.!?]$|\s[–—]\s|\s-\s/u

/** The dependencies that a line tells in words: "— blocked by 1.3", "[depends: 1.1]", "(after Add the store)". */
export function readPhrases(line: string): readonly Phrase[] {
  if (!tellsPhrases(line)) return []
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
