import { stopBaselines } from '../../packages/judge/judge.ts'
import {
  attemptsInLanes,
  changeState,
  fileVerdict,
  type StatePatch,
} from '../core/domain/change-state.ts'
import { ExecutorError } from '../core/domain/errors.ts'
import { isBefore } from '../core/domain/instant.ts'
import type { Recorded } from '../core/domain/journal-event.ts'
import type { Asked, RunError, RunState } from '../core/domain/run-state.ts'
import { noUsage } from '../core/domain/usage.ts'
import { redBefore } from '../core/domain/verdict.ts'
import type { LoadResult } from '../core/ports/store.ts'
import type { RepositoryView } from '../core/ports/workspace.ts'
import type { Ports } from '../core/ports.ts'
import { edges } from '../graph/edges.ts'
import { nodes } from '../graph/nodes.ts'
import { type Observer, runGraph } from '../graph/run-graph.ts'
import { workedOnSince } from '../tasks/standing/find-standing.ts'
import { countCrash, resumeLanes } from './lanes/lane-state.ts'
import { walkLanes } from './lanes/walk-lanes.ts'
import { type KnownBefore, nameRequest, newRun } from './new-run.ts'
import { timeAnswers } from './run-ports.ts'

/** The request for a run. */
export interface RunRequest {
  /** Ids, or `null` for all open tasks. */
  readonly only: readonly string[] | null
  /** Discards an unfinished run. Finished work is found again on its branches in any case. */
  readonly fresh: boolean
  readonly dryRun: boolean
  /** People's answers and requests that it acts on; nothing when not given. */
  readonly asked?: Asked
  /** The remark that asks for it: what was done for it already is not repeated. */
  readonly remark?: string
  /** Earlier runs that its schedule missed. */
  readonly gap?: RunState['run']['gap']
  readonly signal: AbortSignal
  readonly observer?: Observer
}

/**
 * Starts a run, or resumes the unfinished one on this disk, and walks it to its end, to a limit, or to the cancel.
 *
 * @throws ExecutorError for a fault of the set-up; the last saved state stays valid.
 */
export async function runRoadmap(ports: Ports, request: RunRequest): Promise<RunState> {
  // Spend money and write code only when the requested sandbox is available.
  if (!request.dryRun) await tryOut(ports)
  // Asked while git works.
  const model = askAboutModel(ports)
  // In this order, the branches show what another run finishes in between.
  const last = request.fresh ? null : await lastState(ports, request, nameRequest(request))
  if (last !== null && isOfRemark(last.state, request) && isRunOver(last.state)) return last.state
  const view = await ports.workspace.refresh()
  const start =
    (last && (await unfinished(last, ports, request, view))) ??
    (await begin(ports, request, last?.state ?? null, view, await model))
  return walkToEnd(start, ports, request)
}

/**
 * Checks the sandbox while git works. With `sandbox: strict` the run waits for the result, and ends here when no
 * sandbox is strong enough.
 */
async function tryOut({ sandbox, settings }: Ports): Promise<void> {
  if (settings.sandbox.mode === 'strict') await sandbox.ability()
  // The first command in the sandbox throws the same error.
  else if (settings.verify.mode !== 'skip') sandbox.ability().catch(() => {})
}

/**
 * Finishes an interrupted run of a command or of chosen tasks, which no one will request again. `null` when there is
 * none.
 */
export async function finishCutOff(
  ports: Ports,
  request: Pick<RunRequest, 'signal' | 'observer'>,
): Promise<RunState | null> {
  const last = await lastState(ports, request)
  if (last === null || last.state.run.only === null || last.state.run.dryRun) return null
  const { retryAt } = last.state.progress
  const isTooEarly = retryAt !== null && isBefore(ports.clock.now(), retryAt)
  if (isRunOver(last.state) || isTooEarly) return null
  const start = await takeUp(last, ports, await ports.workspace.refresh())
  return start && walkToEnd(start, ports, request)
}

/** True when nothing of the run is left to resume. */
export const isRunOver = ({ progress: { next, resumeAt } }: RunState): boolean =>
  next === 'END' && resumeAt === null

const isOfRemark = ({ run: { remark } }: RunState, request: Pick<RunRequest, 'remark'>): boolean =>
  remark !== null && remark === request.remark

async function walkToEnd(
  start: RunState,
  ports: Ports,
  request: Pick<RunRequest, 'signal' | 'observer'>,
): Promise<RunState> {
  // Tests that still run would keep the process alive.
  const end = await walk(start, ports, request).finally(() => stopBaselines(ports))
  const stopped =
    end.progress.next === 'END' ? end.progress.stopped : (end.progress.stopped ?? 'cancelled')
  const state: RunState = changeState(end, { progress: { stopped } })
  await ports.store.save(state, [{ kind: 'ended', stopped }])
  return state
}

/** The facts about the model that are known before it is asked. The run keeps them: a resumed run and a replay ask the same. */
async function askAboutModel({
  model,
  settings,
}: Pick<Ports, 'model' | 'settings'>): Promise<Pick<RunState['learned'], 'windows' | 'forms'>> {
  const { name } = settings.model
  const [window = null, forms = {}] = await Promise.all([model.window?.(name), model.forms?.()])
  return {
    windows: window === null ? {} : { [name]: window },
    ...(Object.keys(forms).length > 0 && { forms }),
  }
}

async function begin(
  ports: Ports,
  request: RunRequest,
  last: RunState | null,
  view: RepositoryView,
  about: Pick<RunState['learned'], 'windows' | 'forms'>,
): Promise<RunState> {
  const { remark = null, gap = null } = request
  const known = { ...(last && learned(last)), run: { remark, gap } }
  const forgotten = await ports.memory.forgotten()
  const speeds = last?.learned.speeds
  const facts = { forgotten, ...about, ...(speeds && { speeds }) }
  const state = newRun(ports, request, view, { ...known, learned: facts })
  const { id: runId, only } = state.run
  const { path: roadmap, base } = state.roadmap
  const { model, strategy, memory } = ports.settings
  const rules = rulesOf(ports.settings)
  const started = { roadmap, base, only, model: model.name, strategy, memory, rules, state }
  await ports.store.record(runId, [{ kind: 'started', ...started }])
  return state
}

function rulesOf(settings: Ports['settings']): Recorded<'started'>['rules'] {
  const { reflectAfter, tools, limits, group } = settings
  const { reflections, toolCalls, failingChanges, toolTestRuns } = limits
  const rules = {
    ...{ reflectAfter, tools },
    limits: { reflections, toolCalls, failingChanges, toolTestRuns },
  }
  return group === 'off' ? rules : { ...rules, group }
}

async function walk(
  start: RunState,
  ports: Ports,
  { signal, observer }: Pick<RunRequest, 'signal' | 'observer'>,
): Promise<RunState> {
  try {
    const { parallel: width } = ports.settings
    const isParallel = (width > 1 && !start.run.dryRun) || attemptsInLanes(start).length > 0
    if (isParallel)
      return await walkLanes(start, { nodes, edges }, ports, { signal, observer, width })
    const { ports: timed, waited } = timeAnswers(ports)
    const options = { signal, waited, ...(observer && { observer }) }
    return await runGraph(start, nodes, edges, timed, options)
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    const left = await reportAnyway(start.run.id, error, ports)
    if (left?.progress.stopped !== 'unavailable') throw error
    return left
  }
}

/**
 * Reports the work done before a set-up broke or a disk filled up. The task is not to blame: its next start does not
 * count. A run that must wait for its forge ends here, and resumes at the same step.
 */
async function reportAnyway(
  runId: string,
  error: ExecutorError,
  ports: Ports,
): Promise<RunState | null> {
  const last = await ports.store.load()
  if (last.status !== 'loaded' || last.state.run.id !== runId) return null
  const { state } = last
  const waits = error.code === 'forge_unreachable'
  const { code, ...words } = error.toRecord(state.attempt?.task.id ?? null)
  // A wait does not count against a run that has continued since: `stopped` says whether it counts.
  const told: RunError = { ...words, code: waits ? 'forge_unavailable' : code }
  const errors = [...state.record.errors, told]
  const left: RunState = changeState(state, waits ? waiting(errors, error) : forgiven(error))
  await ports.store.save(left, [{ kind: 'ended', stopped: left.progress.stopped }])
  // The fault may also break the report: then the error alone must do.
  await nodes.generate_report(changeState(left, { record: { errors } }), ports).catch(() => null)
  return left
}

const waiting = (errors: RunState['record']['errors'], { retryAt }: ExecutorError) =>
  ({ progress: { stopped: 'unavailable', retryAt }, record: { errors } }) as const

const forgiven = ({ exitCode }: ExecutorError): StatePatch =>
  exitCode === 5 ? {} : { progress: { stopped: 'cancelled' } }

/** Knowledge that outlives a run: how the roadmap was read, which tasks were replaced, what waits, why tasks failed. */
const learned = (last: RunState): KnownBefore => ({
  roadmap: { normalized: last.roadmap.normalized, amendments: last.roadmap.amendments },
  tasks: {
    parked: waitingChanges(last),
    failedBefore: last.tasks.failedBefore,
    lacked: last.tasks.lacked,
  },
  progress: {
    stuck: last.record.errors.some(({ code }) => endedFor.includes(code))
      ? last.progress.stuck
      : undefined,
    ...(isWorthAwaiting(last) && { awaitsTests: true }),
  },
})

/** In seconds. */
const quick = 2

/** Returns true where tests were red before any change, or took so little that awaiting them costs nothing. */
const isWorthAwaiting = ({ tasks, roadmap: { base } }: RunState): boolean =>
  Object.values(tasks.results).some(({ receipt, start }) => {
    if (receipt === null || receipt.commands.length === 0) return false
    return receipt.seconds <= quick || (start === base.sha && redBefore(receipt) !== null)
  })

/** One cause ended the run: no model is asked while it persists. */
const endedFor = ['same_cause', 'still_so', 'not_prepared']

/** Changes with unanswered destructive operations: they are paid for and must not be paid for again. */
function waitingChanges({ tasks: { parked, results } }: RunState): RunState['tasks']['parked'] {
  const waiting = Object.entries(parked).filter(
    ([id, { destructive }]) =>
      destructive.length > 0 && (results[id]?.verdict ?? 'waiting') === 'waiting',
  )
  const anew = { usage: noUsage, seconds: 0, steps: 0, starts: 1 }
  return Object.fromEntries(waiting.map(([id, attempt]) => [id, { ...attempt, ...anew }]))
}

type Loaded = Extract<LoadResult, { readonly status: 'loaded' }>

/** The state that the last run of this roadmap left on this disk or in the repository, finished or not. */
async function lastState(
  ports: Ports,
  { observer }: Pick<RunRequest, 'observer'>,
  name?: string,
): Promise<Loaded | null> {
  const loaded = await ports.store.load(name)
  if (loaded.status === 'corrupt') throw new ExecutorError('state_corrupt', loaded.detail)
  if (loaded.status === 'none') {
    if (loaded.setAside) {
      observer?.noticed?.(
        `Another version of executor left the saved state, so it is not used: ${loaded.setAside}. What is open is read from branches and pull requests.`,
      )
    }
    return null
  }
  const { state, restored } = loaded
  if (restored)
    observer?.noticed?.(`The run uses the previous state instead of the newest: ${restored}`)
  return state.roadmap.path === ports.settings.roadmap ? loaded : null
}

/** That run, if it was interrupted and matches the request. */
async function unfinished(
  last: Loaded,
  ports: Ports,
  request: RunRequest,
  view: RepositoryView,
): Promise<RunState | null> {
  const sameRun = last.state.run.request === nameRequest(request) || isOfRemark(last.state, request)
  if (!sameRun) return null
  const { gap = last.state.run.gap } = request
  return takeUp({ ...last, state: changeState(last.state, { run: { gap } }) }, ports, view)
}

async function takeUp(
  { state, from }: Loaded,
  ports: Ports,
  view: RepositoryView,
): Promise<RunState | null> {
  const sameRun = state.roadmap.base.branch === view.base.branch
  const next =
    state.progress.resumeAt ?? (state.progress.next === 'END' ? null : state.progress.next)
  if (!sameRun || next === null || !(next in nodes)) return null
  // On another machine, its base may be gone: it was rewritten meanwhile.
  if (
    from !== undefined &&
    !(await ports.workspace.contains(view.base.sha, state.roadmap.base.sha))
  ) {
    return null
  }
  // Unreachable services are tried again: the failure is not an outcome of this run.
  const errors =
    state.progress.resumeAt === null ? state.record.errors : state.record.errors.filter(isLasting)
  const goesOn = changeState(resumeLanes(state), {
    record: { errors },
    progress: { next, resumeAt: null, stopped: null, retryAt: null },
  })
  const resumed = changeState(goesOn, { tasks: { leases: workedOnSince(goesOn, view) } })
  const isCrashed = state.progress.stopped === null
  const counted = isCrashed
    ? countCrash(countStart(resumed, ports), (view) => countStart(view, ports))
    : resumed
  // Save before trying anything: a kill at the first step must count, too.
  const { lanes } = counted
  await ports.store.save(counted, [
    {
      ...{ kind: 'resumed', next: counted.progress.next, from: from ?? 'disk' },
      ...(lanes && {
        lanes: lanes.map(({ lane, attempt, next: at }) => ({
          lane,
          task: attempt.task.id,
          next: at,
        })),
      }),
    },
  ])
  return counted
}

const isLasting = ({ code }: RunState['record']['errors'][number]): boolean =>
  code !== 'forge_unreachable'

/** Gives up a task that keeps killing the run, so that the next one gets its turn. */
function countStart(state: RunState, ports: Pick<Ports, 'settings'>): RunState {
  const { attempt } = state
  if (attempt === null || state.tasks.results[attempt.task.id] !== undefined) return state
  const limit = ports.settings.limits.starts
  const again: RunState = changeState(state, {
    attempt: { ...attempt, starts: attempt.starts + 1 },
  })
  if (attempt.starts < limit) return again
  const reason = `the run was interrupted ${limit} times at this task`
  return changeState(again, fileVerdict(again, 'failed', { reason }), {
    progress: { next: 'decide_next' },
  })
}
