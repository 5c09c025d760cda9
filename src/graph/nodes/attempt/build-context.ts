import { openTree } from '../../../../packages/change/change.ts'
import { mayTry, signatureOf } from '../../../../packages/diagnosis/diagnosis.ts'
import { openBaseline } from '../../../../packages/judge/judge.ts'
import { type HiddenText, showTexts } from '../../../../packages/text/text.ts'
import type { Attempt, ContextFile, Plan } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  failureAt,
  joinPatches,
  patchAttempt,
  startOf,
  wayOf,
} from '../../../core/domain/change-state.ts'
import { recordHidden } from '../../../core/domain/hidden-lines.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Ports } from '../../../core/ports.ts'
import { contextBudgetOf } from '../../../model/budget/check-budget.ts'
import {
  type Context,
  describeTooLarge,
  buildPromptContext as gatherContext,
} from '../../../model/context/build-context.ts'
import { lookUpAt } from '../../../model/context/find-code.ts'
import { earlierWork } from '../../../model/memory/earlier-work.ts'
import { recallEarlier } from '../../../model/memory/recall-earlier.ts'
import type { Step, StepOf } from '../../step.ts'

/**
 * Gathers the project map and the code that this task concerns, within the token budget. It excerpts files that
 * exceed the budget, and halves the budget after the model could not read the whole prompt. Meanwhile the project's
 * tests start on the unchanged code.
 */
export async function buildContext(
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings' | 'sandbox' | 'clock'>,
): Promise<StepOf<'build_context'>> {
  if (!state.run.dryRun) (await openBaseline(startOf(state), ports)).begin()
  // An agent looks for itself.
  if (wayOf(attemptOf(state), ports.settings.strategy) === 'agent') {
    return { outcome: 'built_for_agent' }
  }
  const plan = await planFor(state, ports)
  let now = state
  for (let scope = 0; ; scope += 1) {
    const { context, removed } = await gather(now, plan, scope, ports)
    if (context.status === 'built') {
      const recalled = await recall(now, plan, context.files, ports)
      return built(now, { ...context, recalled }, removed, ports)
    }
    const { remedies } = attemptOf(now)
    const message = describeTooLarge(context, contextBudgetOf(now, ports.settings))
    if (!mayTry(remedies, 'validation', 'smaller_scope')) {
      const settled = settle(remedies, false)
      const failure = failureAt('too_large', message)
      return { outcome: 'too_large', patch: patchAttempt(now, { failure, remedies: settled }) }
    }
    const type = 'validation'
    const signature = signatureOf({ type, tool: 'context', message })
    const about = { node: 'build_context', type, signature, message, subject: '' } as const
    const tried = { ...about, strategy: 'smaller_scope', fix: scopes[scope] ?? '' } as const
    const next = [...settle(remedies, false), { ...tried, worked: null }]
    now = changeState(now, patchAttempt(now, { remedies: next }))
  }
}

/** Ways to shrink an oversized prompt, in the order in which they are tried. */
const scopes = [
  'large files were cut to the lines about the task',
  'the project map was halved',
  'files that did not fit were left out',
]

type Removed = readonly (HiddenText & { readonly path: string })[]

async function gather(
  state: RunState,
  plan: Plan | null,
  scope: number,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<{ readonly context: Context; readonly removed: Removed }> {
  const { task, start } = attemptOf(state)
  const { files, read } = await openTree(start.sha, ports.workspace)
  const removed: (HiddenText & { readonly path: string })[] = []
  const context = await gatherContext({
    task,
    plan,
    dependencyFiles: await filesOfDependencies(state, ports.workspace),
    files,
    roadmap: ports.settings.roadmap,
    read,
    lookUp: lookUpAt(ports.workspace, start.sha),
    show: (texts) => {
      const shown = showTexts(texts)
      removed.push(...shown.removed)
      return shown.texts
    },
    budgetTokens: contextBudgetOf(state, ports.settings),
    scope,
  })
  return { context, removed }
}

/** The files made by the tasks on which this one depends. */
async function filesOfDependencies(
  state: RunState,
  workspace: Ports['workspace'],
): Promise<readonly string[]> {
  const { dependsOn } = attemptOf(state).task
  const works = dependsOn.flatMap((id) => {
    const result = state.tasks.results[id]
    return result === undefined ? [] : earlierWork(result, workspace)
  })
  return (await Promise.all(works)).flatMap((work) => [...(work?.texts.keys() ?? [])])
}

/** What earlier tasks made that concerns this one. */
async function recall(
  state: RunState,
  plan: Plan | null,
  files: readonly ContextFile[],
  { workspace, settings }: Pick<Ports, 'workspace' | 'settings'>,
): Promise<string> {
  if (!settings.memory) return ''
  const { task, start } = attemptOf(state)
  return recallEarlier(state, { task, start, plan }, files, workspace)
}

function built(
  state: RunState,
  {
    map,
    files,
    targets,
    recalled,
  }: Extract<Context, { readonly status: 'built' }> & { readonly recalled: string },
  removed: Removed,
  { settings }: Pick<Ports, 'settings'>,
): Step<'built' | 'built_for_tools'> {
  const attempt = attemptOf(state)
  const paths = new Set(files.map(({ path }) => path))
  const kept = removed.filter(({ path }) => paths.has(path))
  const remedies = settle(attempt.remedies, true)
  const patch = patchAttempt(state, {
    ...{ map, context: files, targets, remedies },
    recalled: recalled === '' ? undefined : recalled,
  })
  return {
    outcome: wayOf(attempt, settings.strategy) === 'tools' ? 'built_for_tools' : 'built',
    patch: joinPatches(patch, recordHidden(state, attempt.task.id, kept)),
  }
}

const settle = (remedies: Attempt['remedies'], worked: boolean): Attempt['remedies'] =>
  remedies.map((each) =>
    each.node === 'build_context' && each.worked === null ? { ...each, worked } : each,
  )

const mostReviewed = 20

/** Returns the plan; for a review, the files changed so far and the files that the review mentions. */
async function planFor(
  state: RunState,
  { workspace, settings }: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Plan | null> {
  const { plan, feedback, start } = attemptOf(state)
  if (feedback === null) return plan
  const from =
    (await workspace.mergeBase(state.roadmap.base.sha, start.sha)) ?? state.roadmap.base.sha
  const changed = await workspace.changedBetween(from, start.sha)
  const spokenOf = feedback.threads.map(({ path }) => path)
  const paths = new Set([...spokenOf, ...changed.map(({ path }) => path)])
  const files = [...paths].filter((path) => path !== settings.roadmap).slice(0, mostReviewed)
  return { files, complexity: 'low', steps: [] }
}
