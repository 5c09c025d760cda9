/**
 * One run as files of the shared state: `runs/<id>/state.json`, the previous state in
 * `previous.json`, and the lines of `results/` and `journal/`. It contains answers, and what tools
 * showed, only until their task is finished.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readStored } from '../../../packages/text/text.ts'
import { changeState } from '../../core/domain/change-state.ts'
import { type JournalEvent, withoutAnswerText } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { toolLoopSchema, withoutObservations } from '../../core/domain/tool-loop.ts'
import { changedLines } from '../file-store/results-log.ts'
import { joinRecords, splitRecords } from './shared-log.ts'

export const runFolder = (run: string): string => `runs/${run}`

/** An event with text of the model or its tools. */
type Told = JournalEvent & { readonly kind: 'answered' | 'observed' | 'planned' | 'reflected' }

const isTold = (event: JournalEvent): event is Told => withoutAnswerText(event) !== event

/** A full file is not sent again. */
const linesPerFile = 64

export class RunFiles {
  readonly run: string
  readonly #keepAnswers: boolean
  readonly #journal: string[] = []
  readonly #results: string[] = []
  /** The files as they are in the repository. */
  readonly #there = new Map<string, string>()
  /** The journal's events with text of a model, and their line numbers. */
  #told: readonly { readonly line: number; readonly event: Told }[] = []
  #known: RunState['tasks']['results'] = {}
  #state: string | null = null
  #hasFiled = (_task: string): boolean => false

  /** @param events the journal so far */
  constructor(run: string, events: readonly JournalEvent[], keepAnswers: boolean) {
    this.run = run
    this.#keepAnswers = keepAnswers
    this.add(events)
  }

  add(events: readonly JournalEvent[]): void {
    for (const event of events) {
      if (isTold(event) && this.#keepAnswers) {
        this.#told = [...this.#told, { line: this.#journal.length, event }]
      }
      this.#journal.push(JSON.stringify(this.#keepAnswers ? event : withoutAnswerText(event)))
      // A task with a verdict is not asked again.
      if (event.kind === 'filed') this.#forget(({ task }) => task === event.result.id)
    }
  }

  follow(state: RunState): void {
    this.#results.push(...splitRecords(changedLines(this.#known, state.tasks.results)))
    this.#known = state.tasks.results
    const tasks = { ...state.tasks, results: { lines: this.#results.length } }
    this.#state = JSON.stringify({ ...state, tasks })
    this.#hasFiled = (task) => state.tasks.results[task]?.thisRun === true
  }

  /** The files that differ in the repository. */
  changes(paths: readonly string[]): ReadonlyMap<string, string> {
    const isThere = new Set(paths)
    return new Map(
      [...this.#files()].filter(
        ([path, now]) => this.#there.get(path) !== now || !isThere.has(path),
      ),
    )
  }

  /** Records that these files are in the repository. */
  settled(changes: ReadonlyMap<string, string | null>): void {
    for (const [path, now] of changes) {
      if (now !== null && path.startsWith(`${runFolder(this.run)}/`)) this.#there.set(path, now)
    }
  }

  /** The journal of the run, without the model's answers. */
  history(): readonly string[] {
    this.#forget(() => true)
    return this.#journal
  }

  #forget(isOver: (event: Told) => boolean): void {
    this.#told = this.#told.filter(({ line, event }) => {
      if (!isOver(event)) return true
      this.#journal[line] = JSON.stringify(withoutAnswerText(event))
      return false
    })
  }

  *#files(): Iterable<readonly [path: string, text: string]> {
    const folder = runFolder(this.run)
    yield* filesOf(`${folder}/journal`, this.#journal)
    yield* filesOf(`${folder}/results`, this.#results)
    if (this.#state === null) return
    yield [`${folder}/state.json`, this.#state]
    const before = this.#there.get(`${folder}/state.json`)
    if (before === undefined || before === this.#state) return
    yield [`${folder}/previous.json`, forgetShown(before, this.#hasFiled)]
  }
}

const attemptShape = z.looseObject({
  task: z.looseObject({ id: z.string() }),
  loop: toolLoopSchema.nullable().default(null),
})
const attemptsShape = z.looseObject({
  attempt: attemptShape.nullable(),
  lanes: z.array(z.looseObject({ attempt: attemptShape })).optional(),
})

/** The previous state, without what tools showed for a task that has its verdict now. */
function forgetShown(before: string, hasFiled: (task: string) => boolean): string {
  if (!before.includes('"observation":')) return before
  const state = readStored(attemptsShape, before)
  if (state === null) return before
  const isOver = ({ task, loop }: z.output<typeof attemptShape>) =>
    loop !== null && hasFiled(task.id)
  const forget = (attempt: z.output<typeof attemptShape>) =>
    isOver(attempt) ? withoutObservations(attempt) : attempt
  const { attempt, lanes } = state
  const all = [...(attempt === null ? [] : [attempt]), ...(lanes ?? []).map((lane) => lane.attempt)]
  if (!all.some(isOver)) return before
  return JSON.stringify({
    ...state,
    attempt: attempt && forget(attempt),
    ...(lanes && { lanes: lanes.map((lane) => ({ ...lane, attempt: forget(lane.attempt) })) }),
  })
}

function* filesOf(folder: string, lines: readonly string[]): Iterable<readonly [string, string]> {
  for (let file = 0; file * linesPerFile < lines.length; file++) {
    const own = lines.slice(file * linesPerFile, (file + 1) * linesPerFile)
    yield [`${folder}/${String(file).padStart(4, '0')}.jsonl`, joinRecords(own)]
  }
}

/** The file of what outlasts a run: one per roadmap. */
export const learnedPath = (roadmap: string): string =>
  `learned/${createHash('sha256').update(roadmap).digest('hex').slice(0, 16)}.json`

/** Reduces a finished run to what the next one needs. */
export function writeLearned(state: RunState, other: RunState | null): string {
  const { results, parked } = state.tasks
  const { only } = state.run
  // Results of tasks requested by name stay: they answer the request.
  const isKept = (id: string, isOwn: boolean) =>
    Object.hasOwn(parked, id) || (only !== null && isOwn)
  const waiting = Object.fromEntries(
    Object.entries(results).filter(([id, { thisRun }]) => isKept(id, thisRun)),
  )
  const kept = other === null ? state : joinLearned(state, other)
  return JSON.stringify(
    changeState(kept, {
      attempt: null,
      tasks: { heads: {}, results: waiting },
      spent: { nodes: {} },
    }),
  )
}

/** Merges what two concurrent runs learned; `state` takes precedence. */
export function joinLearned(state: RunState, other: RunState): RunState {
  const own = new Set(state.roadmap.amendments.map(({ task }) => task.id))
  const others = Object.entries(other.tasks.parked).filter(
    ([id, { destructive }]) => destructive.length > 0 && state.tasks.results[id] === undefined,
  )
  return changeState(state, {
    roadmap: {
      normalized: state.roadmap.normalized ?? other.roadmap.normalized,
      amendments: [
        ...state.roadmap.amendments,
        ...other.roadmap.amendments.filter(({ task }) => !own.has(task.id)),
      ],
    },
    tasks: { parked: { ...Object.fromEntries(others), ...state.tasks.parked } },
  })
}
