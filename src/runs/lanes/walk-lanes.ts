/**
 * Walks one table with several tasks side by side. One coordinator owns the state: each walk takes its steps on a view
 * of it, and saves them one after another. A dispatcher, which is a walk without a task, picks tasks as long as a lane
 * is free; what concerns the whole run, it does once all lanes are idle.
 */

import { takingTurns } from '../../../packages/text/text.ts'
import { changeState, nodeOf } from '../../core/domain/change-state.ts'
import type { JournalEntry } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import {
  learnFixes,
  type Observer,
  type Table,
  type Taken,
  takeStep,
} from '../../graph/run-graph.ts'
import { openLedger } from '../../model/budget/ledger.ts'
import { timeAnswers } from '../run-ports.ts'
import { countWork, type Working } from './count-work.ts'
import {
  dispatcher,
  lanesUnderWay,
  mergeStep,
  openLanes,
  suspectIn,
  viewFor,
} from './lane-state.ts'

export interface LaneOptions {
  readonly signal: AbortSignal
  readonly observer?: Observer | undefined
  /** The most tasks at a time. */
  readonly width: number
}

/** Walks to END, a cancel, or an error of the set-up, which stops all lanes. */
export const walkLanes = (
  start: RunState,
  table: Table,
  ports: Ports,
  options: LaneOptions,
): Promise<RunState> => new Coordinator(start, table, ports, options).walk()

type Turns = ReturnType<typeof takingTurns>

class Coordinator {
  readonly #table: Table
  readonly #ports: Ports
  readonly #options: LaneOptions
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  readonly #work: ReturnType<typeof countWork>
  readonly #saves: Turns = takingTurns()
  readonly #choices: Turns = takingTurns()
  readonly #publications: Turns = takingTurns()
  readonly #questions: Turns = takingTurns()
  /** The walks with a step under way. */
  readonly #moving = new Map<number, Promise<void>>()
  #state: RunState
  /** True while no task can be picked before another one ends. */
  #isHeldUp = false
  #failure: { readonly error: unknown } | null = null

  constructor(start: RunState, table: Table, ports: Ports, options: LaneOptions) {
    this.#table = table
    this.#options = options
    this.#ports = { ...ports, ledger: openLedger(start.spent.usage) }
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal])
    this.#work = countWork(ports.clock, start.spent.seconds)
    this.#state = openLanes(start)
  }

  async walk(): Promise<RunState> {
    for (;;) {
      for (const walk of this.#ready()) this.#move(walk)
      if (this.#moving.size === 0) break
      await Promise.race(this.#moving.values())
    }
    if (this.#failure !== null) throw this.#failure.error
    return this.#state
  }

  /** The walks that may take a step now. */
  #ready(): readonly number[] {
    if (this.#signal.aborted) return []
    const suspect = suspectIn(this.#state)
    const walks = suspect === undefined ? this.#free() : [suspect.lane]
    return walks.filter((walk) => !this.#moving.has(walk))
  }

  #free(): readonly number[] {
    const { width } = this.#options
    const lanes = lanesUnderWay(this.#state)
    const first = lanes.slice(0, width).map(({ lane }) => lane)
    return this.#mayDispatch(lanes.length) ? [...first, dispatcher] : first
  }

  #mayDispatch(lanes: number): boolean {
    const { next } = this.#state.progress
    if (next === 'END') return false
    if (next === 'pick_task') return lanes < this.#options.width && !this.#isHeldUp
    return next === 'decide_next' || lanes === 0
  }

  #move(walk: number): void {
    const moved = this.#stepInTurn(walk)
      .catch((error: unknown) => {
        this.#failure ??= { error }
        this.#stop.abort(error)
      })
      .finally(() => this.#moving.delete(walk))
    this.#moving.set(walk, moved)
  }

  #stepInTurn(walk: number): Promise<void> {
    const { next } = viewFor(this.#state, walk).progress
    const { observer } = this.#options
    const step = () => observer?.inLane?.(walk, () => this.#step(walk)) ?? this.#step(walk)
    switch (next) {
      case 'pick_task':
        return this.#choices(step)
      case 'decide_next':
        // It takes back what belongs together with a task that failed.
        return this.#publications(() => this.#choices(step))
      case 'checkpoint':
      case 'apply_recovery':
        return this.#publications(step)
      case 'await_approval':
        return this.#ports.person.present ? step() : this.#publications(step)
      default:
        return step()
    }
  }

  async #step(walk: number): Promise<void> {
    if (this.#signal.aborted) return
    const { observer } = this.#options
    const before = viewFor(this.#state, walk)
    observer?.started?.(nodeOf(before), before)
    const working = this.#work.begin()
    const { ports, waited } = timeAnswers(this.#askingInTurn(working))
    const signal = this.#signal
    try {
      const taken = await takeStep(before, this.#table, ports, { signal, waited })
      if (taken === 'cancelled') return
      if (taken.outcome === 'held_up') this.#holdUp(walk, before, taken)
      else await this.#take(walk, before, taken)
    } finally {
      working.end()
    }
  }

  /** No task was picked: a look that is no step of the run, and tells only what other runs hold. */
  #holdUp(walk: number, before: RunState, { state }: Taken): void {
    this.#isHeldUp = true
    const leases = { tasks: { leases: state.tasks.leases } }
    this.#state = mergeStep(this.#state, walk, before, changeState(before, leases))
  }

  /** The ports of a step: a person answers one question at a time. */
  #askingInTurn(working: Working): Ports {
    const { person } = this.#ports
    const ask: typeof person.ask = async (question) => {
      working.pause()
      try {
        return await this.#questions(() => person.ask(question))
      } finally {
        working.resume()
      }
    }
    return { ...this.#ports, person: { present: person.present, ask } }
  }

  /** Once a save has failed, none follows: it would hold a step whose events are lost. */
  async #save(state: RunState, entries: readonly JournalEntry[]): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error
    try {
      await this.#ports.store.save(state, entries)
    } catch (error) {
      this.#failure = { error }
      throw error
    }
  }

  async #take(
    walk: number,
    before: RunState,
    { node, outcome, state, events }: Taken,
  ): Promise<void> {
    const merged = mergeStep(this.#state, walk, before, state)
    const now = changeState(merged, { spent: { seconds: this.#work.seconds() } })
    this.#state = now
    if (state.attempt === null) this.#isHeldUp = false
    const entries = events.map((event) => ofLane(event, walk))
    await this.#saves(() => this.#save(now, entries))
    await learnFixes(events, this.#ports)
    const { attempt, progress, spent } = state
    const view = changeState(now, { attempt, progress: { next: progress.next }, spent })
    this.#options.observer?.finished?.(node, outcome, view)
  }
}

const ofLane = (event: JournalEntry, walk: number): JournalEntry =>
  event.kind === 'stepped' && walk !== dispatcher ? { ...event, lane: walk } : event
