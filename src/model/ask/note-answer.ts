/** The requests that an attempt has answers to: it sends each once. */
import { changeState, joinPatches, type StatePatch } from '../../core/domain/change-state.ts'
import type { RecordedAnswer } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Message } from '../../core/ports/model.ts'
import { digestRequest } from './identify-request.ts'

/** The first sample, from `least` on, that this attempt has no answer to. */
export function freeSample(
  { attempt }: RunState,
  model: string,
  messages: readonly Message[],
  least: number,
): { readonly sample: number; readonly digest: string } {
  const asked = new Set(attempt?.asked ?? [])
  for (let sample = least; ; sample += 1) {
    const digest = digestRequest(model, messages, sample)
    if (!asked.has(digest)) return { sample, digest }
  }
}

export interface AskedBefore {
  readonly model: string
  readonly digest: string
}

/** Notes that the attempt has an answer to this request, and the speed, which the context of later requests follows. */
export function noteAnswer(
  state: RunState,
  { model, digest, promptSpeed }: AskedBefore & Pick<RecordedAnswer, 'promptSpeed'>,
  patch: StatePatch,
): StatePatch {
  const { attempt, learned } = changeState(state, patch)
  const speeds = { ...learned.speeds, ...(promptSpeed && { [model]: promptSpeed }) }
  const noted = promptSpeed === undefined ? patch : joinPatches(patch, { learned: { speeds } })
  if (attempt === null) return noted
  return joinPatches(noted, { attempt: { ...attempt, asked: [...attempt.asked, digest] } })
}
