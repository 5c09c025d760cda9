import type { EffectLog } from '../../src/core/ports/effect-log.ts'

/** What is written, in short: `? comment #1 <!-- m -->`, then `done comment #1 <!-- m -->`. */
export function createEffectLog(): EffectLog & { readonly lines: readonly string[] } {
  const lines: string[] = []
  return {
    lines,
    async intend(effect, key) {
      lines.push(`? ${effect} ${key}`)
    },
    async settle(effect, key, outcome) {
      lines.push(`${outcome} ${effect} ${key}`)
    },
  }
}
