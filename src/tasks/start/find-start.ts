import { openTree } from '../../../packages/change/change.ts'
import { depthOf } from '../../../packages/roadmap/roadmap.ts'
import { languageOf } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import { branchOf } from '../../core/domain/branches.ts'
import type { StateFacts, StatePatch } from '../../core/domain/change-state.ts'
import { trailer } from '../../core/domain/identity.ts'
import type { StackMode } from '../../core/domain/settings.ts'
import { isFinishedVerdict, type TaskResult } from '../../core/domain/verdict.ts'
import type { CommitRecord, Workspace } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { findTargets } from '../../model/context/similar-files.ts'
import { loadRoadmap } from '../load-roadmap.ts'

type Where = StateFacts<'roadmap.base' | 'roadmap.path' | 'tasks.results'> & StatePatch
type Needs = Pick<Ports, 'workspace' | 'settings'>

/**
 * Finds where a task could start now, given the finished tasks, or what it waits for.
 *
 * @param needs.dependsOn its dependencies that are not in the base yet
 * @param needs.buildsOn tasks it also starts from, when they are finished and in one line with the rest
 */
export async function findStart(
  id: string,
  { dependsOn, buildsOn = [] }: { dependsOn: readonly string[]; buildsOn?: readonly string[] },
  where: Where,
  ports: Needs,
): Promise<Start> {
  const { base } = where.roadmap
  const { results } = where.tasks
  const unmet = dependsOn.filter((id) => !isFinishedVerdict(results[id]?.verdict))
  if (unmet.length > 0) return { status: 'waits', reason: `waits for ${unmet.join(', ')}` }
  const choose = (ids: readonly string[]) =>
    chooseStart({
      mode: ports.settings.stack,
      base,
      dependsOn: ids,
      tips: Object.values(results).flatMap(tipOf),
      contains: (sha, ancestor) => ports.workspace.contains(sha, ancestor),
    })
  const fullest = await choose([...dependsOn, ...buildsOn])
  const start = fullest.status === 'start' ? fullest : await choose(dependsOn)
  if (start.status === 'waits' || start.sha === base.sha) return start
  const missing = await missingAt(start.sha, id, where, ports)
  if (missing.length === 0) return start
  const reason = `waits for ${start.branch} to be merged: it lacks ${missing.join(', ')}, which the base has`
  return { status: 'waits', reason }
}

/**
 * Dependencies of a task that the base has but this commit lacks. The task itself is one of them when it replaced
 * another after the commit was made.
 */
async function missingAt(
  sha: string,
  id: string,
  where: Where,
  ports: Needs,
): Promise<readonly string[]> {
  const inBase = (await loadRoadmap(where, ports))?.tasks ?? []
  const declared = inBase.find((task) => task.id === id)?.dependsOn ?? []
  const wanted = declared.filter((needed) => isTicked(inBase, needed))
  const isNew = depthOf({ id }) > 0
  if (wanted.length === 0 && !isNew) return []
  const then = { ...where.roadmap, base: { ...where.roadmap.base, sha } }
  const there = await loadRoadmap({ ...where, roadmap: then }, ports)
  const tasks = there?.tasks ?? []
  const absent = isNew && !tasks.some((task) => task.id === id) ? [id] : []
  return [...wanted.filter((needed) => !isTicked(tasks, needed)), ...absent]
}

const isTicked = (tasks: readonly Task[], id: string): boolean =>
  tasks.some((task) => task.id === id && task.status === 'done')

function tipOf(result: TaskResult): readonly Tip[] {
  const { id, verdict, branch, sha, start } = result
  return isFinishedVerdict(verdict) && branch !== null && sha !== null
    ? [{ id, branch, sha, start }]
    : []
}

/** The branch of a finished, unmerged task. */
export interface Tip {
  readonly id: string
  readonly branch: string
  readonly sha: string
  /** The commit it was started from, if known. */
  readonly start: string | null
}

export type Start =
  | { readonly status: 'start'; readonly branch: string; readonly sha: string }
  /** Its dependencies are on unrelated unmerged branches, or stacking is off: only a merge helps. */
  | { readonly status: 'waits'; readonly reason: string }

type Contains = (sha: string, ancestor: string) => Promise<boolean>

/**
 * Chooses the commit that a task's branch starts from (surface.md, Stacking).
 *
 * - `auto`: the one tip that contains all its unmerged dependencies, else the base.
 * - `chain`: the one tip that contains all finished work, so that the last branch has everything.
 * - `none`: always the base; a task with an unmerged dependency waits.
 *
 * @param input.tips finished, unmerged work, oldest first
 * @param input.contains whether the first sha contains the second
 */
export async function chooseStart(input: {
  readonly mode: StackMode
  readonly base: { readonly branch: string; readonly sha: string }
  readonly dependsOn: readonly string[]
  readonly tips: readonly Tip[]
  readonly contains: Contains
}): Promise<Start> {
  const { mode, base, contains } = input
  const needed = input.tips.filter((tip) => input.dependsOn.includes(tip.id))
  const wanted = mode === 'chain' ? input.tips : needed
  if (wanted.length === 0) return { status: 'start', ...base }
  if (mode === 'none') {
    return { status: 'waits', reason: `waits for ${names(needed)} to be merged (stack: none)` }
  }
  const leaves = withoutInner(wanted)
  // A chain of earlier runs may have forked: then use the newest tip that contains the dependencies.
  const top =
    (await tipOver(leaves, leaves, contains)) ??
    (mode === 'chain' ? await tipOver(leaves, needed, contains) : undefined)
  if (top !== undefined) return { status: 'start', branch: top.branch, sha: top.sha }
  const reason = `waits for one of ${names(needed)} to be merged: they are on separate branches`
  return { status: 'waits', reason }
}

/** Drops tips that another tip was started from and so contains: a long chain needs no look-ups. */
function withoutInner(tips: readonly Tip[]): readonly Tip[] {
  const starts = new Set(tips.map((tip) => tip.start))
  return tips.filter((tip) => !starts.has(tip.sha))
}

/** The newest candidate that contains all wanted tips. */
async function tipOver(
  candidates: readonly Tip[],
  wanted: readonly Tip[],
  contains: Contains,
): Promise<Tip | undefined> {
  for (const candidate of candidates.toReversed()) {
    const covered = await Promise.all(
      wanted.map((tip) => tip.sha === candidate.sha || contains(candidate.sha, tip.sha)),
    )
    if (covered.every(Boolean)) return candidate
  }
  return undefined
}

const names = (tips: readonly Tip[]): string => tips.map((tip) => tip.id).join(', ')

type Reads = Pick<Workspace, 'ancestor' | 'contains' | 'mergeBase' | 'history'>

/**
 * Where a task starts whose branch exists: from the branch itself when someone else's commits are on it, because an
 * attempt from anywhere else would drop their content. A merge of the base by hand is not such a commit.
 *
 * @param head the branch's last commit; `null` without a branch
 */
export async function startOnOthers(
  id: string,
  start: Start,
  head: string | null,
  workspace: Reads,
): Promise<Start> {
  if (start.status === 'waits' || head === null) return start
  if (await workspace.contains(start.sha, head)) return start
  if ((await workspace.mergeBase(head, start.sha)) === null) {
    // The branch of an interrupted run may be gone.
    if ((await workspace.ancestor(head, 0)) === null) return start
    const reason = `${branchOf(id)} has no history in common with ${start.branch}: rename or delete it`
    return { status: 'waits', reason }
  }
  for (const commit of await workspace.history(head, { without: start.sha })) {
    if (await isTheirs(commit, start.sha, workspace)) return { ...start, sha: head }
  }
  return start
}

async function isTheirs(
  { trailers, parents }: CommitRecord,
  base: string,
  workspace: Reads,
): Promise<boolean> {
  if (trailers[trailer.task] !== undefined) return false
  const [, ...merged] = parents
  const isIn = await Promise.all(merged.map((parent) => workspace.contains(base, parent)))
  return merged.length === 0 || isIn.includes(false)
}

const whatLinks: Readonly<Record<string, string>> = {
  '120000': 'is a symbolic link: name the file that it leads to',
  '160000': 'belongs to another repository (submodule)',
}

/** Files that a task may name only to have them read. */
const isData = /^(?:html|jsonc?|sql|toml|unknown|xml|yaml)$/

/**
 * Says why no answer could change the files of a task: each is a link, or code or prose that is too large or not UTF-8.
 * `null` where one can be changed, or where the words leave open which files these are.
 */
export async function whyUnwritable(
  task: Task,
  sha: string,
  workspace: Ports['workspace'],
): Promise<string | null> {
  const { files, paths, read } = await openTree(sha, workspace)
  const targets = findTargets(task, null, paths)
  if (targets.length === 0) return null
  const links = files.filter(({ mode }) => whatLinks[mode])
  const texts = await read(targets)
  const reasons = targets.flatMap((path) => {
    if (texts.has(path)) return []
    const link = links.find((each) => `${path}/`.startsWith(`${each.path}/`))
    if (link !== undefined) return `${link.path} ${whatLinks[link.mode]}`
    if (!paths.includes(path) || isData.test(languageOf(path))) return []
    return `${path} is larger than 1 MB or not UTF-8 text, which iconv makes of it`
  })
  return reasons.length === targets.length ? reasons.join('; ') : null
}
