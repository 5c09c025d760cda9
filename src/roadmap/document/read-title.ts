import { isTaskId } from '../../core/domain/task-id.ts'
import { plainWords } from '../../text/markdown/inline-text.ts'
import type { ListItem } from './list-item.ts'
import { readLabel } from './read-fields.ts'

/** What the first words of a task say. */
export interface TaskTitle {
  /** Without the id, the dependencies and the marks. */
  readonly title: string
  /** The id written in it; `invalid` holds what claims to be one and is not. */
  readonly claim: { readonly id: string } | { readonly invalid: string } | null
  /** A name that others may refer to: "task 3", "auth-1". Lower case. */
  readonly label: string | null
  /** What stands in `(depends on …)`. */
  readonly dependsOn: readonly string[]
  /** How many lines of the item's text the title takes. */
  readonly lines: number
}

const dependencyNote =
  /\s?\((?:(?:depends(?: (?:up)?on)?|blocked by):? |(?:requires|after):? (?=T-?\d|\d+\.\d|(?:phase|task) \d))([^()]*)\)/gi
const parallelMark = /(?:^|\s)\[P\](?=\s|$)/g

export function readTitle(item: ListItem): TaskTitle {
  const lines = countTitleLines(item.text)
  const words = plainWords(item.text.slice(0, lines).join(' '))
  const dependsOn = [...words.matchAll(dependencyNote)].map((match) => match[1] ?? '')
  const plain = words.replace(dependencyNote, '').replace(parallelMark, '').trim()
  const { claim, rest } = readClaim(plain)
  const title = rest || plain || words
  return { title, claim, label: readLabelWord(plain), dependsOn, lines }
}

// The first line, and those that go on with its sentence: wrapped words, not a new thought.
function countTitleLines(text: readonly string[]): number {
  let count = text[0] === '' ? 2 : 1
  while (goesOn(text[count - 1] ?? '', text[count] ?? '')) count += 1
  return Math.min(count, text.length)
}

function goesOn(line: string, next: string): boolean {
  return !/[.:!?]$/.test(line) && /^[\p{Ll}(`]/u.test(next) && readLabel(next) === null
}

const enclosed = /^(?:\[(T-[^\]]*|T\d+)\]|`(T-[^`]*)`|\((T-[^)]*)\)|[*_](T-[^*_]*)[*_])/
const bare = /^T-[^\s:]*/
const numbered = /^T(\d{1,16})(?=[\s:\]]|$)/
const dotted = /^(?:\[?(?:task|step)?\s*)(\d+(?:\.\d+)+)\]?[.):]?(?=\s)/i
const separator = /^\s*(?::\s*|[–—-]\s+)?/

function readClaim(text: string): { claim: TaskTitle['claim']; rest: string } {
  const held = enclosed.exec(text)
  const written = held?.slice(1).find((group) => group !== undefined) ?? bare.exec(text)?.[0]
  if (written !== undefined && !(held === null && isWord(written, text))) {
    const id = written.replace(numbered, 'T-$1')
    const rest = text.slice(held?.[0].length ?? written.length).replace(separator, '')
    return { claim: isTaskId(id) ? { id } : { invalid: written }, rest }
  }
  const number = numbered.exec(text) ?? dotted.exec(text)
  const id = `T-${number?.[1]}`
  if (number === null || !isTaskId(id)) return { claim: null, rest: text }
  return { claim: { id }, rest: text.slice(number[0].length).replace(separator, '') }
}

// "T-shirt sizes" begins with a word, "T-shirt: sizes" with an id.
function isWord(written: string, text: string): boolean {
  return /^T-[A-Za-z]+(?:-[A-Za-z]+)*$/.test(written) && text[written.length] !== ':'
}

const labelWord = /^\[?((?:task|step|item|story)\s+\d+(?:\.\d+)*|[a-z]+-[\w.-]*\w|#?\d+)\b/i

function readLabelWord(text: string): string | null {
  return labelWord.exec(text)?.[1]?.toLowerCase().replace(/\s+/g, ' ') ?? null
}
