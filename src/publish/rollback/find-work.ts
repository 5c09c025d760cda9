/**
 * Finds the work on some tasks, or of a run, that can be reverted: read from the present repository and forge, so
 * that a fresh clone finds the same. Writes nothing.
 */

import { isTaskId } from '../../../packages/task/task.ts'
import { countOf } from '../../../packages/text/text.ts'
import { branchOf, recoveryBranchOf } from '../../core/domain/branches.ts'
import { attemptsOf } from '../../core/domain/change-state.ts'
import { readTaskMarker, trailer } from '../../core/domain/identity.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import type { CommitRecord, RepositoryView } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { takesBack } from '../../tasks/standing/judge-groups.ts'
import { newestByHead } from '../../tasks/start/order-stack.ts'
import {
  type Cause,
  closePullRequest,
  dropAttempt,
  dropParked,
  type Operation,
  proposeRevert,
  revertCommit,
} from './operations.ts'
import { isWork, type Line, readLine, revertedBy } from './read-line.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings'>

/** The work of a run, or (`run` is `null`) all work on some tasks. */
export interface RollbackTarget {
  /** For a run: the tasks that it is known to have worked on, besides those that branches show. */
  readonly tasks: readonly string[]
  readonly run: string | null
  /** Tasks built on the target's work and included on request. */
  readonly dependents: readonly string[]
  readonly cause: Cause
}

export interface FoundWork {
  readonly operations: readonly Operation[]
  /** Present work that belongs to others, one sentence each. */
  readonly leftAlone: readonly string[]
  /** Tasks with work, present or past. */
  readonly tasks: readonly string[]
  readonly runs: readonly string[]
}

interface Snapshot {
  readonly view: RepositoryView
  readonly branches: readonly Line[]
  /** The same, newest first, without merged ones, which are in effect on their base. */
  readonly lines: readonly Line[]
  readonly pullRequests: readonly PullRequest[]
  readonly parked: ReadonlySet<string>
}

export async function readSnapshot(ports: Needs): Promise<Snapshot> {
  const view = await ports.workspace.refresh()
  const pullRequests = await ports.forge.pullRequests()
  const branches: Line[] = []
  const lines: Line[] = []
  for (const tip of view.branches) {
    const line = await readLine(tip, view, ports)
    if (line === null) continue
    branches.push(line)
    lines.push(await withoutMerged(line, pullRequests, ports))
  }
  const parked = new Set([...(await ports.workspace.parked()).keys()].filter(isTaskId))
  return { view, branches, lines: lines.toSorted(newestFirst), pullRequests, parked }
}

export async function findWork(
  target: RollbackTarget,
  last: RunState | null,
  snapshot: Snapshot,
  ports: Needs,
): Promise<FoundWork> {
  const lines = snapshot.lines.filter((line) => isMeant(line, target))
  const known = new Set([...lines.map(({ task }) => task), ...target.tasks, ...target.dependents])
  const kept = keptAttempts([...known], snapshot, last, target)
  const published = lines.flatMap((line) => onBranch(line, target, snapshot))
  const merged = await findMerged([...known], target, snapshot, ports)
  const operations = [...kept, ...published, ...merged.operations]
  return {
    operations,
    leftAlone: [...lines.flatMap(strangersOn), ...merged.leftAlone],
    tasks: [...known],
    runs: runsOf(operations, lines, target),
  }
}

async function withoutMerged(
  line: Line,
  pullRequests: readonly PullRequest[],
  { workspace }: Pick<Needs, 'workspace'>,
): Promise<Line> {
  const merged = pullRequests.filter(
    ({ head, state }) => head === line.tip.name && state === 'merged',
  )
  const own: CommitRecord[] = []
  for (const commit of line.own) {
    const isIn = merged.map(({ headSha }) => workspace.contains(headSha, commit.sha))
    if (!(await Promise.all(isIn)).includes(true)) own.push(commit)
  }
  return { ...line, own }
}

/** A line built on another is newer; otherwise the committer's clock decides. */
function newestFirst(a: Line, b: Line): number {
  const [one, other] = [a.own[0]?.at ?? '', b.own[0]?.at ?? '']
  return one === other ? b.depth - a.depth : one < other ? 1 : -1
}

const isOfRun = (
  { trailers }: Pick<CommitRecord, 'trailers'>,
  task: string,
  { run, dependents }: RollbackTarget,
): boolean => run === null || dependents.includes(task) || trailers[trailer.run] === run

function isMeant(line: Line, target: RollbackTarget): boolean {
  if (target.dependents.includes(line.task)) return true
  if (target.run === null) return target.tasks.includes(line.task)
  return (line.isOver ? [line.tip] : line.own).some((at) => isOfRun(at, line.task, target))
}

/** Unpublished attempts that an unfinished run, or the repository, keeps. */
function keptAttempts(
  tasks: readonly string[],
  { parked }: Snapshot,
  last: RunState | null,
  { run, dependents }: RollbackTarget,
): readonly Operation[] {
  const ours = tasks.filter(
    (task) => run === null || dependents.includes(task) || last?.run.id === run,
  )
  return ours.flatMap((task) => {
    const underWay = last === null || last.progress.next === 'END' ? [] : attemptsOf(last)
    const isUnderWay = underWay.some((attempt) => attempt.task.id === task)
    const isKept = last !== null && (isUnderWay || Object.hasOwn(last.tasks.parked, task))
    return [...(isKept ? [dropAttempt(task)] : []), ...(parked.has(task) ? [dropParked(task)] : [])]
  })
}

/** Commits pushed to an open pull request are newer than it; the first commit is older. */
function onBranch(
  { task, tip, own }: Line,
  target: RollbackTarget,
  { pullRequests }: Snapshot,
): readonly Operation[] {
  const meant = own.filter((commit) => isOfRun(commit, task, target))
  const reverts = meant.map((commit) => revertCommit(task, tip.name, commit, target.cause))
  const open = pullRequests.filter(
    (pull) => pull.head === tip.name && pull.state === 'open' && !takesBack(pull),
  )
  const closings = meant.length === own.length ? open : []
  return [
    ...reverts.slice(0, -1),
    ...closings.map((pull) => closePullRequest(task, pull, target.cause)),
    ...reverts.slice(-1),
  ]
}

function strangersOn({ tip, own, isOver, strangers }: Line): readonly string[] {
  if (strangers.length === 0 || isOver) return []
  const count = countOf(strangers.length, 'commit')
  return own.length === 0
    ? [`${tip.name} holds ${count} by someone else and none by the executor`]
    : [`${tip.name} has ${count} by someone else, left unchanged`]
}

/** Work that is in the base, or in another of our branches. */
async function findMerged(
  tasks: readonly string[],
  target: RollbackTarget,
  snapshot: Snapshot,
  ports: Needs,
): Promise<Pick<FoundWork, 'operations' | 'leftAlone'>> {
  const operations: Operation[] = []
  const leftAlone: string[] = []
  const byHead = newestByHead(snapshot.pullRequests)
  for (const task of tasks) {
    const proposal = byHead.get(recoveryBranchOf(task))
    if (proposal?.state === 'merged') {
      leftAlone.push(
        `#${proposal.number} edited the roadmap on ${proposal.base}: edit it back there`,
      )
    }
    const pull = byHead.get(branchOf(task))
    const ours = pull !== undefined && readTaskMarker(pull.body)?.id === task
    if (ours && pull.state === 'merged' && pull.base !== snapshot.view.base.branch) {
      leftAlone.push(`#${pull.number} was merged into ${pull.base}: what that branch holds stays`)
    } else if (pull === undefined || (ours && pull.state === 'merged')) {
      const landed = await findLanded(task, target, pull, snapshot, ports)
      if (landed === 'apart')
        leftAlone.push(
          `${task} was merged commit by commit, with others: revert its commits by hand`,
        )
      else if (landed === 'unknown')
        leftAlone.push(`#${pull?.number} was merged: name ${task} for it`)
      else if (landed !== null) operations.push(landed)
    }
  }
  return { operations, leftAlone }
}

/** The commit that brought the work on a task into the base, unless it was reverted since. */
async function findLanded(
  task: string,
  target: RollbackTarget,
  pull: PullRequest | undefined,
  { view, lines }: Snapshot,
  { workspace, settings, forge }: Needs,
): Promise<Operation | 'unknown' | 'apart' | null> {
  const having = { name: trailer.task, value: task }
  const there = await workspace.history(view.base.sha, { having })
  const back = revertedBy(there)
  const work = there.find(
    (commit) => isWork(commit, task) && commit.committer === settings.commit.email,
  )
  if (work !== undefined && !isOfRun(work, task, target)) return null
  const isNamed = target.run === null || target.dependents.includes(task)
  if (work === undefined && !pull?.mergeSha) return null
  // A squashed message may not name the run.
  if (work === undefined && !isNamed) return 'unknown'
  const sha = pull?.mergeSha ?? (work && (await cameBy(view.base.sha, work.sha, workspace)))
  const tip = lines.find(({ tip }) => tip.name === branchOf(task))?.tip
  // With a forge, the pull request shows whether the revert was proposed.
  const isProposed = forge.kind === 'local' && tip?.trailers[trailer.reverts] === sha
  const isTaken = sha === undefined || back.has(sha) || isProposed
  if (isTaken) return null
  // A group that was not merged as one: to revert its last commit alone would leave half of it.
  if (work?.sha === sha && work.trailers[trailer.member] !== undefined) return 'apart'
  const { title, trailers } = work ?? { title: pull?.title ?? '', trailers: {} }
  return proposeRevert(task, pull?.number ?? null, { sha, title, trailers }, target.cause)
}

/** The first-parent commit that brought another one into `sha`. */
async function cameBy(
  sha: string,
  wanted: string,
  workspace: Ports['workspace'],
): Promise<string | undefined> {
  const line = (await workspace.history(sha, {})).map((commit) => commit.sha)
  let [has, lacks] = [0, line.length]
  while (lacks - has > 1) {
    const middle = Math.floor((has + lacks) / 2)
    if (await workspace.contains(line[middle] ?? '', wanted)) has = middle
    else lacks = middle
  }
  return line[has]
}

function runsOf(
  operations: readonly Operation[],
  lines: readonly Line[],
  { run }: RollbackTarget,
): readonly string[] {
  const named = operations.flatMap((operation) => operation.run ?? [])
  const tips = lines.flatMap(({ tip }) => tip.trailers[trailer.run] ?? [])
  return [...new Set([...(run === null ? [] : [run]), ...named, ...tips])]
}

/** Tasks whose branches build on one of these commits, besides those that are reverted with them. */
export async function findDependents(
  operations: readonly Operation[],
  { branches }: Snapshot,
  isMeantAnyway: (task: string) => boolean,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<readonly { readonly task: string; readonly on: string }[]> {
  const taken = operations.filter(({ kind }) => kind === 'revert')
  const found: { task: string; on: string }[] = []
  for (const { task, tip, own } of branches) {
    if (own.length === 0 || isMeantAnyway(task)) continue
    for (const below of taken) {
      if (below.task === task || !(await workspace.contains(tip.sha, below.key))) continue
      found.push({ task, on: below.task })
      break
    }
  }
  return found
}
