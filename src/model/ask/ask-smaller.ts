import { nodeOf } from '../../core/domain/attempt.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { TriedRemedy } from '../../core/domain/step-error.ts'
import type { Message, ModelRequest } from '../../core/ports/model.ts'
import { mayTry } from '../../text/diagnosis/remedy-table.ts'
import { signatureOf } from '../../text/diagnosis/signature.ts'
import { askModel, type ModelAnswer, type ModelPorts } from './ask-model.ts'

/** A question that can be asked with less around it. */
export interface ModelQuestion {
  readonly purpose: ModelRequest['purpose']
  /** What is asked with this share, 1 or less, of what could be shown. */
  readonly messages: (share: number) => readonly Message[]
  readonly maxOutputTokens?: number
  readonly json?: boolean
}

const shares = [1 / 2, 1 / 4, 1 / 8]

/**
 * Asks the model, and again with less where that is more than it can read: three times at most, each
 * noted as a remedy of the attempt.
 */
export async function askSmaller(
  state: RunState,
  ports: ModelPorts,
  question: ModelQuestion,
): Promise<ModelAnswer> {
  let asked = await askModel(state, ports, { ...question, messages: question.messages(1) })
  for (const share of shares) {
    if (asked.status !== 'too_large') return asked
    const { reason, patch, wasAsked } = asked
    const now: RunState = { ...state, ...patch }
    if (wasAsked && !mayAsk(now, 'smaller_scope')) return asked
    const next = await askModel(now, ports, { ...question, messages: question.messages(share) })
    const fix = `asked with 1/${1 / share} of the context`
    const tried = aboutModel(now, 'smaller_scope', reason, fix)
    const after = { ...now, ...next.patch }
    // What was known of the model is no error of this step.
    const noted = wasAsked
      ? noteRemedy(after, { ...tried, worked: next.status !== 'too_large' })
      : {}
    asked = { ...next, patch: { ...patch, ...next.patch, ...noted } } as ModelAnswer
  }
  return asked
}

/** Of a list its beginning, and never nothing of something. */
export const firstOf = <Each>(list: readonly Each[], share: number): readonly Each[] =>
  list.slice(0, Math.ceil(list.length * share))

/** Where no attempt is under way nothing counts but the caller's own bound. */
export const mayAsk = ({ attempt }: RunState, remedy: 'ask_again' | 'smaller_scope'): boolean =>
  attempt === null || mayTry(attempt.remedies, 'model_error', remedy)

export const noteRemedy = (
  { attempt }: RunState,
  tried: TriedRemedy,
): Pick<RunState, 'attempt'> => ({
  attempt: attempt && { ...attempt, remedies: [...attempt.remedies, tried] },
})

/** A try against what the model or its endpoint did wrong. */
export function aboutModel(
  state: RunState,
  strategy: 'ask_again' | 'smaller_scope',
  message: string,
  fix: string,
): TriedRemedy {
  const type = 'model_error'
  const node = nodeOf(state)
  const signature = signatureOf({ type, tool: node, message })
  return { node, type, strategy, signature, message, subject: '', fix, worked: null }
}
