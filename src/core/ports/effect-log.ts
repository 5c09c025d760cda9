import type { EffectKind, Recorded } from '../domain/journal-event.ts'

export type EffectOutcome = Recorded<'effected'>['outcome']

/** Remembers what is about to be written outside this machine, and what became of it. */
export interface EffectLog {
  /** On disk when this returns: a killed run had this in mind. `key` identifies the write outside. */
  intend(effect: EffectKind, key: string, detail: string): Promise<void>
  settle(effect: EffectKind, key: string, outcome: EffectOutcome, detail: string): Promise<void>
}

/** For what is no run: nothing is remembered. */
export const unrecorded: EffectLog = { intend: async () => {}, settle: async () => {} }
