import type { Attempt } from '../../core/domain/attempt.ts'
import type { JournalEntry } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Person, Ports } from '../../core/ports.ts'
import type { Observer } from '../../graph/run-graph.ts'
import type { RunEvent } from './event-schema.ts'
import { type RunFailure, readEntry, runEnded, type Told } from './read-entry.ts'

/** A run that tells its events: start it with these ports and this observer. */
export interface ToldRun {
  readonly ports: Ports
  readonly observer: Observer
  ended(state: RunState): void
  /** The run threw. Before its first entry, there is no run to tell of. */
  failed(failure: RunFailure): void
}

/** Wraps the ports of a run so that each event is emitted after the fact that it reports is saved. */
export function tellEvents(
  emit: (event: RunEvent) => void,
  { ports, observer }: { readonly ports: Ports; readonly observer: Observer },
): ToldRun {
  let run = ''
  let last: RunState | null = null
  const begun = new Set<string>()
  const verdicts = new Map<string, string>()
  const tell = (told: Told) => emit({ v: 1, at: ports.clock.now(), run, ...told })
  const tellEntry = (entry: JournalEntry): void => {
    for (const told of readEntry(entry, last, ports.settings)) {
      if (told.type !== 'verdict' || isNews(told)) tell(told)
    }
  }
  const beginTask = ({ task: { id: task, title }, number: attempt }: Attempt): void => {
    if (begun.has(`${task} ${attempt}`)) return
    begun.add(`${task} ${attempt}`)
    tell({ task, type: 'task_started', attempt, title })
  }
  /** A result is filed again with more seconds, or with facts that no event tells. */
  const isNews = (verdict: Extract<Told, { readonly type: 'verdict' }>): boolean => {
    const { task, seconds: _, ...others } = verdict
    const facts = JSON.stringify(others)
    const isKnown = verdicts.get(task) === facts
    verdicts.set(task, facts)
    return !isKnown
  }
  const { store } = ports
  return {
    ports: {
      ...ports,
      person: tellQuestions(ports.person, tell),
      store: {
        ...store,
        async save(state, entries = []) {
          await store.save(state, entries)
          run = state.run.id
          last = state
          entries.forEach(tellEntry)
        },
        async record(id, entries) {
          await store.record(id, entries)
          run = id
          entries.forEach(tellEntry)
        },
      },
    },
    observer: {
      ...observer,
      started(node, state) {
        last ??= state
        observer.started?.(node, state)
        const { attempt } = state
        if (attempt !== null) beginTask(attempt)
        const whose = { task: attempt?.task.id ?? null, attempt: attempt?.number ?? null }
        tell({ ...whose, type: 'step_started', step: node })
      },
    },
    ended: (state) => tell(runEnded(state, null)),
    failed(failure) {
      if (last !== null) tell(runEnded(last, failure))
    },
  }
}

const tellQuestions = (person: Person, tell: (told: Told) => void): Person => ({
  get present() {
    return person.present
  },
  async ask(question) {
    const { taskId: task, title, body: text, choices } = question
    tell({ task, type: 'question', title, text, choices: [...choices] })
    const answer = await person.ask(question)
    tell({ task, type: 'answer', choice: answer?.choice ?? null })
    return answer
  },
})
