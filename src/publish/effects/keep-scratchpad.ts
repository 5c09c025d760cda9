import type { Attempt } from '../../core/domain/attempt.ts'
import { type JournalEntry, withoutAnswerText } from '../../core/domain/journal-event.ts'
import { foldScratchpad, ScratchpadFold } from '../../core/journal/fold-scratchpad.ts'
import type { Store } from '../../core/ports/store.ts'
import type { Ports } from '../../core/ports.ts'
import { foldNotes, writeScratchpad } from '../report/write-scratchpad.ts'

/**
 * Wraps the store: a save that adds to the scratchpad of the current task writes it to `.executor/scratch/<id>.md`.
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
  let fold: ScratchpadFold | null = null
  let isBehind = false
  const add = (entries: readonly JournalEntry[]): void => {
    const shown = kept.answers === 'off' ? entries.map(withoutAnswerText) : entries
    if (fold?.add(shown)) isBehind = true
  }

  async function follow(attempt: Attempt, entries: readonly JournalEntry[]): Promise<void> {
    const { id } = attempt.task
    if (fold?.pad.task === id) return add(entries)
    fold = new ScratchpadFold(id)
    const isFirst = attempt.number === 1 && attempt.steps <= 1
    add(isFirst ? entries : await inner.journal(run))
  }

  return {
    ...inner,
    async record(id, entries) {
      await inner.record(id, entries)
      if (id === run) add(entries)
    },
    async save(state, entries = []) {
      await inner.save(state, entries)
      if (state.run.id !== run || state.attempt === null) fold = null
      run = state.run.id
      if (state.attempt === null) return
      await follow(state.attempt, entries)
      if (fold === null || !isBehind) return
      isBehind = false
      const { pad } = fold
      const text = redact(writeScratchpad(pad, run, tools.summariseOver))
      if (text !== '') await inner.writeReport(`scratch/${pad.task}.md`, text)
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
