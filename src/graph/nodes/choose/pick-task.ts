import { changesOf, contentBefore, openTree } from '../../../../packages/change/change.ts'
import type { Diagnosis } from '../../../../packages/diagnosis/diagnosis.ts'
import { openBaseline } from '../../../../packages/judge/judge.ts'
import type { Task } from '../../../../packages/task/task.ts'
import { clip, showText } from '../../../../packages/text/text.ts'
import type { Answer } from '../../../core/domain/answer.ts'
import type { Attempt } from '../../../core/domain/attempt.ts'
import { branchOf } from '../../../core/domain/branches.ts'
import {
  changeState,
  joinPatches,
  tasksInLanes,
  untried,
  wayOf,
} from '../../../core/domain/change-state.ts'
import { composeTask } from '../../../core/domain/compose-task.ts'
import { recordHidden } from '../../../core/domain/hidden-lines.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { noUsage } from '../../../core/domain/usage.ts'
import type { TaskResult } from '../../../core/domain/verdict.ts'
import { factId } from '../../../core/fact-id.ts'
import type { Ports } from '../../../core/ports.ts'
import { reachedLimit } from '../../../model/budget/run-limits.ts'
import { showTask } from '../../../model/context/show-task.ts'
import { sizeTask } from '../../../model/size/complexity.ts'
import { chooseFor } from '../../../recovery/task/choose-route.ts'
import { skippedFor } from '../../../recovery/task/skip-lacking.ts'
import { findMembers, groupLedBy, keptMembers } from '../../../tasks/groups/find-members.ts'
import { loadOpenTasks, type OpenTasks } from '../../../tasks/load-roadmap.ts'
import { isLeft, waitElsewhere } from '../../../tasks/standing/is-left.ts'
import { untouchedResult, waitingResult } from '../../../tasks/standing/untouched-result.ts'
import {
  findStart,
  type Start,
  startOnOthers,
  whyUnwritable,
} from '../../../tasks/start/find-start.ts'
import type { StepOf } from '../../step.ts'

type Needs = Pick<
  Ports,
  'workspace' | 'settings' | 'clock' | 'leases' | 'sandbox' | 'routes' | 'forge' | 'elsewhere'
>

/**
 * Picks the next ready task: dependencies met, then priority, then document order. Tasks that cannot become ready in
 * this run get the verdict `waiting` with the reason. From here on a task has only the words that a reader of the
 * roadmap sees. While tasks are under way in lanes, it never says that nothing is left: they may make others ready.
 */
export async function pickTask(state: RunState, ports: Needs): Promise<StepOf<'pick_task'>> {
  const step = await choose(state, ports)
  const isOver = step.outcome === 'none_left' || step.outcome === 'only_deferred_left'
  if (!isOver || tasksInLanes(state).length === 0) return step
  const { leases = state.tasks.leases } = step.patch?.tasks ?? {}
  return { outcome: 'held_up', patch: { tasks: { leases } } }
}

async function choose(state: RunState, ports: Needs): Promise<StepOf<'pick_task'>> {
  const open = await loadOpenTasks(state, ports)
  const { order, dependsOn: dependencies, buildsOn } = open
  const blocked: { readonly task: Task; readonly reason: string }[] = []
  const held = new Map(Object.entries(state.tasks.leases))
  const behind = behindLanes(state, open)
  let full: ReturnType<typeof reachedLimit> = null
  for (const task of answeredFirst(order, state)) {
    if (!isLeft(state, task.id) || held.has(task.id)) continue
    if (behind.has(task.id)) continue
    if (task.owner !== undefined && !state.run.only?.includes(task.id)) {
      blocked.push({ task, reason: `it belongs to ${task.owner}` })
      continue
    }
    const waits = await waitElsewhere(task, ports)
    if (waits !== null) {
      blocked.push({ task, reason: waits })
      continue
    }
    const dependsOn = dependencies.get(task.id) ?? []
    const needs = {
      dependsOn: stillNeeded(dependsOn, state),
      buildsOn: buildsOn.get(task.id) ?? [],
    }
    const ready = await findStart(task.id, needs, state, ports)
    const head = state.tasks.heads[branchOf(task.id)] ?? null
    const start = await startOnOthers(task.id, ready, head, ports.workspace)
    const answer = state.asked.answers[task.id]
    const unit = composeTask(keptMembers(task, order, state))
    const answered = answer && (await takeAnswered(unit, answer, start, state, ports))
    if (start.status === 'waits' && !answered) {
      const other = dependsOn.find((id) => held.has(id))
      if (other === undefined) blocked.push({ task, reason: start.reason })
      else held.set(task.id, `it needs ${other}, which another run is working on`)
      continue
    }
    const isCounted = state.tasks.retried.includes(task.id)
    const limit = answered ? null : reachedLimit(state, ports.settings, isCounted, ports.forge)
    if (limit?.progress?.stopped === 'limit') return { outcome: 'none_left', patch: limit }
    if (limit !== null) {
      full = limit
      continue
    }
    const skipped = answered ? null : await skip(task, start, state, ports)
    if (skipped !== null) {
      const results = { ...state.tasks.results, [task.id]: skipped }
      return { outcome: 'skipped', patch: { tasks: { results, leases: Object.fromEntries(held) } } }
    }
    const taken = await ports.leases.take(task.id)
    if (taken.status === 'held') {
      const group = await groupLedBy(task, start, open, state, ports)
      for (const { id } of group) held.set(id, `${taken.by} and may do it together with ${task.id}`)
      held.set(task.id, taken.by)
      continue
    }
    if (start.status === 'waits' || answered) {
      return take(unit, start, answered || null, withHeld(state, held), ports)
    }
    const others = new Map([...held, ...[...behind].map((id) => [id, 'this run'] as const)])
    const members = await findMembers({ task, start, open, held: others }, state, ports)
    return take(composeTask(members), start, null, withHeld(state, held), ports)
  }
  return nothingReady(withHeld(state, held), blocked, full)
}

/**
 * The tasks under way in lanes, and those that wait for one of them or behind another that waits: tasks that need it,
 * start from its work, or belong together with it.
 */
function behindLanes(
  state: RunState,
  { order, dependsOn, buildsOn }: OpenTasks,
): ReadonlySet<string> {
  const underWay = tasksInLanes(state)
  const behind = new Set(underWay.map(({ id }) => id))
  if (underWay.length === 0) return behind
  const groups = new Set(underWay.flatMap(({ together }) => together ?? []))
  for (const { id, together } of order) {
    const needs = [...(dependsOn.get(id) ?? []), ...(buildsOn.get(id) ?? [])]
    const isTogether = together !== undefined && groups.has(together)
    if (isTogether || needs.some((need) => behind.has(need))) behind.add(id)
  }
  return behind
}

/** The result of a task that would be paid for in vain; `null` for any other. */
async function skip(
  task: Task,
  start: Start,
  state: RunState,
  ports: Needs,
): Promise<TaskResult | null> {
  if (start.status === 'waits') return null
  const cause = await stillLacks(task, start, state, ports)
  if (cause !== undefined) return skippedFor(task, cause)
  const reason = await whyUnwritable(task, start.sha, ports.workspace)
  return reason === null
    ? null
    : untouchedResult(task, { verdict: 'skipped', reason, thisRun: true })
}

/** Why the last attempt at this text failed, if that still holds. A task that a person names is tried in any case. */
async function stillLacks(
  task: Task,
  start: Exclude<Start, { readonly status: 'waits' }>,
  { run: { only }, tasks: { lacked } }: RunState,
  ports: Needs,
): Promise<Diagnosis | undefined> {
  const { fingerprint, cause } = lacked[task.id] ?? {}
  const isLookedFor = fingerprint === task.fingerprint && !only?.includes(task.id)
  if (cause === undefined || !isLookedFor) return undefined
  if (ports.settings.verify.mode === 'skip') return undefined
  const baseline = await openBaseline({ sha: start.sha, task }, ports)
  return (await baseline.isStillSo(cause)) ? cause : undefined
}

const withHeld = (state: RunState, held: ReadonlyMap<string, string>): RunState =>
  changeState(state, { tasks: { leases: Object.fromEntries(held) } })

/** Starts a fresh attempt, or resumes one that waited or was answered. */
async function take(
  task: Task,
  start: Start,
  answered: StepOf<'pick_task'> | null,
  state: RunState,
  ports: Needs,
): Promise<StepOf<'pick_task'>> {
  const { leases: held } = state.tasks
  if (answered !== null)
    return { ...answered, patch: joinPatches(answered.patch, { tasks: { leases: held } }) }
  if (start.status === 'waits') throw new Error(`${task.id} cannot start.`)
  const shown = showTask(task)
  const now = ports.clock.now()
  const { [task.id]: earlier, ...others } = state.tasks.parked
  const waits = earlier !== undefined && earlier.destructive.length > 0
  const parked = waits ? others : state.tasks.parked
  if (waits && (await stillFits(earlier, shown.task, start.sha, ports))) {
    const head = state.tasks.heads[branchOf(task.id)] ?? null
    const { branch, sha } = start
    const attempt = { ...earlier, task: shown.task, start: { branch, sha }, head, startedAt: now }
    return { outcome: 'taken_up', patch: { attempt, tasks: { parked, leases: held } } }
  }
  const { paths } = await openTree(start.sha, ports.workspace)
  const size = sizeTask(shown.task, paths)
  const fresh = { ...freshAttempt(state, shown.task, start, now), size }
  const attempt = { ...fresh, ...(await chooseFor(fresh, ports)) }
  const plans = wayOf(attempt, ports.settings.strategy) === 'two_phase' && attempt.feedback === null
  return {
    outcome: plans ? 'picked' : 'picked_simple',
    patch: joinPatches(
      { attempt, tasks: { parked, leases: held } },
      recordHidden(state, task.id, shown.removed),
    ),
  }
}

/** Puts tasks that a person decided on first. */
function answeredFirst(order: readonly Task[], { asked: { answers } }: RunState): readonly Task[] {
  if (Object.keys(answers).length === 0) return order
  const isAnswered = ({ id }: Task) => answers[id] !== undefined
  return [...order.filter(isAnswered), ...order.filter((task) => !isAnswered(task))]
}

/**
 * Loads the attempt that the answer concerns, or starts afresh when it is lost. A decision about the roadmap needs no
 * start commit; a code change needs the one that the question showed.
 */
async function takeAnswered(
  task: Task,
  { choice }: Answer,
  start: Start,
  state: RunState,
  ports: Needs,
): Promise<StepOf<'pick_task'> | null> {
  const { [task.id]: kept, ...parked } = state.tasks.parked
  const writes = choice === 'retry' || (choice === 'approve' && kept?.destructive.length)
  if (start.status === 'waits' && writes) return null
  const from = start.status === 'waits' ? state.roadmap.base : start
  const shown = showTask(task)
  const fresh = freshAttempt(state, shown.task, from, ports.clock.now())
  const fits =
    kept !== undefined &&
    (kept.destructive.length === 0 || (await stillFits(kept, shown.task, from.sha, ports)))
  const { start: place, head, startedAt, feedback, grants } = fresh
  const attempt = fits
    ? { ...kept, task: shown.task, start: place, head, startedAt, feedback, grants }
    : fresh
  const hidden = recordHidden(state, task.id, shown.removed)
  return { outcome: 'answered', patch: joinPatches({ attempt, tasks: { parked } }, hidden) }
}

function nothingReady(
  state: RunState,
  blocked: readonly { readonly task: Task; readonly reason: string }[],
  full: ReturnType<typeof reachedLimit>,
): StepOf<'pick_task'> {
  const deferred = Object.values(state.tasks.results).some(
    ({ id, verdict, thisRun }) =>
      verdict === 'deferred' && thisRun && !state.tasks.retried.includes(id),
  )
  const { leases: held } = state.tasks
  if (deferred) return { outcome: 'only_deferred_left', patch: { tasks: { leases: held } } }
  if (full !== null)
    return { outcome: 'none_left', patch: joinPatches({ tasks: { leases: held } }, full) }
  const waiting = blocked.map(
    ({ task, reason }) => [task.id, waitingResult(task, reason, state)] as const,
  )
  return {
    outcome: 'none_left',
    patch: {
      tasks: { leases: held, results: { ...state.tasks.results, ...Object.fromEntries(waiting) } },
    },
  }
}

/** A dry run finishes nothing: tasks it has forecast count as done. */
const stillNeeded = (dependsOn: readonly string[], state: RunState): readonly string[] =>
  dependsOn.filter(
    (id) => !(state.run.dryRun && state.tasks.results[id]?.verdict === 'over_budget'),
  )

/** A change that waited for a person stays valid while its task and the files that it changes are the same. */
async function stillFits(
  { task, draft }: Attempt,
  now: Task,
  sha: string,
  ports: Pick<Ports, 'workspace'>,
): Promise<boolean> {
  const changes = changesOf(draft)
  if (task.fingerprint !== now.fingerprint || changes.length === 0) return false
  const texts = await ports.workspace.readFiles(
    sha,
    changes.map(({ path }) => path),
  )
  return changes.every((change) => contentBefore(change) === texts.get(change.path))
}

/** In characters: more than we write. */
const longestWhy = 700

/** Why the last attempt failed, unless a person had that forgotten. */
function whyFailed({ tasks, learned }: RunState, id: string): string | undefined {
  const why = tasks.failedBefore[id]
  const isForgotten = why !== undefined && learned.forgotten.includes(factId('failed', id, why))
  // The saved state may come from a ref that others can write.
  return why === undefined || isForgotten ? undefined : showText('', clip(why, longestWhy)).text
}

function freshAttempt(
  state: RunState,
  task: Task,
  start: { readonly branch: string; readonly sha: string },
  now: string,
): Attempt {
  const earlier = state.tasks.parked[task.id]
  const grouped = state.tasks.alone?.[task.id] ?? state.tasks.joined?.[task.id]
  const head = state.tasks.heads[branchOf(task.id)] ?? null
  const feedback = state.asked.feedback[task.id] ?? null
  return {
    task,
    number: (earlier?.number ?? grouped?.attempts ?? 0) + 1,
    starts: 1,
    // The answer to a review builds on the reviewed commit.
    start: { branch: start.branch, sha: feedback === null ? start.sha : (head ?? start.sha) },
    head,
    startedAt: now,
    seconds: earlier?.seconds ?? grouped?.seconds ?? 0,
    steps: 0,
    plan: null,
    map: '',
    context: [],
    targets: [],
    ...untried,
    feedback,
    grants: state.asked.grants[task.id] ?? [],
    earlier: whyFailed(state, task.id),
    usage: earlier?.usage ?? grouped?.usage ?? noUsage,
  }
}
