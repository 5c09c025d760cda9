import type { Sandbox } from '../../../packages/sandbox/sandbox.ts'
import type { JournalEntry } from '../domain/journal-event.ts'
import type { EffectLog } from '../ports/effect-log.ts'
import type { Memory } from '../ports/memory.ts'
import type { Store } from '../ports/store.ts'

/**
 * Wraps the store, and returns a log that books each effect to the current run: from its first entry to the one that
 * ends it. Effects outside a run are only noted.
 */
export function recordEffects(
  inner: Store,
  { redact, note }: { redact(text: string): string; note(line: string): void },
): {
  readonly store: Store
  readonly effects: EffectLog
  /** The sandbox, with each installation booked to the same run. */
  recordInstalls(sandbox: Sandbox): Sandbox
  /** The memory, with each fix that it offers booked to the same run. */
  recordRecalls(memory: Memory): Memory
} {
  let run: string | null = null
  const follow = (id: string, entries: readonly JournalEntry[]): void => {
    run = entries.some(({ kind }) => kind === 'ended') ? null : id
  }
  const effects: EffectLog = {
    async intend(effect, key, detail) {
      if (run === null) return
      const said = { key: redact(key), detail: redact(detail) }
      await inner.record(run, [{ kind: 'intended', effect, ...said }])
    },
    async settle(effect, key, outcome, words) {
      const said = { key: redact(key), detail: redact(words) }
      if (run !== null) await inner.record(run, [{ kind: 'effected', effect, outcome, ...said }])
      else if (outcome !== 'known') {
        const name = key.replace(/^<!-- executor:([\w-]+).*-->$/, '$1')
        note(`${effect} ${name}: ${outcome}, ${said.detail}`)
      }
    },
  }
  const store: Store = {
    ...inner,
    async save(state, entries = []) {
      await inner.save(state, entries)
      follow(state.run.id, entries)
    },
    async record(id, entries) {
      await inner.record(id, entries)
      follow(id, entries)
    },
  }
  const recordInstalls = (sandbox: Sandbox): Sandbox => ({
    ...sandbox,
    async prepare(request) {
      const ended = await sandbox.prepare(request)
      const { exitCode, seconds } = ended
      const tool = redact(request.name ?? '')
      if (run !== null && tool !== '')
        await inner.record(run, [{ kind: 'installed', tool, exitCode, seconds }])
      return ended
    },
  })
  const recordRecalls = (memory: Memory): Memory => ({
    ...memory,
    async recall(about) {
      const fix = await memory.recall(about)
      if (run !== null && fix !== null) await inner.record(run, [{ kind: 'recalled', fix }])
      return fix
    },
  })
  return { store, effects, recordInstalls, recordRecalls }
}
