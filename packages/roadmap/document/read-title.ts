import { isTaskId } from '../../task/task.ts'
import { plainWords } from '../../text/text.ts'
import type { ListItem } from './list-item.ts'
import { type Field, readLabel } from './read-fields.ts'

/** The parts of a task's title. */
export interface TaskTitle {
  /** Without the id, dependency notes and marks. */
  readonly title: string
  readonly claim: Claim
  /** The title including the words that may be an id. */
  readonly whole: string
  /** Title and id as earlier versions read them, if different: work that they began is found by these. */
  readonly former: { readonly title: string; readonly claim: Claim } | null
  /** The text in `(depends on …)` and `(prerequisite: …)`. */
  readonly notes: readonly Pick<Field, 'name' | 'value'>[]
  /** The number of lines of the item's text that the title takes. */
  readonly lines: number
}

const dependencyNote =
  /\s?\((?:(?:depends(?: (?:up)?on)?|blocked by):? |(?:requires|after):? (?=T-?\d|\d+\.\d|(?:phase|task) \d))([^()]*)\)/gi
const prerequisiteNote = /\s?\(prerequisites?: ([^()]*)\)/gi
const parallelMark = /(?:^|\s)\[P\](?=\s|$)/g

export function readTitle(item: ListItem): TaskTitle {
  const lines = countTitleLines(item.text)
  const words = plainWords(item.text.slice(0, lines).join(' '))
  const notes = readNotes(words)
  const noted = words.replace(dependencyNote, '').replace(prerequisiteNote, '')
  const plain = noted.replace(parallelMark, '').trim()
  const whole = plain || words
  const own = readOwnClaim(plain)
  const { claim, rest } = own ?? readOtherClaim(plain)
  const before = own ?? readFormerClaim(plain)
  const former =
    before.rest === rest && claimedId(before.claim) === claimedId(claim)
      ? null
      : { title: before.rest || whole, claim: before.claim }
  return { title: rest || whole, claim, whole, former, notes, lines }
}

const none: readonly never[] = []

function readNotes(words: string): TaskTitle['notes'] {
  if (!words.includes('(')) return none
  const read = (name: Field['name'], pattern: RegExp) =>
    [...words.matchAll(pattern)].map((match) => ({ name, value: match[1] ?? '' }))
  return [...read('depends', dependencyNote), ...read('prerequisite', prerequisiteNote)]
}

// The first line, and the lines that continue its sentence: wrapped words, not a new thought.
function countTitleLines(text: readonly string[]): number {
  let count = text[0] === '' ? 2 : 1
  while (goesOn(text[count - 1] ?? '', text[count] ?? '')) count += 1
  return Math.min(count, text.length)
}

const goesOn = (line: string, next: string): boolean =>
  !/[.:!?]$/.test(line) && /^[\p{Ll}(`]/u.test(next) && readLabel(next) === null

/** `Task 2`, or any other word before a number and a title: `Quest 2: Cross the river`. */
const labelWord =
  /^\[?((?:task|step|item|story)\s+\d+(?:\.\d+)*|(?!phase|section)\p{L}+\s+\d+(?:\.\d+)*(?=\]?\s*[:：–—-]|\.\s)|[a-z]+-[\w.-]*\w|#?\d+)\b/iu

/** The name in a whole title that others may refer to, in lower case: "task 3", "auth-1". */
export const labelOf = ({ whole: text }: TaskTitle): string | null =>
  labelWord.exec(text)?.[1]?.toLowerCase().replace(/\s+/g, ' ') ?? null

/**
 * The id at the start of a task's text. A `firm` one is certainly meant as an id; another counts only when no other
 * task has the same. `invalid` looks like an id but breaks the rules.
 */
export type Claim =
  | { readonly id: string; readonly firm: boolean }
  | { readonly invalid: string }
  | null

export const claimedId = (claim: Claim): string | null => (claim && 'id' in claim ? claim.id : null)

interface ClaimedText {
  readonly claim: Claim
  /** The text after the id. */
  readonly rest: string
}

const enclosed = /^(?:\[(T-[^\]]*|T\d+)\]|`(T-[^`]*)`|\((T-[^)]*)\)|[*_](T-[^*_]*)[*_])/
const bare = /^T-[^\s:]*/
const numbered = /^T(\d{1,16})(?=[\s:\]]|$)/
const dotted = /^(\[?)(?:task|step)?\s*(\d+(?:\.\d+)+)(\]?[.):]?)(?=\s)/i
const separator = /^\s*(?:[:：]\s*|[–—-]\s+)?/

const trackers = '[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\\d(?:[\\w.-]*\\w)?|#\\d{1,9}'
const tracked = new RegExp(
  `^(?:\\[(${trackers})\\]|\`(${trackers})\`|\\((${trackers})\\)|[*_](${trackers})[*_]|(${trackers}))(?![\\w/])`,
)
/** Names of standards and techniques that look like ids. */
const terms =
  /^(?:AES|ARM|ASCII|BASE|CP|ECMA|ED|ES|GPT|HTTP|IPV|ISO|IEEE|MD|PEP|PKCS|RFC|RS|RSA|SHA|TLS|USB|UTC|UTF|WCAG|X)-/
const newTask = /^\s+[\p{Lu}\d`"'[]/u

/** Reads an id in another form, `1.1`, `ENG-42` or `#17`, from the start of a text. */
export function readOtherClaim(text: string): ClaimedText {
  const number = dotted.exec(text)
  if (number !== null) return readDotted(text, number)
  const found = tracked.exec(text)
  const written = found?.slice(1).find((group) => group !== undefined)
  if (found === null || written === undefined) return { claim: null, rest: text }
  const after = text.slice(found[0].length)
  const isIssue = written.startsWith('#')
  const id = written.replace('#', 'T-')
  const firm = !isIssue && (found[5] === undefined || /^\s*(?:[:：]|[–—-]\s)/.test(after))
  const isMeant = firm || isIssue ? /^[\s:：]|^$/.test(after) : newTask.test(after)
  if (!isTaskId(id) || !isMeant || (!firm && terms.test(id))) return { claim: null, rest: text }
  return { claim: { id, firm }, rest: after.replace(separator, '') }
}

/** Reads an id as versions without support for other trackers did, so that work they began keeps its name. */
function readFormerClaim(text: string): ClaimedText {
  const number = dotted.exec(text)
  if (number === null || !isTaskId(`T-${number[2]}`)) return { claim: null, rest: text }
  return { claim: { id: `T-${number[2]}`, firm: true }, rest: afterNumber(text, number) }
}

/** Reads `T-1`, in any brackets, or `T001`. */
export function readOwnClaim(text: string): ClaimedText | null {
  const held = enclosed.exec(text)
  const written = held?.slice(1).find((group) => group !== undefined) ?? bare.exec(text)?.[0]
  if (written !== undefined && !(held === null && isWord(written, text))) {
    const id = written.replace(numbered, 'T-$1')
    const rest = text.slice(held?.[0].length ?? written.length).replace(separator, '')
    return { claim: isTaskId(id) ? { id, firm: true } : { invalid: written }, rest }
  }
  const number = numbered.exec(text)
  const id = `T-${number?.[1]}`
  if (number === null || !isTaskId(id)) return null
  return { claim: { id, firm: true }, rest: text.slice(number[0].length).replace(separator, '') }
}

// "Task 1.1 attempts it" is a sentence; "Task 1.1: attempt it" and "1.1 attempt it" begin with an id.
function readDotted(text: string, number: RegExpExecArray): ClaimedText {
  const id = `T-${number[2]}`
  const after = text.slice(number[0].length)
  const isClosed = number[1] !== '' || number[3] !== '' || /^\s+[–—-]\s/.test(after)
  const isSentence = /^\[?[a-z]/i.test(text) && !isClosed && !newTask.test(after)
  if (isSentence || !isTaskId(id)) return { claim: null, rest: text }
  return {
    claim: { id, firm: isClosed || newTask.test(after) },
    rest: afterNumber(text, number),
  }
}

const afterNumber = (text: string, number: RegExpExecArray): string =>
  text.slice(number[0].length).replace(separator, '')

// "T-shirt sizes" begins with a word, "T-shirt: sizes" with an id.
const isWord = (written: string, text: string): boolean =>
  /^T-[A-Za-z]+(?:-[A-Za-z]+)*$/.test(written) && text[written.length] !== ':'
