/**
 * One run as files of the shared state: `runs/<id>/state.json`, the one before it in `previous.json`,
 * and the lines of `results/` and `journal/`. Answers are in it only while their task is under way.
 */
import { createHash } from 'node:crypto'
import { type JournalEvent, withoutAnswerText } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { changedLines } from '../file-store/results-log.ts'
import { createLineLog, splitRecords } from './line-log.ts'

export interface RunFiles {
  readonly run: string
  /** What was added to the journal. */
  add(events: readonly JournalEvent[]): void
  /** The state of the moment. */
  follow(state: RunState): void
  /** Those that are not in the repository as they should be. */
  changes(paths: readonly string[]): ReadonlyMap<string, string>
  /** They are there now. */
  settled(changes: ReadonlyMap<string, string | null>): void
  /** All that is known of the run, without the model's answers. */
  history(): readonly string[]
}

export const runFolder = (run: string): string => `runs/${run}`

/** `events` are those of the journal so far. */
export function createRunFiles(
  run: string,
  events: readonly JournalEvent[],
  keepAnswers: boolean,
): RunFiles {
  const folder = runFolder(run)
  const journal = createLineLog(`${folder}/journal`)
  const results = createLineLog(`${folder}/results`)
  const answers = new Map<string, JournalEvent[]>()
  const places = new Map<JournalEvent, number>()
  const there = new Map<string, string>()
  let known: RunState['results'] = {}
  let text: string | null = null

  function add(event: JournalEvent): void {
    if (event.kind === 'answered' && keepAnswers) {
      const task = event.task ?? ''
      places.set(event, journal.length)
      answers.set(task, [...(answers.get(task) ?? []), event])
    }
    journal.append([JSON.stringify(keepAnswers ? event : withoutAnswerText(event))])
    if (event.kind === 'filed') forget(event.result.id)
  }

  /** What has its verdict is not asked again. */
  function forget(task: string): void {
    for (const event of answers.get(task) ?? []) {
      journal.replace(places.get(event) ?? 0, JSON.stringify(withoutAnswerText(event)))
      places.delete(event)
    }
    answers.delete(task)
  }

  function* files(): Iterable<readonly [string, string]> {
    yield* journal.files()
    yield* results.files()
    if (text === null) return
    yield [`${folder}/state.json`, text]
    const before = there.get(`${folder}/state.json`)
    if (before !== undefined && before !== text) yield [`${folder}/previous.json`, before]
  }

  for (const event of events) add(event)
  return {
    run,
    add: (more) => more.forEach(add),
    follow(state) {
      results.append(splitRecords(changedLines(known, state.results)))
      known = state.results
      text = JSON.stringify({ ...state, results: { lines: results.length } })
    },
    changes(paths) {
      const isThere = new Set(paths)
      return new Map(
        [...files()].filter(([path, now]) => there.get(path) !== now || !isThere.has(path)),
      )
    },
    settled(changes) {
      for (const [path, now] of changes) {
        if (now !== null && path.startsWith(`${folder}/`)) there.set(path, now)
      }
    },
    history() {
      for (const task of [...answers.keys()]) forget(task)
      return [...journal.files()].flatMap(([, lines]) => splitRecords(lines))
    },
  }
}

/** Where what outlasts a run is kept: one state for each roadmap. */
export const learnedPath = (roadmap: string): string =>
  `learned/${createHash('sha256').update(roadmap).digest('hex').slice(0, 16)}.json`

/** Of a finished run, what the next one goes on from. */
export function writeLearned(state: RunState, other: RunState | null): string {
  const { results, parked, only } = state
  // What somebody asked for by name is answered by it, if that was not done yet.
  const isKept = (id: string, isOwn: boolean) =>
    Object.hasOwn(parked, id) || (only !== null && isOwn)
  const waiting = Object.fromEntries(
    Object.entries(results).filter(([id, { thisRun }]) => isKept(id, thisRun)),
  )
  const kept = other === null ? state : joinLearned(state, other)
  return JSON.stringify({ ...kept, attempt: null, heads: {}, nodes: {}, results: waiting })
}

/** Two runs learned side by side: what this one knows counts, and what only the other knows stays. */
export function joinLearned(state: RunState, other: RunState): RunState {
  const own = new Set(state.amendments.map(({ task }) => task.id))
  const others = Object.entries(other.parked).filter(
    ([id, { destructive }]) => destructive.length > 0 && state.results[id] === undefined,
  )
  return {
    ...state,
    normalized: state.normalized ?? other.normalized,
    amendments: [...state.amendments, ...other.amendments.filter(({ task }) => !own.has(task.id))],
    parked: { ...Object.fromEntries(others), ...state.parked },
  }
}
