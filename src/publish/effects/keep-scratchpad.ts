import type { Attempt } from '../../core/domain/attempt.ts'
import { attemptsOf } from '../../core/domain/change-state.ts'
import { type JournalEntry, withoutAnswerText } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { foldScratchpad, ScratchpadFold } from '../../core/journal/fold-scratchpad.ts'
import type { Store } from '../../core/ports/store.ts'
import type { Ports } from '../../core/ports.ts'
import { foldNotes, writeScratchpad } from '../report/write-scratchpad.ts'

/**
 * Wraps the store: a save that adds to the scratchpad of a task under way writes it to `.executor/scratch/<id>.md`.
 * An attempt with nothing to tell writes none.
 */
export function keepScratchpads(
  inner: Store,
  {
    settings: { tools, state: kept },
    redact,
  }: Pick<Ports, 'settings'> & { redact(text: string): string },
): Store {
  let run = ''
  /** By task. */
  const folds = new Map<string, ScratchpadFold>()
  const behind = new Set<ScratchpadFold>()
  const addTo = (fold: ScratchpadFold, entries: readonly JournalEntry[]): void => {
    const shown = kept.answers === 'off' ? entries.map(withoutAnswerText) : entries
    if (fold.add(shown)) behind.add(fold)
  }

  async function open(attempt: Attempt, entries: readonly JournalEntry[]): Promise<void> {
    const { id } = attempt.task
    const fold = new ScratchpadFold(id)
    const isFirst = attempt.number === 1 && attempt.steps <= 1
    addTo(fold, isFirst ? entries : await inner.journal(run))
    folds.set(id, fold)
  }

  /** Follows the tasks under way, and no others. */
  async function follow(state: RunState, entries: readonly JournalEntry[]): Promise<void> {
    const attempts = attemptsOf(state)
    const isUnderWay = (id: string) => attempts.some(({ task }) => task.id === id)
    for (const id of folds.keys()) if (!isUnderWay(id)) folds.delete(id)
    for (const fold of folds.values()) addTo(fold, entries)
    for (const attempt of attempts) {
      if (!folds.has(attempt.task.id)) await open(attempt, entries)
    }
  }

  return {
    ...inner,
    async record(id, entries) {
      await inner.record(id, entries)
      if (id === run) for (const fold of folds.values()) addTo(fold, entries)
    },
    async save(state, entries = []) {
      await inner.save(state, entries)
      if (state.run.id !== run) folds.clear()
      run = state.run.id
      await follow(state, entries)
      for (const fold of behind) {
        behind.delete(fold)
        const { pad } = fold
        const text = redact(writeScratchpad(pad, run, tools.summariseOver))
        if (text !== '') await inner.writeReport(`scratch/${pad.task}.md`, text)
      }
    },
  }
}

/** The scratchpad of this attempt, folded for a pull request; empty when there is nothing to tell. */
export async function readNotes(
  attempt: Attempt,
  run: string,
  { store }: Pick<Ports, 'store'>,
): Promise<string> {
  const { task, number, plan, loop, reflections, validationRepairs, testRepairs } = attempt
  const repairs = validationRepairs + testRepairs + reflections.length
  if (plan === null && loop === null && repairs === 0) return ''
  return foldNotes(foldScratchpad(task.id, await store.journal(run)), number)
}
