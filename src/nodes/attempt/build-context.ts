import { contextBudget } from '../../budget/allowances.ts'
import { buildContext as gatherContext } from '../../context/build-context.ts'
import { attemptOf, patchAttempt } from '../../domain/attempt.ts'
import type { HiddenText } from '../../domain/hidden-text.ts'
import { recordHidden } from '../../domain/record-hidden.ts'
import type { Plan, RunState } from '../../domain/run-state.ts'
import type { Step } from '../../graph/step.ts'
import type { Ports } from '../../ports.ts'
import { showTexts } from '../../safety/show-text.ts'

/** Gathers the project map and the code this task is about, within the token budget. */
export async function buildContext(
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Step<'built' | 'too_large'>> {
  const { task, start } = attemptOf(state)
  const plan = await planFor(state, ports)
  const budgetTokens = contextBudget(ports.settings)
  const removed: (HiddenText & { readonly path: string })[] = []
  const context = await gatherContext({
    task,
    plan,
    files: await ports.workspace.listFiles(start.sha),
    read: (paths) => ports.workspace.readFiles(start.sha, paths),
    show: (texts) => {
      const shown = showTexts(texts)
      removed.push(...shown.removed)
      return shown.texts
    },
    budgetTokens,
  })
  if (context.status === 'too_large') {
    const message = `${context.path} alone takes ${context.tokens} tokens even as an outline; the context may hold ${budgetTokens}.`
    const failure = { at: 'too_large', message, problems: [], failures: [], output: '' }
    return { outcome: 'too_large', patch: patchAttempt(state, { failure }) }
  }
  const { map, files } = context
  const paths = new Set(files.map(({ path }) => path))
  const kept = removed.filter(({ path }) => paths.has(path))
  const patch = patchAttempt(state, { map, context: files })
  return { outcome: 'built', patch: { ...patch, ...recordHidden(state, task.id, kept) } }
}

const mostReviewed = 20

/** The plan; for a review, what was changed so far and what is spoken of stands in its place. */
async function planFor(
  state: RunState,
  { workspace, settings }: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Plan | null> {
  const { plan, feedback, start } = attemptOf(state)
  if (feedback === null) return plan
  const from = (await workspace.mergeBase(state.base.sha, start.sha)) ?? state.base.sha
  const changed = await workspace.changedBetween(from, start.sha)
  const spokenOf = feedback.threads.map(({ path }) => path)
  const files = [...spokenOf, ...changed.map(({ path }) => path)]
    .filter((path) => path !== settings.roadmap)
    .slice(0, mostReviewed)
  return { files: [...new Set(files)], complexity: 'low', steps: [] }
}
