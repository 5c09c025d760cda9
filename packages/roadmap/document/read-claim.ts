import { isTaskId } from '../../task/task.ts'

/**
 * The id at the start of a task's text. A `firm` one is certainly meant as an id; another counts only when no other
 * task has the same. `invalid` looks like an id but breaks the rules.
 */
export type Claim =
  | { readonly id: string; readonly firm: boolean }
  | { readonly invalid: string }
  | null

export const claimedId = (claim: Claim): string | null => (claim && 'id' in claim ? claim.id : null)

export interface ClaimedText {
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
export function readFormerClaim(text: string): ClaimedText {
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
