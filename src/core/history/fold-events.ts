/**
 * Folds the events of one run into changes of the history. Counts come as amounts to add and facts as their newest
 * value, so a journal may be read in any number of pieces.
 */
import { secondsOf } from '../domain/instant.ts'
import type { JournalEvent, Recorded } from '../domain/journal-event.ts'
import { isInvestigation } from '../domain/steps.ts'
import { addUsage, totalTokens } from '../domain/usage.ts'
import type { RouteStrategy } from './statistics.ts'

const newRun = {
  /** Of the last event folded in; -1 before the first. */
  seq: -1,
  startedAt: '',
  lastAt: '',
  model: '',
  roadmap: '',
  base: '',
  /** `ended`, or why it stopped early; empty while it continues, or after a kill. */
  end: '',
  /** The attempt of the last step. */
  ...({ task: null, attempt: null } as Whose),
}

/** A run so far, and the facts that its next events rely on. */
export type RunFacts = Readonly<typeof newRun> & { readonly run: string }

export const newRunFacts = (run: string): RunFacts => ({ run, ...newRun })

/** Columns of an execution that events add to. */
export const summedColumns = [
  ...['seconds', 'requests', 'promptTokens', 'completionTokens', 'dollars', 'cut'],
] as const

/** Texts of an execution: the newest event with one wins. */
export const latestColumns = [
  ...[
    'model',
    'shape',
    'complexity',
    'lesson',
    'context',
    'refinement',
    'title',
    'fingerprint',
    'verdict',
    'reason',
  ],
  ...['recovery', 'recoveryReason', 'decision', 'errorType'],
] as const

/** Changes to add to an execution; `null` keeps the present value. */
export type ExecutionChange = {
  readonly task: string
  readonly attempt: number
  readonly firstAt: string
  lastAt: string
  /** `single` does not reset `two_phase`: both ask for the code. */
  strategy: RouteStrategy | null
  files: number | null
  repairs: number | null
} & Record<(typeof summedColumns)[number], number> &
  Record<(typeof latestColumns)[number], string | null>

/** The tables besides the executions, one row per event; each has its columns besides place and time. */
export const detailTables = {
  steps: { node: 'TEXT', outcome: 'TEXT', seconds: 'REAL', tokens: 'REAL', dollars: 'REAL' },
  calls: {
    ...{ purpose: 'TEXT', model: 'TEXT', seconds: 'REAL', finish: 'TEXT' },
    ...{ tokens: 'REAL', dollars: 'REAL' },
  },
  effects: { effect: 'TEXT', key: 'TEXT', outcome: 'TEXT', detail: 'TEXT' },
  recoveries: { strategy: 'TEXT', reason: 'TEXT', decision: 'TEXT', by: 'TEXT' },
  errors: {
    ...{ node: 'TEXT', type: 'TEXT', severity: 'TEXT', recoverable: 'REAL' },
    ...{ signature: 'TEXT', message: 'TEXT' },
  },
  remedies: {
    ...{ node: 'TEXT', type: 'TEXT', strategy: 'TEXT', signature: 'TEXT', fix: 'TEXT' },
    worked: 'REAL NOT NULL',
  },
} as const

type DetailTable = keyof typeof detailTables

/** Values by column. */
type Detail = Readonly<Record<string, string | number | null>>

export type RunChanges = Readonly<Record<DetailTable, readonly Detail[]>> & {
  readonly facts: RunFacts
  readonly executions: readonly ExecutionChange[]
}

/** Characters that are kept of each text; the journal has the whole. */
const longestText = 500

/** Skips events that were folded in before, or have no time. */
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
  readonly rows: Record<DetailTable, Detail[]> = {
    ...{ steps: [], calls: [], effects: [], recoveries: [], errors: [], remedies: [] },
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
      case 'routed':
        this.route(event)
        break
      case 'too_large':
      case 'silent':
      case 'refused':
        // A question without an answer.
        this.add('calls', event, { model: this.facts.model, ...event, finish: event.kind })
        break
      case 'effected':
        this.add('effects', event, event)
        break
      case 'filed':
        this.verdict(event)
        break
      case 'recovered':
        this.recovery(event)
        break
      case 'failed': {
        this.add('errors', event, { ...event, ...event.error })
        const execution = this.execution(event)
        // Faults met while looking for the reason are not the task's last error.
        if (execution !== null && !isInvestigation(event.node)) {
          execution.errorType = event.error.type
        }
        break
      }
      case 'remedied':
        this.add('remedies', event, event)
        break
      case 'ended':
        this.facts = { ...this.facts, end: event.stopped ?? 'ended' }
    }
  }

  private step(event: Recorded<'stepped'>): void {
    const { task, attempt, node, usage } = event
    this.facts = { ...this.facts, task, attempt }
    this.add('steps', event, { ...event, ...usage, tokens: totalTokens(usage) })
    const execution = this.execution(event)
    if (execution === null) return
    execution.seconds += event.seconds
    if (node === 'plan_task') execution.strategy = 'two_phase'
    if (node === 'think') execution.strategy = 'tools'
    if (node === 'run_agent') execution.strategy = 'agent'
    if (node === 'execute_task') execution.strategy ??= 'single'
    execution.files = event.files ?? execution.files
    execution.complexity = event.complexity ?? execution.complexity
    execution.shape = event.shape ?? execution.shape
    execution.refinement = event.refinement ?? execution.refinement
    execution.lesson ??= event.lesson ?? null
    if (event.contextTokens !== undefined) execution.context ??= sizeOfContext(event.contextTokens)
  }

  /** The attempt before it failed, and its task was given to another way. */
  private route({ after, ...event }: Recorded<'routed'>): void {
    if (after === null) return
    const { attempt, fingerprint, reason } = after
    const lost = this.execution({ ...event, attempt })
    if (lost !== null)
      Object.assign(lost, { fingerprint, verdict: 'failed', reason: short(reason) })
  }

  private call(event: Recorded<'answered'>): void {
    const { purpose, usage } = event
    this.add('calls', event, { ...event, ...usage, tokens: totalTokens(usage) })
    const execution = this.execution(event)
    if (execution === null) return
    Object.assign(execution, addUsage(execution, usage))
    execution.model = event.model
    if (event.finish === 'length') execution.cut += 1
    if (purpose === 'plan') execution.strategy = 'two_phase'
    if (purpose === 'think') execution.strategy = 'tools'
    if (purpose === 'draft') execution.strategy ??= 'single'
  }

  private verdict(event: Recorded<'filed'>): void {
    const { id, attempts, title, fingerprint, verdict, reason, repairs } = event.result
    const execution = this.execution({ ...event, task: id, attempt: attempts })
    if (execution === null) return
    Object.assign(execution, { fingerprint, verdict, repairs })
    Object.assign(execution, { title: short(title), reason: short(reason) })
  }

  private recovery({ record, ...event }: Recorded<'recovered'>): void {
    const { taskId: task, proposal, decision } = record
    const about = { ...event, task, attempt: this.facts.task === task ? this.facts.attempt : null }
    this.add('recoveries', about, { ...proposal, ...record })
    const execution = this.execution(about)
    if (execution === null) return
    const { strategy: recovery, reason: recoveryReason } = proposal
    Object.assign(execution, { recovery, recoveryReason, decision })
  }

  /** Adds a row with its place and time: an event that names no task belongs to that of the last step. */
  private add(table: DetailTable, event: Place & Partial<Whose>, values: object): void {
    const { run, seq, at, task = this.facts.task, attempt = this.facts.attempt } = event
    const columns = Object.keys(detailTables[table]).map((name): [string, string | number] => {
      const value: unknown = Reflect.get(values, name)
      return [name, typeof value === 'string' ? short(value) : Number(value)]
    })
    const row = { run, seq, at, task: task && short(task), attempt }
    this.rows[table].push({ ...row, ...Object.fromEntries(columns) })
  }

  /** `null` for events outside an attempt: a waiting task, a question about the roadmap. */
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

type Place = Pick<JournalEvent, 'run' | 'seq' | 'at'>

interface Whose {
  readonly task: string | null
  readonly attempt: number | null
}

const allOf = <Name extends string, Value>(names: readonly Name[], value: Value) =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>

const nothing = {
  ...allOf(summedColumns, 0),
  ...allOf(latestColumns, null),
  ...allOf(['strategy', 'files', 'repairs'], null),
}

/** In tokens. */
const [small, large] = [1_000, 4_000]

export const largeContext = 'over 4,000 tokens'

function sizeOfContext(tokens: number): string {
  if (tokens < small) return 'under 1,000 tokens'
  return tokens <= large ? '1,000 to 4,000 tokens' : largeContext
}

const short = (text: string): string => text.slice(0, longestText)
