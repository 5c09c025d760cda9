/** Reads dependencies in labels and sentences. */
import { plainWords } from '../../text/text.ts'

/** One name in a dependency; `place` is "the previous task", `words` is text in no known form. */
export interface Reference {
  readonly kind: 'id' | 'phase' | 'number' | 'place' | 'words'
  /** `T-1`, `1`, `1.1`, or the words. */
  readonly name: string
  /** True for "1.1"; false for "Python 3.11", where the name is only part of the text. */
  readonly alone: boolean
  /** The text that contains the name. */
  readonly part: string
  readonly place?: PlaceReference
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

/** `api:T-1`: a task of another repository of the workspace. */
const elsewhere = new RegExp(
  String.raw`(?<![\w:/.@-])([a-z][a-z0-9]*(?:[._-][a-z0-9]+)*):(${id.source.replace(/^\(\?<!.*?\)/, '')})`,
  'g',
)

/** The tasks of other repositories in a dependency's text, and the rest of it. */
export function takeElsewhere(value: string): {
  readonly elsewhere: readonly string[]
  readonly rest: string
} {
  const names = [...value.matchAll(elsewhere)].map(
    ([, repository, task]) => `${repository}:${task}`,
  )
  if (names.length === 0) return { elsewhere: [], rest: value }
  return { elsewhere: [...new Set(names)], rest: value.replaceAll(elsewhere, '') }
}

/** Splits a dependency's text into names: `T-1, T-2`, `1.1 and 1.2`, `Phase 1`, a title. */
export function readReferences(value: string): Reference[] {
  let kind: Reference['kind'] = 'number'
  return splitParts(value).flatMap((part): Reference[] => {
    if (nothing.test(part)) return []
    // "Phases 1, 2 and 3": a bare number is of the same kind as the one before it.
    const bare = /^(\d+)(?: (?:tasks?|steps?|items?|complete[d]?|done|finished))?$/.exec(part)?.[1]
    if (bare !== undefined) return [toReference(kind, bare, bare)]
    const place = readPlace(part)
    if (place !== null) return [{ kind: 'place', name: part, alone: true, part, place }]
    const found = exception.test(part) || holdsRange(part) ? [] : readForms(part)
    kind = found.at(-1)?.kind ?? 'number'
    return found.length > 0 ? found : [{ kind: 'words', name: part, alone: true, part }]
  })
}

/** "All of phase 1 except T-2" is no list of names. */
const exception = /\b(?:except|excluding|other than|but not|without)\b/i

/** "both T-1", "all of phases" before names. */
const allOf = /^(?:all|both|each)(?: of)?(?: the)? (?=T-?\d|[A-Z]+-\d|#?\d|[a-z]+\s+\d)/i

function splitParts(value: string): string[] {
  const unmarked = value.replaceAll('`', ' ').replace(/[[\]]/g, ' ')
  return unmarked
    .split('\n')
    .flatMap((line) => writeOutRanges(plainWords(line)).split(/ ?[,;&] ?| and /i))
    .map((part) => part.trim().replace(allOf, ''))
}

const readForms = (part: string): Reference[] =>
  [...part.matchAll(forms)].map(({ 0: whole, groups = {} }) => {
    if (groups.id !== undefined) return toReference('id', groups.id, part, whole)
    if (groups.phase !== undefined) return toReference('phase', groups.phase, part, whole)
    return toReference('number', groups.named ?? groups.dotted ?? '', part, whole)
  })

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
  /** The name as written. */
  readonly value: string
  /** True when the phrase clearly names a task: "blocked by …", "depends on …", or "(after …)". */
  readonly isPlain: boolean
  /** True when the name may be a title, not only an id or a number. */
  readonly mayBeWords: boolean
}

/** A cheap test; false for a text that cannot contain a phrase. */
export const tellsPhrases = (text: string): boolean =>
  /\b(?:blocked by|depend|needs|requires|after)\b|\bdepends?\b/i.test(text)

const verbs =
  /(?<start>^[\s>*+-]*|[([]\s*|[,;]\s+|\s[–—-]+\s+)(?:is\s+|but\s+)?(?<verb>blocked by|depend(?:s|ent|ing)?(?: (?:up)?on|:)|needs|requires|after)[:\s]\s*(?<value>[^()[\]\n;]{1,200})/giu
// A dash between two names makes a range of them.
const sentenceEnd = /\.\s|[.!?]$|(?<!\d)\s[–—-]\s|\s[–—-]\s(?!T?-?#?\d|[A-Z]+-\d)/u

/** Finds dependencies within a line: "— blocked by 1.3", "[depends: 1.1]", "(after Add the store)". */
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

/** Names of tasks by their place: "the previous task", "all of the above", "all previous phases", "everything else". */
interface PlaceReference {
  readonly unit: 'task' | 'section' | 'phase'
  /** The nearest one before, all before, or all others. */
  readonly which: 'previous' | 'above' | 'others'
}

const units =
  '(?<unit>tasks?|items?|steps?|tickets?|stor(?:y|ies)|box(?:es)?|ones?|sections?|milestones?|phases?|stages?)'
const before = '(?:previous|preceding|prior|earlier|above)'
const after = '(?:above|before(?: (?:this|it))?|so far)'
const all = '(?:all|everything|each|every)(?: (?:of )?(?:the|these|those))?'

const places = (
  [
    ['above', `${all} ${before}(?: ${units})?|(?:the )?above|${all} ${after}`],
    ['above', `${all} ${units} ${after}`],
    ['previous', `(?:the )?${before}(?: ${units})?`],
    ['previous', `(?:the )?${units} ${after}`],
    ['others', `${all}(?: (?:other|others|else|remaining|current))?(?: ${units})?`],
  ] as const
).map(([which, pattern]) => ({ which, pattern: new RegExp(`^(?:${pattern})$`) }))

/** A cheap test: false for a text that cannot name a task by its place. */
export const mayBePlace = (text: string): boolean =>
  /\b(?:all|every|everything|each|previous|preceding|prior|earlier|above|before)\b/i.test(text)

/** Reads a name by place; `null` for any other text. */
function readPlace(text: string): PlaceReference | null {
  if (!mayBePlace(text)) return null
  const words = text
    .toLowerCase()
    .replace(/\s*\([^()]*\)$|[.:]$/, '')
    .replace(/^(?:on|of) /, '')
    .replace(/ (?:(?:is|are|being) )?(?:done|completed?|finished|merged)$/, '')
    .trim()
  for (const { which, pattern } of places) {
    const found = pattern.exec(words)
    if (found === null) continue
    const unit = found.groups?.unit ?? 'task'
    const isMany = which === 'previous' && /s$/.test(unit)
    return { unit: unitOf(unit), which: isMany ? 'above' : which }
  }
  return null
}

function unitOf(word: string): PlaceReference['unit'] {
  if (/^(?:phase|stage)/.test(word)) return 'phase'
  return /^(?:section|milestone)/.test(word) ? 'section' : 'task'
}

/**
 * The places of the tasks that such a name means for the task at `at`.
 *
 * @param groups what each task counts to, in order; the tasks of one phase have one value
 */
export function placesOf(
  { which }: PlaceReference,
  groups: readonly unknown[],
  at: number,
): readonly number[] {
  const places = [...groups.keys()]
  if (which === 'others') return places.filter((place) => groups[place] !== groups[at])
  const last = groups.findLastIndex((group, place) => place < at && group !== groups[at])
  if (which === 'above') return places.slice(0, last + 1)
  return places.slice(0, last + 1).filter((place) => groups[place] === groups[last])
}

/** Ranges of names: `T001-T003`, `1.1..1.4`, "phases 2 to 4", "ENG-7 through ENG-9". */

const number = String.raw`(?:\d+\.)*\d+`
const prefixed = `(?:T-|T(?=\\d)|[A-Z]{1,4}(?=\\d)|#|[A-Z][A-Z0-9]{0,15}(?:-[A-Z0-9]+)*-)${number}`
const sign = String.raw`\s*(?:\.{2,3}|…|[–—→~]|->)\s*|\s+(?:-|to|through|thru|until|up to|bis|à|al?|até|tot|до)\s+`
/** A number that has no letters around it is a name at the start of a part, or behind a word for such things. */
const bareNumber = String.raw`(?<=(?:^|[,;&([\n]|\band|\b(?:tasks?|sections?|steps?|items?|phases?|stages?))\s*)`
const ends = String.raw`(?=\s*(?:$|[,;&()\].\n]|and\b|tasks?\b|complete|done|finished))`
// A hyphen may belong to an id: alone, it needs the prefix again, or one without a hyphen: `T-1-T-3`, `T001-003`.
const ranges = [
  String.raw`(?<![\w.-])(${prefixed})(?:${sign}|-(?=T-?\d|#\d|[A-Z]+-\d|[A-Z]{1,4}\d))(${prefixed}|${number}${ends})(?![\w-]|\.\d)`,
  String.raw`(?<![\w.-])((?:T|#)${number})-(${number})(?![\w-]|\.\d)`,
  `${bareNumber}(${number})(?:${sign}|-)(${number})${ends}`,
].map((pattern) => new RegExp(pattern, 'gi'))

/** Returns true for a range with letters that could not be written out, so that its ends alone mean nothing. */
const holdsRange = (text: string): boolean =>
  ranges.slice(0, 2).some((range) => text.search(range) >= 0)

/** More names than this are no range. */
const most = 500

/** Writes out every range of a text, name by name; a range whose ends do not fit together stays. */
const writeOutRanges = (text: string): string =>
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
