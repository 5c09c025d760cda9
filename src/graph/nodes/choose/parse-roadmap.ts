import { groundSource, hasPassages } from '../../../../packages/roadmap/roadmap.ts'
import { membersOf, type Roadmap, type Task } from '../../../../packages/task/task.ts'
import { branchOf, recoveryBranchOf } from '../../../core/domain/branches.ts'
import { changeState, joinPatches, type StateFacts } from '../../../core/domain/change-state.ts'
import { composeTask } from '../../../core/domain/compose-task.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import {
  isRolledBack,
  label,
  startOfTip,
  tasksInBody,
  trailer,
} from '../../../core/domain/identity.ts'
import type { JournalEntry } from '../../../core/domain/journal-event.ts'
import type { Amendment, RunError, RunState } from '../../../core/domain/run-state.ts'
import type { TaskResult } from '../../../core/domain/verdict.ts'
import type { PullRequest } from '../../../core/ports/forge.ts'
import type { BranchTip, RepositoryView } from '../../../core/ports/workspace.ts'
import type { Ports } from '../../../core/ports.ts'
import { readParkedAttempts } from '../../../publish/effects/keep-attempt.ts'
import { tendKept } from '../../../publish/effects/keep-overtaken.ts'
import { openPullRequest } from '../../../publish/effects/publish-attempt.ts'
import { writeAdoptedPullRequest } from '../../../publish/report/write-pull-request.ts'
import { rollBackGroups } from '../../../publish/rollback/roll-back-parts.ts'
import { previewRun } from '../../../tasks/lint-report.ts'
import { loadAmendments, loadRoadmap } from '../../../tasks/load-roadmap.ts'
import { missingRoadmap } from '../../../tasks/missing-roadmap.ts'
import { withConflicts } from '../../../tasks/standing/find-own-work.ts'
import { type Reconciled, reconcileTasks } from '../../../tasks/standing/reconcile-tasks.ts'
import { untouchedResult } from '../../../tasks/standing/untouched-result.ts'
import type { StepOf } from '../../step.ts'

type Next = StepOf<'parse_roadmap'>
type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'store' | 'leases'>

/**
 * Reads the roadmap at the base commit and derives from branches and pull requests which tasks are done. Refuses a
 * roadmap with errors before any model call.
 */
export async function parseRoadmap(before: RunState, ports: Needs): Promise<Next> {
  const [view, pullRequests] = await Promise.all([
    ports.workspace.view(),
    ports.forge.pullRequests(),
  ])
  const replaced = await findReplaced(before, view.branches, ports)
  const state = changeState(before, {
    roadmap: { amendments: replaced.map(({ amendment }) => amendment) },
  })
  const roadmap = await loadRoadmap(state, ports)
  if (roadmap === null) throw await missingRoadmap(state.roadmap.base.sha, ports)
  const errors = errorsOf(roadmap, state.roadmap.path)
  if (errors.length > 0) {
    return {
      outcome: 'refused',
      patch: { record: { errors: [...state.record.errors, ...errors] } },
    }
  }
  if (roadmap.tasks.length === 0 && (await isUnread(state, ports))) return { outcome: 'no_boxes' }
  for (const id of state.run.only ?? []) {
    if (!roadmap.tasks.some((task) => task.id === id)) throw new ExecutorError('unknown_task', id)
  }
  const { forge, settings } = ports
  const { branches, kept } = await tendKept(view, roadmap.tasks, ports)
  await ports.store.record(state.run.id, [survey(roadmap.tasks, view, pullRequests, ports)])
  const reconciled = reconcileTasks({
    tasks: roadmap.tasks,
    ...{ branches, kept },
    pullRequests,
    forge: forge.kind,
    only: state.run.only,
    base: state.roadmap.base.branch,
    again: Object.keys({ ...state.asked.answers, ...state.asked.feedback, ...state.asked.grants }),
  })
  const adopted = await adoptOrphans(reconciled, branches, state, { forge, settings })
  const found = { ...reconciled.results, ...adopted.results }
  const parents = parentsOf(replaced)
  const { base, path } = state.roadmap
  const open = await withoutMerged(found, state, ports)
  const results = {
    ...(forge.kind === 'local' ? await withConflicts(open, base, path, ports.workspace) : open),
    ...parents,
    ...state.tasks.results,
  }
  const { questions } = reconciled
  const asked = await takeAnswers(
    changeState(state, { tasks: { results } }),
    roadmap,
    reconciled.answers,
    ports,
  )
  const { only } = state.run
  const patch = joinPatches(
    { tasks: { results, questions }, roadmap: { amendments: state.roadmap.amendments } },
    asked,
    {
      // Who names one task of a group that failed wants them all.
      run: { only: only && [...new Set([...only, ...reconciled.reopened])] },
      roadmap: {
        preview: await previewRun(roadmap, changeState(state, { tasks: { results } }), ports),
      },
      pullRequests: { open: openNumbers(pullRequests, adopted.results) },
      tasks: headsOf(branches, reconciled.members),
      record: { errors: [...state.record.errors, ...adopted.errors] },
    },
  )
  const groups = state.run.dryRun ? [] : reconciled.groups
  const rolledBack = await rollBackGroups(changeState(state, patch), groups, ports)
  return {
    outcome: roadmap.tasks.length === 0 ? 'no_tasks' : 'parsed',
    patch: joinPatches(patch, rolledBack),
  }
}

/** The verdicts on replaced tasks. A task that keeps its id is judged by its own branch. */
const parentsOf = (
  replaced: Awaited<ReturnType<typeof findReplaced>>,
): RunState['tasks']['results'] =>
  Object.fromEntries(
    replaced
      .filter(({ amendment: { task, tasks } }) => tasks.every(({ id }) => id !== task.id))
      .map(({ result }) => [result.id, result]),
  )

/** Where the branches are, and which of them hold a group that a person wants worked on again. */
const headsOf = (
  branches: readonly BranchTip[],
  groups: Reconciled['members'],
): Pick<RunState['tasks'], 'heads' | 'groups'> => ({
  heads: Object.fromEntries(branches.map(({ name, sha }) => [name, sha])),
  ...(Object.keys(groups).length > 0 && { groups }),
})

/** The outside facts behind this step's verdicts; a replay sees the same. */
function survey(
  tasks: readonly Task[],
  { base, branches }: RepositoryView,
  pullRequests: readonly PullRequest[],
  { forge, settings }: Needs,
): Extract<JournalEntry, { kind: 'surveyed' }> {
  const open = tasks.filter(({ status }) => status !== 'done' && status !== 'cancelled')
  const heads = new Set(open.flatMap(({ id }) => [branchOf(id), recoveryBranchOf(id)]))
  const ids = new Set(open.map(({ id }) => id))
  const counts = pullRequests.filter(
    (pull) =>
      heads.has(pull.head) ||
      tasksInBody(pull.body).some(({ id }) => ids.has(id)) ||
      pull.state === 'open' ||
      pull.base !== base.branch,
  )
  return {
    kind: 'surveyed',
    forge: forge.kind,
    stack: settings.stack,
    branches: Object.fromEntries(branches.map(({ name, sha }) => [name, sha])),
    pullRequests: counts.map(({ number, author, head, headSha, state, mergeSha, ...rest }) => ({
      ...{ number, author, head, headSha, state, mergeSha },
      base: rest.base,
      body: (rest.body.match(/^<!-- executor:.*-->[ \t]*$/gm) ?? []).join('\n'),
      labels: rest.labels,
    })),
  }
}

/**
 * Loads the attempts that the answers concern. A manual merge answers the question where a change was waiting for it,
 * and means nothing where the task was reopened.
 */
async function takeAnswers(
  state: RunState,
  { tasks }: Roadmap,
  byHand: RunState['asked']['answers'],
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<StateFacts<'asked.answers' | 'tasks.parked'>> {
  const { answers } = state.asked
  const { parked, results } = state.tasks
  if (Object.keys({ ...answers, ...byHand }).length === 0)
    return { asked: { answers }, tasks: { parked } }
  const open = new Set(tasks.filter(({ status }) => status !== 'done').map(({ id }) => id))
  const isWanted = (id: string) =>
    open.has(id) && ['waiting', 'failed'].includes(results[id]?.verdict ?? 'waiting')
  const kept = { ...parked, ...(await readParkedAttempts(workspace, isWanted)) }
  const merged = Object.entries(byHand).filter(([id]) => kept[id]?.destructive.length)
  return {
    asked: { answers: { ...Object.fromEntries(merged), ...answers } },
    tasks: { parked: kept },
  }
}

function openNumbers(
  pullRequests: readonly PullRequest[],
  adopted: Reconciled['results'],
): readonly number[] {
  const open = pullRequests.filter(({ state }) => state === 'open')
  const opened = Object.values(adopted).flatMap(({ pullRequest }) => pullRequest ?? [])
  return [...open, ...opened].map(({ number }) => number)
}

/** True for a document with words but without tasks that no model has read yet. */
async function isUnread(
  { roadmap: { base, path: roadmap, normalized } }: RunState,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<boolean> {
  const text = (await workspace.readFiles(base.sha, [roadmap])).get(roadmap) ?? ''
  return normalized?.source !== groundSource(text) && hasPassages(text)
}

/** Replacements by earlier runs that are still on their branch, and not in the base, however it was merged. */
async function findReplaced(
  state: RunState,
  branches: readonly BranchTip[],
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<readonly { readonly amendment: Amendment; readonly result: TaskResult }[]> {
  const fitting = await loadAmendments(state, ports)
  const found = await Promise.all(
    fitting.map(async (amendment) => {
      const branch = recoveryBranchOf(amendment.task.id)
      const tip = branches.find(({ name }) => name === branch)
      if (tip === undefined || isRolledBack(tip)) return []
      if (await ports.workspace.contains(state.roadmap.base.sha, tip.sha)) return []
      const ids = amendment.tasks.map(({ id }) => id).join(', ')
      const facts = { branch, sha: tip.sha, start: tip.parent }
      const reason = `replaced by ${ids}`
      const result = untouchedResult(amendment.task, { verdict: 'replaced', reason, ...facts })
      return [{ amendment, result }]
    }),
  )
  return found.flat()
}

/** Drops branches that the base already contains: nothing builds on them. */
async function withoutMerged(
  results: RunState['tasks']['results'],
  state: RunState,
  ports: Pick<Ports, 'workspace'>,
): Promise<RunState['tasks']['results']> {
  const kept = await Promise.all(
    Object.entries(results).map(async ([id, result]) => {
      const { sha } = result
      const merged = sha !== null && (await ports.workspace.contains(state.roadmap.base.sha, sha))
      return [id, merged ? { ...result, sha: null } : result] as const
    }),
  )
  return Object.fromEntries(kept)
}

function errorsOf(roadmap: Roadmap, path: string): readonly RunError[] {
  return roadmap.problems
    .filter((problem) => problem.severity === 'error')
    .map((problem) => ({
      code: problem.rule,
      message: `${path}:${problem.line}:${problem.column} ${problem.message}`,
      next: problem.fix,
      taskId: null,
    }))
}

/** Opens pull requests for finished branches that lack one: the work is paid for. */
async function adoptOrphans(
  reconciled: Reconciled,
  branches: readonly BranchTip[],
  state: RunState,
  ports: Pick<Ports, 'forge' | 'settings'>,
): Promise<{ results: Record<string, TaskResult>; errors: RunError[] }> {
  const results: Record<string, TaskResult> = {}
  const errors: RunError[] = []
  for (const { tasks, branch } of reconciled.orphans) {
    const task = composeTask(tasks)
    const text = writeAdoptedPullRequest(task, branch, ports.settings)
    const below = branches.find(({ sha }) => sha === startOfTip(branch))
    const unverified = branch.trailers[trailer.outcome] === 'unverified'
    const labels = unverified ? [label.task, label.unverified] : [label.task]
    const base = below?.name ?? state.roadmap.base.branch
    // Another run may have opened it since the branches were read.
    const pull = { head: branch.name, base, ...text, labels, draft: false, keepsOpen: true }
    const opened = await openPullRequest(pull, task, ports)
    if (opened.status === 'refused') {
      errors.push(opened.error)
      continue
    }
    for (const { id } of membersOf(task)) {
      const known = reconciled.results[id]
      if (known !== undefined && opened.pullRequest !== null) {
        results[id] = { ...known, pullRequest: opened.pullRequest }
      }
    }
  }
  return { results, errors }
}
