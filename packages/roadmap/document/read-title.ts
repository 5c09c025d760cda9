import { plainWords } from '../../text/text.ts'
import type { ListItem } from './list-item.ts'
import {
  type Claim,
  claimedId,
  readFormerClaim,
  readOtherClaim,
  readOwnClaim,
} from './read-claim.ts'
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
