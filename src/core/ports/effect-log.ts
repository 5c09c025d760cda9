import type { EffectKind, Recorded } from '../domain/journal-event.ts'

export type EffectOutcome = Recorded<'effected'>['outcome']

/** Records intended writes outside this machine, and their outcomes. */
export interface EffectLog {
  /** On disk when this returns, so that a killed run's intent is known. `key` identifies the write outside. */
  intend(effect: EffectKind, key: string, detail: string): Promise<void>
  settle(effect: EffectKind, key: string, outcome: EffectOutcome, detail: string): Promise<void>
}

/** For callers outside a run: records nothing. */
export const unrecorded: EffectLog = { intend: async () => {}, settle: async () => {} }
