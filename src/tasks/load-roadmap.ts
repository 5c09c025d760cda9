import { openTree, type TreeEntry } from '../../packages/change/change.ts'
import { issueTasks, readRoadmap, replaceTask, withBoxes } from '../../packages/roadmap/roadmap.ts'
import {
  isToDo,
  orderTasks,
  type Relations,
  type Roadmap,
  relateTasks,
  type Task,
} from '../../packages/task/task.ts'
import type { AdoptedIssue } from '../core/domain/answer.ts'
import { branchOf, recoveryBranchOf } from '../core/domain/branches.ts'
import type { StateFacts, StatePatch } from '../core/domain/change-state.ts'
import { trailer } from '../core/domain/identity.ts'
import type { Amendment, RunState } from '../core/domain/run-state.ts'
import type { Settings } from '../core/domain/settings.ts'
import type { BranchTip, Workspace } from '../core/ports/workspace.ts'
import type { Ports } from '../core/ports.ts'

/** The tasks still to do at the base commit, and what each of them needs first. */
export interface OpenTasks extends Relations {
  /** Dependencies before dependents, then by priority, then in document order. */
  readonly order: readonly Task[]
  /** Only open tasks: a task that is done at the base delays no other. */
  readonly dependsOn: Relations['dependsOn']
}

interface Derived {
  readonly text: string
  roadmap: Roadmap
  readonly amendments: readonly Amendment[]
  readonly open: Map<string, OpenTasks>
}

/** A whole state, or its known parts. */
type Where = StateFacts<'roadmap.base' | 'roadmap.path'> & StatePatch
type Needs = Pick<Ports, 'workspace' | 'settings'>

const derived = new WeakMap<Workspace, Map<string, Derived>>()

/**
 * The roadmap at the run's base commit, or `null` without the file. It is derived from the commit, so the process
 * caches it and never stores it: 10,000 tasks are parsed once per run, and the state stays small. Tasks that are
 * marked by signs, or that a model found earlier, are read as if they had boxes; the tasks of adopted issues come
 * last.
 */
export const loadRoadmap = async (state: Where, ports: Needs): Promise<Roadmap | null> =>
  (await derive(state, ports))?.roadmap ?? null

/** The text that the roadmap was read from, with a box for each task; empty without a roadmap. */
export const loadRoadmapText = async (state: Where, ports: Needs): Promise<string> =>
  (await derive(state, ports))?.text ?? ''

/** The replacements that this roadmap has in addition to its commit. */
export const loadAmendments = async (state: Where, ports: Needs): Promise<readonly Amendment[]> =>
  (await derive(state, ports))?.amendments ?? []

/** The open tasks with order and dependencies, derived once per base commit and attempts' evidence. */
export async function loadOpenTasks(state: Where, ports: Needs): Promise<OpenTasks> {
  const known = await derive(state, ports)
  if (known === null) return { order: [], dependsOn: new Map(), buildsOn: new Map() }
  const lacked = evidenceOf(state.tasks?.parked ?? {})
  const key = JSON.stringify([...lacked])
  const { files } = await openTree(state.roadmap.base.sha, ports.workspace)
  const open = known.open.get(key) ?? orderOpenTasks(known, files, lacked)
  known.open.set(key, open)
  return open
}

const evidenceOf = (parked: RunState['tasks']['parked']): Relations['dependsOn'] =>
  new Map(
    Object.entries(parked).flatMap(([id, { classification }]) =>
      classification?.suppliedBy.length ? [[id, classification.suppliedBy] as const] : [],
    ),
  )

async function derive(state: Where, ports: Needs): Promise<Derived | null> {
  const byCommit = derived.get(ports.workspace) ?? new Map<string, Derived>()
  derived.set(ports.workspace, byCommit)
  const { base, path, normalized = null, amendments = [] } = state.roadmap
  const { issues = [] } = state.asked ?? {}
  const replaced = amendments.map(({ task, at }) => `${task.id} ${at}`)
  const adopted = issues.map(({ number, at }) => `#${number} ${at}`)
  const parts = [base.sha, path, normalized?.source ?? '', ...replaced, ...adopted]
  const key = parts.join(':')
  const cached = byCommit.get(key)
  if (cached !== undefined) return withKeptNames(cached, state, ports)
  const files = await ports.workspace.readFiles(base.sha, [path])
  const text = files.get(path) ?? (issues.length > 0 ? '' : undefined)
  if (text === undefined) return null
  const { granularity } = ports.settings
  const boxed = withBoxes(text, normalized?.marks ?? []).text
  const amended = amend(boxed, amendments, granularity)
  const fresh: Derived = {
    ...amended,
    roadmap: withIssues(readRoadmap(amended.text, { granularity }), issues, granularity),
    open: new Map(),
  }
  byCommit.set(key, fresh)
  return withKeptNames(fresh, state, ports)
}

/** Checked on every call, since the run may learn that it began a task only after the roadmap was read. */
async function withKeptNames(known: Derived, state: Where, ports: Needs): Promise<Derived> {
  if (known.roadmap.tasks.every(({ former }) => former === undefined)) return known
  const kept = keepNames(known.roadmap, (await ports.workspace.view()).branches, state)
  if (kept !== null) {
    known.roadmap = kept
    known.open.clear()
  }
  return known
}

/** Drops an amendment that no longer fits: it is already in the base, or the task's words have changed. */
function amend(
  text: string,
  amendments: readonly Amendment[],
  granularity: Settings['granularity'],
): Pick<Derived, 'text' | 'amendments'> {
  const fitting: Amendment[] = []
  let amended = text
  for (const amendment of amendments) {
    const edited = replaceTask(amended, amendment, { granularity })
    if (edited.status !== 'edited') continue
    amended = edited.text
    fitting.push(amendment)
  }
  return { text: amended, amendments: fitting }
}

/** Appends the tasks of adopted issues; an id that is already in the roadmap means the roadmap's task. */
function withIssues(
  roadmap: Roadmap,
  issues: readonly AdoptedIssue[],
  granularity: Settings['granularity'],
): Roadmap {
  if (issues.length === 0) return roadmap
  const known = new Set(roadmap.tasks.map(({ id }) => id))
  const adopted = issues.flatMap((issue) => issueTasks(issue, { granularity }).tasks)
  return { ...roadmap, tasks: [...roadmap.tasks, ...adopted.filter(({ id }) => !known.has(id))] }
}

/** The open tasks of a roadmap, given the files of its commit; no files when it has no commit yet. */
export function orderOpenTasks(
  { roadmap, amendments = [] }: { roadmap: Roadmap; amendments?: readonly Amendment[] },
  files: readonly TreeEntry[],
  lacked?: Relations['dependsOn'],
): OpenTasks {
  const open = roadmap.tasks.filter(isToDo)
  const ids = new Set(open.map((task) => task.id))
  const paths = new Set(files.map(({ path }) => path))
  const { buildsOn, ...inferred } = relateTasks(open, (path) => paths.has(path), lacked)
  const isOpen = (id: string) => ids.has(id)
  const dependsOn = new Map<string, readonly string[]>()
  for (const [id, all] of inferred.dependsOn) {
    dependsOn.set(id, all.every(isOpen) ? all : all.filter(isOpen))
  }
  const parents = new Map(
    amendments.flatMap(({ task, tasks }) =>
      tasks.flatMap(({ id }) => (id === task.id ? [] : [[id, task.id] as const])),
    ),
  )
  const { order } = orderTasks(
    open.map((task) => {
      const needed = dependsOn.get(task.id) ?? []
      return needed === task.dependsOn ? task : { ...task, dependsOn: needed }
    }),
  )
  // Replacements of a task start where its roadmap entry is: on the recovery branch.
  for (const [id, parent] of parents) {
    if (dependsOn.has(id)) dependsOn.set(id, [...(dependsOn.get(id) ?? []), parent])
  }
  return { order, dependsOn, buildsOn }
}

/**
 * The roadmap with the ids and fingerprints under which earlier versions began its tasks, where a branch or the run
 * itself has such work; `null` when none has. Tasks that were not begun keep their current ids.
 */
export function keepNames(
  { tasks, problems }: Roadmap,
  branches: readonly BranchTip[],
  state: StatePatch,
): Roadmap | null {
  const kept = new Map(
    tasks.flatMap(({ id, former }) =>
      former !== undefined && (isBegun(former, branches, state) || isAsked(former.id, tasks, state))
        ? [[id, former] as const]
        : [],
    ),
  )
  if (kept.size === 0) return null
  const named = (id: string): string => kept.get(id)?.id ?? id
  return {
    problems,
    tasks: tasks.map(({ former, ...task }) => {
      const dependsOn = task.dependsOn.map(named)
      const own = kept.get(task.id)
      if (own !== undefined) return { ...task, ...own, dependsOn }
      return former === undefined ? { ...task, dependsOn } : { ...task, former, dependsOn }
    }),
  }
}

function isBegun(
  former: NonNullable<Task['former']>,
  branches: readonly BranchTip[],
  { tasks: known, attempt }: StatePatch,
): boolean {
  const { id, fingerprint } = former
  const names = [branchOf(id), recoveryBranchOf(id)]
  const tips = branches.filter(({ name }) => names.includes(name))
  return (
    tips.some(({ trailers }) => trailers[trailer.fingerprint] === fingerprint) ||
    known?.results?.[id]?.fingerprint === fingerprint ||
    (attempt?.task.id === id && attempt.task.fingerprint === fingerprint)
  )
}

/** Returns true for a former id that a person named and that only one task has. */
function isAsked(id: string, tasks: readonly Task[], { run }: StatePatch): boolean {
  const bearers = tasks.filter((task) => task.id === id || task.former?.id === id)
  return (run?.only?.includes(id) ?? false) && bearers.length === 1 && bearers[0]?.id !== id
}
