import type { JournalEntry } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Store } from '../../core/ports/store.ts'
import { createDataMask } from '../../text/secrets/mask-data.ts'
import { createRedactor, createSecretMask } from '../../text/secrets/redact.ts'
import { secretsInData } from './mask-arguments.ts'

/** Code and what a model was shown of it: read again, and written to files. Of these, only secrets are masked. */
const code: ReadonlySet<string> = new Set<keyof NonNullable<RunState['attempt']>>([
  'context',
  'draft',
  'map',
])

/** The store with each string that it keeps masked, and what is kept still readable as what it was. */
export function redactStore(store: Store, secrets: readonly string[]): Store {
  const long = secretsInData(secrets)
  const remembers = { remembers: true }
  const text = createDataMask(createRedactor(long), remembers)
  const secret = createDataMask(createSecretMask(long), remembers)
  const attempt = <Kept extends object>(kept: Kept): Kept =>
    Object.fromEntries(
      Object.entries(kept).map(([key, value]) => [key, (code.has(key) ? secret : text)(value)]),
    ) as Kept
  return {
    ...store,
    save: (state, entries = []) =>
      store.save(
        {
          ...text({ ...state, attempt: null, parked: {} }),
          attempt: state.attempt && attempt(state.attempt),
          parked: Object.fromEntries(
            Object.entries(state.parked).map(([id, kept]) => [secret(id), attempt(kept)]),
          ),
        },
        entries.map((entry) => exactOrNot(text(entry), entry)),
      ),
    record: (run, entries) =>
      store.record(
        run,
        entries.map((entry) => exactOrNot(text(entry), entry)),
      ),
  }
}

/** An answer that had to be masked is not what was answered any more. */
function exactOrNot(masked: JournalEntry, entry: JournalEntry): JournalEntry {
  if (masked.kind !== 'answered' || entry.kind !== 'answered') return masked
  return masked.text === entry.text ? masked : { ...masked, exact: false }
}

/** A report as Markdown, HTML or JSON; JSON stays what it is. */
export function redactReport(name: string, text: string, redact: (text: string) => string): string {
  const clean = redact(text)
  if (clean === text || !name.endsWith('.json')) return clean
  return JSON.stringify(createDataMask(redact)(JSON.parse(text)), null, 2)
}
