/** What a call to the model leaves in the journal and in the day's spending. */

import { classifyText, signatureOf } from '../../../packages/diagnosis/diagnosis.ts'
import { nodeOf } from '../../core/domain/change-state.ts'
import type { JournalEntry } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens, type Usage } from '../../core/domain/usage.ts'
import type { ModelReply } from '../../core/ports/model.ts'
import type { Ports } from '../../core/ports.ts'

export const attemptPlace = ({ attempt }: RunState) => ({
  task: attempt?.task.id ?? null,
  attempt: attempt?.number ?? null,
})

/** Records each retry of the endpoint as an error of the history, with the wait as its remedy. */
export async function recordSetbacks(
  state: RunState,
  reply: ModelReply,
  { store }: Pick<Ports, 'store'>,
): Promise<void> {
  const { setbacks = [] } = reply
  if (setbacks.length === 0) return
  const rows = setbacks.flatMap(({ reason, seconds }, at): JournalEntry[] => {
    const { type, severity, recoverable, line: message } = classifyText(reason)
    const signature = signatureOf({ type, tool: 'model', message })
    const about = { ...attemptPlace(state), node: nodeOf(state), signature }
    const worked = reply.status === 'answered' && at === setbacks.length - 1
    const fix = `waited ${seconds.toFixed(1)} s`
    return [
      { kind: 'failed', ...about, message, error: { type, severity, recoverable } },
      { kind: 'remedied', ...about, type, strategy: 'back_off', fix, worked },
    ]
  })
  await store.record(state.run.id, rows)
}

/** Writes the spending to disk before the answer is used: a killed run has spent it, too. */
export async function recordSpending(
  usage: Usage,
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<void> {
  const tokens = totalTokens(usage)
  if (tokens === 0 && usage.dollars === 0) return
  await store.recordSpending({ at: clock.now(), tokens, dollars: usage.dollars })
}
