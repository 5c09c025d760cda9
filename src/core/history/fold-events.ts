/**
 * What events of one run add to the history. What is counted comes as the amount to add, and what is
 * known as its newest value: so a journal may be read in any number of pieces.
 */
import { secondsOf } from '../domain/instant.ts'
import type { JournalEvent } from '../domain/journal-event.ts'
import { totalTokens, type Usage } from '../domain/usage.ts'
import type { RouteStrategy } from './execution.ts'

/** What is known of a run, and what the next event may lean on. */
export interface RunFacts {
  readonly run: string
  /** Of the last event that was taken in; -1 before the first. */
  readonly seq: number
  readonly startedAt: string
  readonly lastAt: string
  readonly model: string
  readonly roadmap: string
  readonly base: string
  /** `ended`, or why it stopped before all was done; empty while it goes on, or was cut off. */
  readonly end: string
  /** The attempt of the last step. */
  readonly task: string | null
  readonly attempt: number | null
}

/** What to add to an execution; `null` leaves what is there. */
export interface ExecutionChange {
  readonly task: string
  readonly attempt: number
  readonly firstAt: string
  lastAt: string
  seconds: number
  requests: number
  promptTokens: number
  completionTokens: number
  dollars: number
  cut: number
  model: string | null
  /** `two_phase` is not taken back by `single`: the code is asked for in both. */
  strategy: RouteStrategy | null
  files: number | null
  complexity: string | null
  title: string | null
  fingerprint: string | null
  verdict: string | null
  reason: string | null
  repairs: number | null
  recovery: string | null
  recoveryReason: string | null
  decision: string | null
  errorType: string | null
}

/** A line of one of the tables beside the executions: values by column. */
type Detail = Readonly<Record<string, string | number | null>>

export interface RunChanges {
  readonly facts: RunFacts
  readonly executions: readonly ExecutionChange[]
  readonly steps: readonly Detail[]
  readonly calls: readonly Detail[]
  readonly effects: readonly Detail[]
  readonly recoveries: readonly Detail[]
  readonly errors: readonly Detail[]
  readonly remedies: readonly Detail[]
}

/** Longest text of each kind that is kept, in characters: the whole is in the journal. */
const longestText = 500

export const newRunFacts = (run: string): RunFacts => ({
  run,
  seq: -1,
  startedAt: '',
  lastAt: '',
  model: '',
  roadmap: '',
  base: '',
  end: '',
  task: null,
  attempt: null,
})

/** Events that were taken in before, or have no time, are passed over. */
export function foldEvents(before: RunFacts, events: readonly JournalEvent[]): RunChanges {
  const fold = new Fold(before)
  for (const event of events.toSorted((a, b) => a.seq - b.seq)) {
    const isNew = event.run === before.run && event.seq > fold.facts.seq
    if (isNew && Number.isSafeInteger(event.seq) && secondsOf(event.at) !== null) fold.take(event)
  }
  return { ...fold.rows, facts: fold.facts, executions: [...fold.executions.values()] }
}

class Fold {
  facts: RunFacts
  readonly executions = new Map<string, ExecutionChange>()
  readonly rows: Record<keyof Omit<RunChanges, 'facts' | 'executions'>, Detail[]> = {
    steps: [],
    calls: [],
    effects: [],
    recoveries: [],
    errors: [],
    remedies: [],
  }

  constructor(before: RunFacts) {
    this.facts = before
  }

  take(event: JournalEvent): void {
    const { seq, at } = event
    const startedAt = this.facts.startedAt || at
    this.facts = { ...this.facts, seq, startedAt, lastAt: at, end: '' }
    switch (event.kind) {
      case 'started': {
        const { model, roadmap, base } = event
        this.facts = { ...this.facts, model, roadmap, base: base.sha }
        break
      }
      case 'stepped':
        this.step(event)
        break
      case 'answered':
        this.call(event)
        break
      case 'effected': {
        const { effect, key, outcome, detail } = event
        const about = { effect, key: short(key), outcome, detail: short(detail) }
        this.rows.effects.push({ ...this.place(event), ...about })
        break
      }
      case 'filed':
        this.verdict(event)
        break
      case 'recovered':
        this.recovery(event)
        break
      case 'failed':
        this.error(event)
        break
      case 'remedied': {
        const { node, type, strategy, signature, fix, worked } = event
        const about = { node, type, strategy, signature: short(signature), fix: short(fix) }
        this.rows.remedies.push({ ...this.place(event), ...about, worked: worked ? 1 : 0 })
        break
      }
      case 'ended':
        this.facts = { ...this.facts, end: event.stopped ?? 'ended' }
    }
  }

  private step(event: JournalEvent & { readonly kind: 'stepped' }): void {
    const { task, attempt, node, outcome, seconds, usage } = event
    this.facts = { ...this.facts, task, attempt }
    this.rows.steps.push({
      ...this.place(event),
      ...{ node, outcome, seconds },
      ...{ tokens: totalTokens(usage), dollars: usage.dollars },
    })
    const execution = this.execution(event)
    if (execution === null) return
    execution.seconds += seconds
    if (node === 'plan_task') execution.strategy = 'two_phase'
    if (node === 'execute_task') execution.strategy ??= 'single'
    execution.files = event.files ?? execution.files
    execution.complexity = event.complexity ?? execution.complexity
  }

  private call(event: JournalEvent & { readonly kind: 'answered' }): void {
    const { purpose, model, seconds, usage, finish } = event
    this.rows.calls.push({
      ...this.place(event),
      ...{ purpose, model, seconds, finish },
      ...{ tokens: totalTokens(usage), dollars: usage.dollars },
    })
    const execution = this.execution(event)
    if (execution === null) return
    addUsage(execution, usage)
    execution.model = model
    if (finish === 'length') execution.cut += 1
    if (purpose === 'plan') execution.strategy = 'two_phase'
    if (purpose === 'draft') execution.strategy ??= 'single'
  }

  private verdict(event: JournalEvent & { readonly kind: 'filed' }): void {
    const { id, attempts, title, fingerprint, verdict, reason, repairs } = event.result
    const execution = this.execution({ ...event, task: id, attempt: attempts })
    if (execution === null) return
    Object.assign(execution, { fingerprint, verdict, repairs })
    Object.assign(execution, { title: short(title), reason: short(reason) })
  }

  private recovery(event: JournalEvent & { readonly kind: 'recovered' }): void {
    const { taskId: task, proposal, decision, by } = event.record
    const attempt = this.facts.task === task ? this.facts.attempt : null
    const { strategy, reason } = proposal
    const about = { strategy, reason, decision, by: short(by) }
    this.rows.recoveries.push({ ...this.place({ ...event, task, attempt }), ...about })
    const execution = this.execution({ ...event, task, attempt })
    if (execution === null) return
    Object.assign(execution, { recovery: strategy, recoveryReason: reason, decision })
  }

  private error(event: JournalEvent & { readonly kind: 'failed' }): void {
    const { node, error, signature, message } = event
    const { type, severity, recoverable } = error
    this.rows.errors.push({
      ...this.place(event),
      ...{ node, type, severity, recoverable: recoverable ? 1 : 0 },
      ...{ signature: short(signature), message: short(message) },
    })
    const execution = this.execution(event)
    if (execution !== null) execution.errorType = type
  }

  /** Where and when it was: an event that names no task was of that of the last step. */
  private place(event: JournalEvent & Partial<Whose>): Detail {
    const { task = this.facts.task, attempt = this.facts.attempt } = event
    const { run, seq, at } = event
    return { run, seq, at, task: task && short(task), attempt }
  }

  /** `null` for what was nobody's attempt: a task that only waits, a question about the roadmap. */
  private execution({ task, attempt, at }: Whose & { readonly at: string }) {
    if (task === null || attempt === null || attempt < 1) return null
    const key = JSON.stringify([task, attempt])
    const known = this.executions.get(key)
    if (known !== undefined) {
      known.lastAt = at
      return known
    }
    const execution = { ...nothing, task: short(task), attempt, firstAt: at, lastAt: at }
    this.executions.set(key, execution)
    return execution
  }
}

interface Whose {
  readonly task: string | null
  readonly attempt: number | null
}

const nothing: Omit<ExecutionChange, 'task' | 'attempt' | 'firstAt' | 'lastAt'> = {
  seconds: 0,
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  dollars: 0,
  cut: 0,
  model: null,
  strategy: null,
  files: null,
  complexity: null,
  title: null,
  fingerprint: null,
  verdict: null,
  reason: null,
  repairs: null,
  recovery: null,
  recoveryReason: null,
  decision: null,
  errorType: null,
}

function addUsage(execution: ExecutionChange, usage: Usage): void {
  execution.requests += usage.requests
  execution.promptTokens += usage.promptTokens
  execution.completionTokens += usage.completionTokens
  execution.dollars += usage.dollars
}

const short = (text: string): string => text.slice(0, longestText)
