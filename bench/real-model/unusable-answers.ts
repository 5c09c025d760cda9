/** Answers that no program could use, by cause, and requests that were sent twice. */
import type { JournalEvent } from '../../src/core/domain/journal-event.ts'
import type { Exchange } from './record-proxy.ts'

export type Causes = Readonly<Record<string, number>>

export interface Usability {
  readonly unusable: Causes
  /** Whether the first answer could be used; `null` without one. */
  readonly isFirstUsable: boolean | null
}

const count = (causes: readonly string[]): Causes =>
  Object.fromEntries(
    [...new Set(causes)].map((cause) => [cause, causes.filter((each) => each === cause).length]),
  )

/** By the form that the program asks for. */
export function usabilityByForm(exchanges: readonly Exchange[], usable: RegExp): Usability {
  const causes = exchanges.map((exchange) => causeOf(exchange, usable))
  const [first] = causes
  return {
    unusable: count(causes.filter((cause) => cause !== null)),
    isFirstUsable: first === undefined ? null : first === null,
  }
}

function causeOf(exchange: Exchange, usable: RegExp): string | null {
  const { status, isCut, finish, text, toolCalls } = exchange
  if (status < 200 || status > 299) return `status ${status}`
  if (usable.test(`${text}\n${toolCalls}`)) return null
  if (isCut || finish === 'length') return 'cut off'
  return text.trim() === '' ? 'empty' : 'no code'
}

/** Outcomes that mean that the step's answer was of no use, before any test ran it. */
const useless: Readonly<Record<string, RegExp>> = {
  execute_task: /^(?:claims_done|silent|too_large|failed)$/,
  run_agent: /^(?:claims_done|failed)$/,
  validate_code: /^(?:invalid|invalid_again|repairs_spent)$/,
  repair_code: /^too_large$/,
  repair_test: /^(?:failed|too_large)$/,
  write_files: /^(?:unfit|refused)$/,
}

/** By what the executor's journal says of each step. */
export function usabilityByJournal(events: readonly JournalEvent[]): Usability {
  const judged = events.flatMap((event, index): readonly (string | null)[] => {
    if (event.kind !== 'stepped') return []
    const { node, outcome } = event
    if (useless[node]?.test(outcome)) return [causeAfter(events, index) ?? `${node}: ${outcome}`]
    return node === 'validate_code' && outcome === 'valid' ? [null] : []
  })
  const [first] = judged
  return {
    unusable: count(judged.filter((cause) => cause !== null)),
    isFirstUsable: first === undefined ? null : first === null,
  }
}

/** The error that the step noted, if it did: its type, or what was wrong with the answer, without details. */
function causeAfter(events: readonly JournalEvent[], index: number): string | null {
  for (const event of events.slice(index + 1)) {
    if (event.kind === 'stepped') return null
    if (event.kind !== 'failed') continue
    const { type } = event.error
    return type === 'model_error'
      ? (event.message.split(/[;:.]/)[0] ?? '').replaceAll(/\d+/g, 'N')
      : type
  }
  return null
}

/** Requests equal to an earlier one but for digits, at the same temperature and sample. */
export function countRepeats(exchanges: readonly Exchange[]): number {
  const asked = exchanges.map(({ path, request }) => {
    const { messages, prompt, input, tools, response_format, temperature, seed } = request
    const said = JSON.stringify({ messages, prompt, input }).replaceAll(/\d+/g, '#')
    return JSON.stringify({ path, said, tools, response_format, temperature, seed })
  })
  return asked.length - new Set(asked).size
}
