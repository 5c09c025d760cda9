/**
 * Folds the events of a run into the scratchpad of one task: what was planned, thought, seen, found wrong, repaired
 * and judged, in order. Events that a killed run recorded twice count once.
 */
import type { JournalEntry, Recorded } from '../domain/journal-event.ts'
import type { NodeName } from '../domain/steps.ts'
import type { ToolTurn } from '../domain/tool-loop.ts'
import type { Verdict } from '../domain/verdict.ts'

type Noted =
  | ({ readonly kind: 'plan' } & Pick<Recorded<'planned'>, 'complexity' | 'files' | 'steps'>)
  /** A thought, the tool that it led to, and the observation. */
  | ({ readonly kind: 'turn'; readonly turn: number } & ToolTurn)
  | { readonly kind: 'problem'; readonly node: NodeName; readonly message: string }
  | { readonly kind: 'repair'; readonly node: NodeName; readonly outcome: string }
  | { readonly kind: 'reflection'; readonly lines: readonly string[] }
  /** A verdict on the change by its tests, or on the task. */
  | { readonly kind: 'verdict'; readonly verdict: Verdict | 'tested'; readonly reason: string }

export type ScratchEntry = Noted & { readonly attempt: number }

export interface Scratchpad {
  readonly task: string
  readonly entries: readonly ScratchEntry[]
}

interface LastStep {
  readonly node: NodeName
  /** Entries before it. */
  readonly before: number
}

/** The scratchpad of a task that grows with each event. */
export class ScratchpadFold {
  readonly #task: string
  #entries: ScratchEntry[] = []
  #last: LastStep | null = null
  /** The last step of this task; in lanes, steps of others come after it. */
  #ownLast: LastStep | null = null
  /** The last step met a fault of the world, which says nothing of the change. */
  #isAway = false
  #attempt = 1

  constructor(task: string) {
    this.#task = task
  }

  get pad(): Scratchpad {
    return { task: this.#task, entries: this.#entries }
  }

  /** Returns true when the events added an entry. */
  add(events: readonly JournalEntry[]): boolean {
    const before = this.#entries
    for (const event of events) this.#take(event)
    return this.#entries !== before
  }

  #take(event: JournalEntry): void {
    if (event.kind === 'stepped') {
      this.#last = { node: event.node, before: this.#entries.length }
      if (event.task === this.#task) this.#ownLast = this.#last
      if (event.task === this.#task || event.lane === undefined)
        this.#isAway = away.has(event.outcome)
    }
    // The run was killed after it recorded its last step, and repeats it.
    const repeated = event.kind === 'resumed' ? this.#repeatedBy(event) : null
    if (repeated !== null) this.#entries = this.#entries.slice(0, repeated.before)
    const noted = this.#entryOf(event)
    if (noted === null) return
    const entry: ScratchEntry = { attempt: this.#attempt, ...noted }
    const same = this.#entries.findLastIndex((each) => isSameTurn(each, entry))
    this.#entries = same < 0 ? [...this.#entries, entry] : this.#entries.with(same, entry)
  }

  #repeatedBy({ next, lanes }: Omit<Recorded<'resumed'>, Place>): LastStep | null {
    const own = lanes?.find(({ task }) => task === this.#task)
    const [last, again] = lanes === undefined ? [this.#last, next] : [this.#ownLast, own?.next]
    return last?.node === again ? last : null
  }

  #entryOf(event: JournalEntry): Noted | null {
    if (event.kind === 'filed') {
      const { id, verdict, reason } = event.result
      return id === this.#task ? { kind: 'verdict', verdict, reason } : null
    }
    if (!('attempt' in event) || event.task !== this.#task) return null
    this.#attempt = event.attempt ?? this.#attempt
    switch (event.kind) {
      case 'planned': {
        const { complexity, files, steps } = event
        return { kind: 'plan', complexity, files, steps }
      }
      case 'observed': {
        const { turn, tool, input, thought, observation, summary, isOk } = event
        return { kind: 'turn', turn, tool, input, thought, observation, summary, isOk }
      }
      case 'reflected':
        return { kind: 'reflection', lines: event.lines }
      case 'failed':
        return this.#isAway ? null : { kind: 'problem', node: event.node, message: event.message }
      case 'stepped':
        return stepOf(event)
      default:
        return null
    }
  }
}

/** Outcomes of a step that a later run takes again. */
const away: ReadonlySet<string> = new Set(['unavailable', 'forge_refused', 'over_budget'])

/** A step that repaired or tested the change. */
function stepOf({ node, outcome }: Recorded<'stepped'> | Omit<Recorded<'stepped'>, Place>) {
  if (away.has(outcome)) return null
  const isRepair = node === 'repair_code' || node === 'repair_test'
  if (isRepair) return { kind: 'repair', node, outcome } as const
  const isTested = node === 'verify_task' || (node === 'use_tool' && outcome === 'verified')
  const isGood = ['passed', 'verified', 'unverified', 'already_satisfied'].includes(outcome)
  return isTested && isGood
    ? ({ kind: 'verdict', verdict: 'tested', reason: outcome } as const)
    : null
}

type Place = 'seq' | 'at' | 'run'

const isSameTurn = (a: ScratchEntry, b: ScratchEntry): boolean =>
  a.kind === 'turn' && b.kind === 'turn' && a.attempt === b.attempt && a.turn === b.turn

/** The scratchpad of a task, from the events of its run. */
export function foldScratchpad(task: string, events: readonly JournalEntry[]): Scratchpad {
  const fold = new ScratchpadFold(task)
  fold.add(events)
  return fold.pad
}
