import { isSettled, type Task } from '../../../packages/task/task.ts'
import { branchOf } from '../../core/domain/branches.ts'
import { changeState, joinPatches, type StatePatch } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { LeaseResult } from '../../core/ports/leases.ts'
import type { Ports } from '../../core/ports.ts'
import { type BrokenGroup, judgePart, type Outside } from '../../tasks/standing/judge-groups.ts'
import { untouchedResult } from '../../tasks/standing/untouched-result.ts'
import { newestByHead } from '../../tasks/start/order-stack.ts'
import { findWork, readSnapshot } from './find-work.ts'
import type { Operation, Undone } from './operations.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'store' | 'leases'>

/**
 * Takes back what the other parts of a broken group have: closes their pull requests, reverts their commits on their
 * branches, and proposes to revert merged ones. Reads the present before and after, so that the successor of a killed
 * run reaches the same end. Returns the verdicts; leaves parts that another run holds.
 */
export async function rollBackParts(
  state: RunState,
  group: BrokenGroup,
  ports: Needs,
): Promise<StatePatch> {
  const known = state.tasks.results
  const parts = group.parts.filter(
    ({ id }) =>
      state.tasks.leases[id] === undefined &&
      !['failed', 'rejected'].includes(known[id]?.verdict ?? ''),
  )
  if (parts.length === 0) return {}
  return judgeAnew(
    state,
    { ...group, parts },
    await takeBack(state, { ...group, parts }, ports),
    ports,
  )
}

async function judgeAnew(
  state: RunState,
  group: BrokenGroup,
  taken: readonly TakenBack[],
  ports: Needs,
): Promise<StatePatch> {
  const { parts } = group
  const known = state.tasks.results
  const { branches } = await ports.workspace.refresh()
  const outside: Outside = {
    branches: new Map(branches.map((tip) => [tip.name, tip])),
    pullRequests: newestByHead(await ports.forge.pullRequests()),
  }
  const results = parts.flatMap((part): readonly TaskResult[] => {
    const found = judgePart(part, group, outside) ?? stillThere(part, group, taken)
    return found === 'done' ? [] : [asNow(found, known[part.id])]
  })
  const gone = (id: string) => parts.some((part) => part.id === id && !isSettled(part))
  const { parked, questions, heads } = state.tasks
  const open = [...outside.pullRequests.values()].flatMap(({ number, state: is }) =>
    is === 'open' ? number : [],
  )
  return {
    tasks: {
      results: { ...known, ...Object.fromEntries(results.map((result) => [result.id, result])) },
      parked: without(parked, gone),
      questions: without(questions, gone),
      heads: { ...heads, ...Object.fromEntries(branches.map(({ name, sha }) => [name, sha])) },
    },
    asked: { answers: without(state.asked.answers, gone) },
    pullRequests: { open },
  }
}

/** Rolls back the broken groups of earlier runs that have something left; the others have their verdicts. */
export async function rollBackGroups(
  state: RunState,
  groups: readonly BrokenGroup[],
  ports: Needs,
): Promise<StatePatch> {
  let patch: StatePatch = {}
  for (const group of groups) {
    const now = changeState(state, patch)
    const taken = await takeBack(now, group, ports)
    if (taken.length > 0) patch = joinPatches(patch, await judgeAnew(now, group, taken, ports))
  }
  return patch
}

/** Takes back, without a run, what earlier runs and people left of broken groups. */
export async function takeBackLeft(
  groups: readonly BrokenGroup[],
  ports: Needs,
): Promise<readonly TakenBack[]> {
  const taken: TakenBack[] = []
  for (const group of groups) taken.push(...(await takeBack(null, group, ports)))
  return taken
}

type TakenBack = Pick<Operation, 'task' | 'words'> & Undone

/**
 * The operations, newest first; later ones find what earlier ones left. Leaves the parts that a living run works on:
 * its work would be lost, or would come back after the rollback. The next pass takes them back.
 */
async function takeBack(
  state: RunState | null,
  { cause, parts }: BrokenGroup,
  ports: Needs,
): Promise<readonly TakenBack[]> {
  const target = { tasks: parts.map(({ id }) => id), run: null, dependents: [], cause }
  const { operations } = await findWork(target, state, await readSnapshot(ports), ports)
  const taken: TakenBack[] = []
  const leases = new Map<string, LeaseResult>()
  for (const { kind, task, key, words, run, undo } of operations) {
    const known = leases.get(task)
    const lease = known ?? (await ports.leases.take(task))
    leases.set(task, lease)
    if (lease.status === 'held') {
      if (known === undefined)
        taken.push({ task, words: 'left alone:', outcome: 'left', detail: lease.by })
      continue
    }
    const { outcome, detail } = await undo(ports)
    taken.push({ task, words, outcome, detail })
    const journal = state?.run.id ?? run
    if (journal === null) continue
    await ports.store.record(journal, [
      { kind: 'undone', task, operation: kind, key, outcome, detail },
    ])
  }
  for (const [task, { status }] of leases) {
    if (status === 'taken') await ports.leases.release(task)
  }
  return taken
}

function stillThere(part: Task, { cause }: BrokenGroup, taken: readonly TakenBack[]): TaskResult {
  const branch = branchOf(part.id)
  const left = taken.find(({ task, outcome }) => task === part.id && outcome === 'left')
  const what = left?.detail ?? `${branch} is as it was`
  const reason = `${cause.id} failed, and they belong together, but ${what}`
  return untouchedResult(part, { verdict: 'waiting', reason, branch })
}

/** The verdict with what this run spent on the task. */
function asNow(found: TaskResult, known: TaskResult | undefined): TaskResult {
  const { verdict, reason, branch } = found
  const pullRequest = found.pullRequest ?? known?.pullRequest ?? null
  return { ...(known ?? found), verdict, reason, branch, pullRequest, sha: null, thisRun: true }
}

const without = <Value>(
  record: Readonly<Record<string, Value>>,
  isLeftOut: (id: string) => boolean,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(record).filter(([id]) => !isLeftOut(id)))
