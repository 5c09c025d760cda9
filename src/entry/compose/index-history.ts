import type { HistoryWriter } from '../../adapters/sqlite-history.ts'
import { secondsBefore } from '../../core/domain/instant.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Store } from '../../core/ports/store.ts'
import type { Clock } from '../../core/ports.ts'

/** A store whose runs are in the history, too. */
export interface IndexedStore<Kind extends Store> {
  readonly store: Kind
  close(): Promise<void>
}

const dayInSeconds = 86_400

/** Runs whose last word is older than this are not kept in the history. */
export const oldestKept = (clock: Pick<Clock, 'now'>, { state }: Pick<Settings, 'state'>): string =>
  secondsBefore(clock.now(), state.retentionDays * dayInSeconds)

/**
 * Takes each finished task into `.executor/history.db`, once its verdict is in the journal. No run waits
 * for it or ends by it: what cannot be written is said once, and the next `executor history` makes up
 * for it from the journals.
 */
export function indexHistory<Kind extends Store>(
  store: Kind,
  options: {
    /** `.executor` itself. */
    readonly directory: string
    readonly settings: Pick<Settings, 'history' | 'state'>
    readonly clock: Pick<Clock, 'now'>
    readonly warn: (sentence: string) => void
  },
): IndexedStore<Kind> {
  const { directory, settings, clock, warn } = options
  if (!settings.history) return { store, close: async () => {} }
  let opened: Promise<HistoryWriter> | null = null
  let isGivenUp = false

  async function open(): Promise<HistoryWriter> {
    // SQLite is loaded with it: not before there is something to write.
    const { openHistoryWriter } = await import('../../adapters/sqlite-history.ts')
    return openHistoryWriter({ directory, oldest: oldestKept(clock, settings) })
  }

  async function attempt(work: (writer: HistoryWriter) => void): Promise<void> {
    if (isGivenUp) return
    try {
      opened ??= open()
      work(await opened)
    } catch (error) {
      isGivenUp = true
      await opened?.then((writer) => writer.close()).catch(() => {})
      const why = error instanceof Error ? error.message : String(error)
      warn(`The history cannot be written (${why}); executor history makes up for it later.`)
    }
  }

  return {
    store: {
      ...store,
      async save(state, entries = []) {
        await store.save(state, entries)
        // A run that worked on nothing leaves nothing.
        const isDue = entries.some(({ kind }) => kind === 'filed' || (kind === 'ended' && opened))
        if (isDue) await attempt((writer) => writer.write(state.runId))
      },
    },
    async close() {
      if (opened === null || isGivenUp) return
      await attempt((writer) => writer.close())
    },
  }
}
