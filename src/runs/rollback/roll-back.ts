import { isTaskId } from '../../../packages/task/task.ts'
import { branchOf, taskIdOfBranch } from '../../core/domain/branches.ts'
import { attemptsOf, changeState } from '../../core/domain/change-state.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { trailer } from '../../core/domain/identity.ts'
import type { JournalEntry, JournalEvent } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { findRun } from '../../core/journal/find-run.ts'
import type { BranchTip, RepositoryView } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import {
  type FoundWork,
  findDependents,
  findWork,
  type RollbackTarget,
  readSnapshot,
} from '../../publish/rollback/find-work.ts'
import type { Operation, Undone } from '../../publish/rollback/operations.ts'
import { loadRoadmap } from '../../tasks/load-roadmap.ts'
import { findCarriers } from '../../tasks/standing/find-own-work.ts'
import { newestByHead } from '../../tasks/start/order-stack.ts'
import { writeIssueComments } from '../issues/adopted-issues.ts'
import { whatStays } from './what-stays.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'store' | 'leases'>

export type RollbackPlan = Awaited<ReturnType<typeof planRollback>>

export interface DoneOperation extends Undone {
  readonly operation: Operation
}

/**
 * Plans the rollback of a task or a run. Writes nothing.
 *
 * @throws ExecutorError `unknown_task`, `unknown_run`
 */
export async function planRollback(
  asked: {
    /** A task's id, a run's id or an unambiguous beginning of it, or `last`. */
    readonly target: string
    /** Only this many operations, of the newest; `null` means all. */
    readonly newest: number | null
    readonly withDependents: boolean
  },
  ports: Needs,
) {
  const loaded = await ports.store.load()
  const last = loaded.status === 'loaded' ? loaded.state : null
  const snapshot = await readSnapshot(ports)
  const target = await understand(asked.target, last, snapshot.view, ports)
  const newest = ({ operations }: FoundWork) =>
    operations.slice(0, asked.newest ?? operations.length)
  const found = await findWork(target, last, snapshot, ports)
  if (target.run === null) await mustBeKnown(asked.target, found, last, snapshot.view, ports)
  const emptied = found.operations.flatMap(({ kind, task }) => (kind === 'revert' ? task : []))
  const meant = target.run === null ? target.tasks : emptied
  const dependents = await findDependents(
    newest(found),
    snapshot,
    (task) => meant.includes(task),
    ports,
  )
  const more = { ...target, dependents: dependents.map(({ task }) => task) }
  const isMore = asked.withDependents && dependents.length > 0
  const work = isMore ? await findWork(more, last, snapshot, ports) : found
  const events: JournalEvent[] = []
  for (const run of work.runs) events.push(...(await ports.store.journal(run)))
  return {
    /** The resolved target: a task, or a full run id. */
    target: target.run ?? asked.target,
    operations: newest(work),
    /** Tasks built on the reverted work; the plan includes them on request. */
    dependents,
    /** Present work that belongs to others. */
    leftAlone: [...work.leftAlone, ...inGroups(target, snapshot)],
    /** Effects that cannot be reverted. */
    stays: whatStays(events, target.run === null ? work.tasks : null),
    tasks: work.tasks,
    runs: work.runs,
    /** The state that the last run left. */
    last,
  }
}

/** Tasks whose work is a group's: only all of it is rolled back here. */
function inGroups(
  { run, tasks }: RollbackTarget,
  { view, pullRequests }: Pick<Awaited<ReturnType<typeof readSnapshot>>, 'view' | 'pullRequests'>,
): readonly string[] {
  if (run !== null) return []
  const branches = new Map(view.branches.map((branch) => [branch.name, branch]))
  const carriers = findCarriers(branches, newestByHead(pullRequests))
  return tasks.flatMap((id) => {
    const first = taskIdOfBranch(carriers.get(id)?.head ?? '')
    return first === null || first === id
      ? []
      : `${id} was done together with ${first}: name ${first} for all of it, or comment /skip ${id} on its pull request`
  })
}

async function understand(
  text: string,
  last: RunState | null,
  { branches }: RepositoryView,
  { store }: Needs,
): Promise<RollbackTarget> {
  if (isTaskId(text)) return { tasks: [text], run: null, dependents: [], cause: null }
  const known = new Set([
    ...(await store.runs()),
    ...branches.flatMap(({ trailers }) => trailers[trailer.run] ?? []),
    ...(last === null ? [] : [last.run.id]),
  ])
  const run = findRun(text, [...known].sort())
  const worked = (await store.journal(run)).flatMap((event) =>
    event.kind === 'stepped' && event.task !== null ? [event.task] : [],
  )
  const kept =
    last?.run.id === run
      ? [...attemptsOf(last).map(({ task }) => task.id), ...Object.keys(last.tasks.parked)]
      : []
  const tasks = [...new Set([...worked, ...kept])]
  return { tasks: tasks.filter(isTaskId), run, dependents: [], cause: null }
}

/** A typing error must not read as "nothing is left to revert". */
async function mustBeKnown(
  id: string,
  { operations }: FoundWork,
  last: RunState | null,
  { base, branches }: RepositoryView,
  { workspace, settings }: Needs,
): Promise<void> {
  if (operations.length > 0) return
  const { normalized = null, amendments = [] } = last?.roadmap ?? {}
  const where = { roadmap: { base, path: settings.roadmap, normalized, amendments } }
  const asked = { issues: last?.asked.issues ?? [] }
  const roadmap = await loadRoadmap({ ...where, asked }, { workspace, settings })
  const isKnown =
    roadmap?.tasks.some((task) => task.id === id) ||
    branches.some(({ name }) => name === branchOf(id))
  if (!isKnown) throw new ExecutorError('unknown_task', id)
}

/**
 * Carries out the plan, newest first. Operations are independent: reports one that fails and tries the next; a second
 * rollback finds what the first one left. Drops all leases on the work except those of living runs, which `warned`
 * receives, one sentence each.
 */
export async function rollBack(
  plan: RollbackPlan,
  ports: Needs,
  told: (done: DoneOperation) => void = () => {},
  warned: (sentence: string) => void = () => {},
): Promise<readonly DoneOperation[]> {
  for (const held of await ports.leases.drop([...plan.tasks, ...plan.runs])) {
    warned(`${held}; work that it writes after this is not reverted.`)
  }
  const results: DoneOperation[] = []
  for (const operation of plan.operations) {
    const result = { operation, ...(await operation.undo(ports)) }
    results.push(result)
    told(result)
    await writeDown(result, plan, ports)
  }
  const emptied = new Set(
    results.flatMap(({ outcome, operation }) => (outcome === 'done' ? operation.task : [])),
  )
  // Forget now what a killed rollback could not.
  const over = plan.operations.length === 0 ? plan.tasks : []
  await forget([...emptied, ...over], plan, ports)
  return results
}

async function writeDown(
  { operation, outcome, detail }: DoneOperation,
  { runs, last }: RollbackPlan,
  { store }: Needs,
): Promise<void> {
  const { kind, task, key } = operation
  const run = operation.run ?? runs[0] ?? last?.run.id
  if (run === undefined) return
  await store.record(run, [{ kind: 'undone', task, operation: kind, key, outcome, detail }])
}

/** Otherwise the next run would trust the last run's knowledge of these tasks. */
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

/** Steps that need no attempt. */
const betweenTasks: readonly RunState['progress']['next'][] = [
  'parse_roadmap',
  'normalize_roadmap',
  'pick_task',
  'retry_deferred',
  'generate_report',
  'END',
]

/**
 * Returns the state without its knowledge of these tasks: the next run picks them as if they had never been tried.
 * Returns the same object when it knows nothing of them.
 */
function forgetTasks(
  state: RunState,
  tasks: readonly string[],
  branches: readonly BranchTip[],
): RunState {
  const { attempt } = state
  const isForgotten = (id: string) => tasks.includes(id)
  const drops = attempt !== null && isForgotten(attempt.task.id)
  const knows =
    attemptsOf(state).some(({ task }) => isForgotten(task.id)) ||
    [state.tasks.results, state.tasks.parked, state.tasks.questions, state.asked.answers].some(
      (record) => Object.keys(record).some(isForgotten),
    ) ||
    state.roadmap.amendments.some(({ task }) => isForgotten(task.id))
  if (!knows) return state
  return changeState(state, {
    tasks: {
      results: without(state.tasks.results, isForgotten),
      parked: without(state.tasks.parked, isForgotten),
      questions: without(state.tasks.questions, isForgotten),
      retried: state.tasks.retried.filter((id) => !isForgotten(id)),
      heads: {
        ...state.tasks.heads,
        ...Object.fromEntries(branches.map(({ name, sha }) => [name, sha])),
      },
    },
    asked: { answers: without(state.asked.answers, isForgotten) },
    roadmap: { amendments: state.roadmap.amendments.filter(({ task }) => !isForgotten(task.id)) },
    attempt: drops ? null : attempt,
    ...(state.lanes && {
      lanes: state.lanes.filter((lane) => !isForgotten(lane.attempt.task.id)),
    }),
    progress: {
      next: drops ? between(state.progress.next) : state.progress.next,
      resumeAt:
        drops && state.progress.resumeAt !== null
          ? between(state.progress.resumeAt)
          : state.progress.resumeAt,
    },
  })
}

const between = (node: RunState['progress']['next']): RunState['progress']['next'] =>
  betweenTasks.includes(node) ? node : 'pick_task'

const without = <T>(
  record: Readonly<Record<string, T>>,
  isLeftOut: (key: string) => boolean,
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !isLeftOut(key)))
