import { ExecutorError } from '../../core/domain/errors.ts'
import { trailer } from '../../core/domain/identity.ts'
import type { JournalEntry, JournalEvent } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { branchOf, isTaskId } from '../../core/domain/task-id.ts'
import { findRun } from '../../core/journal/find-run.ts'
import type { Ports } from '../../core/ports.ts'
import { loadRoadmap } from '../../roadmap/load-roadmap.ts'
import { writeIssueComments } from '../issues/adopted-issues.ts'
import { type FoundWork, findDependents, findWork, type RollbackTarget } from './find-work.ts'
import { forgetTasks } from './forget-tasks.ts'
import { keyOf, type Operation } from './operation.ts'
import { type Undone, undo } from './undo.ts'
import { whatStays } from './what-stays.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'store' | 'leases'>

export type RollbackPlan = Awaited<ReturnType<typeof planRollback>>

export interface DoneOperation extends Undone {
  readonly operation: Operation
}

/**
 * What a rollback of a task or a run would take back. Nothing is written.
 *
 * @throws ExecutorError `unknown_task`, `unknown_run`
 */
export async function planRollback(
  asked: {
    /** A task's id, a run's id or the beginning of one, or `last`. */
    readonly target: string
    /** Only so many operations, of the newest; `null` is all. */
    readonly newest: number | null
    readonly withDependents: boolean
  },
  ports: Needs,
) {
  const loaded = await ports.store.load()
  const last = loaded.status === 'loaded' ? loaded.state : null
  const target = await understand(asked.target, last, ports)
  const found = await findWork(target, last, ports)
  if (target.run === null) await mustBeKnown(asked.target, found, last, ports)
  const taken = found.operations.slice(0, asked.newest ?? found.operations.length)
  const dependents = await dependentsOf(taken, found, target, ports)
  const isAll = asked.withDependents && dependents.length > 0
  const more = { ...target, dependents: dependents.map(({ task }) => task) }
  const work = isAll ? await findWork(more, last, ports) : found
  const operations = work.operations.slice(0, asked.newest ?? work.operations.length)
  const events = await journalsOf(work.runs, ports)
  return {
    /** What was asked for, as it was understood: a task, or a whole run id. */
    target: target.run ?? asked.target,
    /** Newest first. */
    operations,
    /** Tasks built on what is to be taken back; they are in the plan when they were asked for. */
    dependents,
    /** What is there and is not ours to touch. */
    leftAlone: work.leftAlone,
    /** What cannot be taken back. */
    stays: whatStays(events, target.run === null ? work.tasks : null),
    tasks: work.tasks,
    runs: work.runs,
    /** What the last run left. */
    last,
  }
}

async function understand(
  text: string,
  last: RunState | null,
  ports: Needs,
): Promise<RollbackTarget> {
  if (isTaskId(text)) return { tasks: [text], run: null, dependents: [] }
  const { branches } = await ports.workspace.refresh()
  const known = new Set([
    ...(await ports.store.runs()),
    ...branches.flatMap(({ trailers }) => trailers[trailer.run] ?? []),
    ...(last === null ? [] : [last.run.id]),
  ])
  const run = findRun(text, [...known].sort())
  const worked = (await ports.store.journal(run)).flatMap((event) =>
    event.kind === 'stepped' && event.task !== null ? [event.task] : [],
  )
  const kept =
    last?.run.id === run ? [last.attempt?.task.id ?? [], Object.keys(last.tasks.parked)] : []
  const tasks = [...new Set([...worked, ...kept.flat(2)])]
  return { tasks: tasks.filter(isTaskId), run, dependents: [] }
}

/** A slip of the pen must not read as "nothing is left to take back". */
async function mustBeKnown(
  id: string,
  { operations }: FoundWork,
  last: RunState | null,
  { workspace, settings }: Needs,
): Promise<void> {
  if (operations.length > 0) return
  const { base, branches } = await workspace.view()
  const { normalized = null, amendments = [] } = last?.roadmap ?? {}
  const where = { roadmap: { base, path: settings.roadmap, normalized, amendments } }
  const asked = { issues: last?.asked.issues ?? [] }
  const roadmap = await loadRoadmap({ ...where, asked }, { workspace, settings })
  const isKnown =
    roadmap?.tasks.some((task) => task.id === id) ||
    branches.some(({ name }) => name === branchOf(id))
  if (!isKnown) throw new ExecutorError('unknown_task', id)
}

async function dependentsOf(
  taken: readonly Operation[],
  found: FoundWork,
  target: RollbackTarget,
  ports: Needs,
) {
  const emptied = new Set(
    found.operations.flatMap((operation) => (operation.kind === 'revert' ? operation.task : [])),
  )
  const isMeantAnyway = (task: string) =>
    target.run === null ? target.tasks.includes(task) : emptied.has(task)
  return findDependents(taken, await ports.workspace.view(), isMeantAnyway, ports)
}

async function journalsOf(
  runs: readonly string[],
  { store }: Pick<Ports, 'store'>,
): Promise<readonly JournalEvent[]> {
  const events: JournalEvent[] = []
  for (const run of runs) events.push(...(await store.journal(run)))
  return events
}

/**
 * Takes it back, newest first. Each operation stands by itself: what cannot be done is told and the next
 * one is tried, and a second rollback finds what the first one left. Nobody's leases are left on it but
 * those of living runs, which `warned` is told of, a sentence each.
 */
export async function rollBack(
  plan: RollbackPlan,
  ports: Needs,
  told: (done: DoneOperation) => void = () => {},
  warned: (sentence: string) => void = () => {},
): Promise<readonly DoneOperation[]> {
  for (const held of await ports.leases.drop([...plan.tasks, ...plan.runs])) {
    warned(`${held}; what it writes after this is not taken back.`)
  }
  const results: DoneOperation[] = []
  for (const operation of plan.operations) {
    const result = { operation, ...(await undo(operation, ports)) }
    results.push(result)
    told(result)
    await writeDown(result, plan, ports)
  }
  const emptied = new Set(
    results.flatMap(({ outcome, operation }) => (outcome === 'done' ? operation.task : [])),
  )
  // What an earlier rollback was too short-lived to forget is forgotten now.
  const over = plan.operations.length === 0 ? plan.tasks : []
  await forget([...emptied, ...over], plan, ports)
  return results
}

async function writeDown(
  { operation, outcome, detail }: DoneOperation,
  { runs, last }: RollbackPlan,
  { store }: Needs,
): Promise<void> {
  const run = ('run' in operation ? operation.run : null) ?? runs[0] ?? last?.run.id
  if (run === undefined) return
  const { kind, task } = operation
  const key = keyOf(operation)
  await store.record(run, [{ kind: 'undone', task, operation: kind, key, outcome, detail }])
}

/** What the last run knows of these tasks would be taken for true by the next. */
async function forget(
  tasks: readonly string[],
  { last }: RollbackPlan,
  ports: Needs,
): Promise<void> {
  if (last === null) return
  const { branches } = await ports.workspace.refresh()
  const state = forgetTasks(last, tasks, branches)
  if (state === last) return
  const reopened = tasks
    .filter((task) => Object.hasOwn(last.tasks.results, task))
    .map((task): JournalEntry => ({ kind: 'reopened', task }))
  await ports.store.save(state, reopened)
  // The issues that asked for these tasks.
  await writeIssueComments(state, ports, (_, own) => own.some(({ id }) => tasks.includes(id)))
}
