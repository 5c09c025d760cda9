import { changeState, joinPatches, type StatePatch } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Message } from '../../core/ports/model.ts'
import { shortenFile } from '../prompts/compose-prompt.ts'
import type { JsonReading } from '../prompts/read-json.ts'
import {
  aboutModel,
  askModel,
  type ModelAnswer,
  type ModelPorts,
  type ModelQuestion,
  mayAsk,
  noteRemedy,
  shownOf,
  unlessRejected,
} from './ask-model.ts'

/** `problem` says why the last answer could not be used. */
export type ReadAnswer<Value> =
  | { readonly status: 'read'; readonly value: Value; readonly patch: StatePatch }
  | { readonly status: 'unreadable'; readonly problem: string; readonly patch: StatePatch }
  | Exclude<ModelAnswer, { readonly status: 'answered' }>

/** Characters of a bad answer that are quoted back to the model. */
const longestShown = 4_000

/** `form` is the wanted form in one line, for an answer that lacks it. */
interface ReadableQuestion extends ModelQuestion {
  readonly form?: string
}

/**
 * Asks for an answer of a certain form. Asks once more, with the form in one line and the problem last, when the
 * answer lacks that form and retries and budget allow it. The same answer again is not read again.
 */
export async function askReadable<Value>(
  state: RunState,
  ports: ModelPorts,
  question: ReadableQuestion,
  read: (answer: string) => JsonReading<Value> | Promise<JsonReading<Value>>,
): Promise<ReadAnswer<Value>> {
  const first = await askModel(state, ports, question)
  if (first.status !== 'answered') return first
  const reading = await read(first.text)
  const { patch } = first
  if ('value' in reading) return { status: 'read', ...reading, patch }
  const problem = describeProblem(first, reading.problem)
  const now: RunState = changeState(state, patch)
  if (!mayAsk(now, 'ask_again')) return { status: 'unreadable', problem, patch }
  const messages = (share: number) => [
    ...shownOf(question, share),
    // A model that sees its repetition continues it.
    ...objection(first.runaway ? '' : first.text, problem, question.form),
  ]
  // The first question was answered: when the endpoint refuses the second, the run continues without it.
  const again = await unlessRejected(askModel(now, ports, { ...question, messages }))
  if (again === null) return { status: 'unreadable', problem, patch }
  const spent = joinPatches(patch, again.patch)
  // An unreadable first answer does not end the task, and its cost still counts.
  if (again.status === 'over_budget' || again.status === 'too_large') {
    return { status: 'unreadable', problem, patch: spent }
  }
  if (again.status === 'unavailable') return { ...again, patch: spent }
  const isSame = again.text.trim() === first.text.trim()
  const second = isSame ? { problem } : await read(again.text)
  const tried = aboutModel(state, 'ask_again', problem, '')
  const noted = noteRemedy(changeState(now, again.patch), { ...tried, worked: 'value' in second })
  const after = joinPatches(spent, noted)
  return 'value' in second
    ? { status: 'read', ...second, patch: after }
    : { status: 'unreadable', ...second, patch: after }
}

function describeProblem(
  { finish, why, runaway }: Extract<ModelAnswer, { readonly status: 'answered' }>,
  problem: string,
): string {
  if (runaway) return `it repeated itself and was cut off; ${problem}`
  if (why !== undefined) return `${why}; ${problem}`
  return finish === 'length' ? `it was cut off; ${problem}` : problem
}

/** The conversation so far, the wanted form, and last the problem. Some endpoints refuse an empty turn. */
function objection(answer: string, problem: string, form = 'the JSON'): readonly Message[] {
  const said: readonly Message[] =
    answer.trim() === '' ? [] : [{ role: 'assistant', content: shortenFile(answer, longestShown) }]
  const content = `Reply once more, in another way, with nothing but ${form}\nYour last answer cannot be used: ${problem}.`
  return [...said, { role: 'user', content }]
}
