import type { Attempt } from '../../core/domain/attempt.ts'
import { attemptOf, untried } from '../../core/domain/change-state.ts'
import type { RouteChoice, TaskSize } from '../../core/domain/route.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { chooseWay } from '../../core/history/choose-way.ts'
import { chooseRefinement } from '../../core/history/refine.ts'
import type { Ports } from '../../core/ports.ts'
import { roomForTask } from '../../model/budget/check-budget.ts'
import { toolsFactor } from '../../model/budget/forecast.ts'
import { tellFailure } from './tell-failure.ts'

/** Decides the way of a fresh attempt, with `strategy: auto`, and what its first request holds or leaves out. */
export async function chooseFor(
  { task, number, size, feedback, earlier = '' }: Attempt & { readonly size: TaskSize },
  { settings, routes }: Pick<Ports, 'settings' | 'routes'>,
): Promise<RouteChoice> {
  const isAuto = settings.strategy === 'auto'
  if (feedback !== null) {
    return isAuto ? { route: { way: 'single', reason: 'it changes reviewed work' } } : {}
  }
  const recorded = routes.recorded?.(task.id, number)
  if (recorded !== undefined) return recorded
  const record = await routes.read(task.model ?? settings.model.name)
  const route = isAuto ? chooseWay(size, earlier !== '', record) : undefined
  const hasTools = (route?.way ?? settings.strategy) === 'tools'
  const isFirst = number === 1 && earlier === ''
  const refinement =
    settings.memory && isFirst && !hasTools
      ? chooseRefinement(size.shape, record.firstAnswers)
      : null
  return { ...(route && { route }), ...(refinement && { refinement }) }
}

/** Ends of an attempt after which a model that reads more code may do better. */
const worthTools: ReadonlySet<string> = new Set(['repairs_spent', 'unproven', 'failed'])

/**
 * The next attempt at a task whose cheap way failed: with tools, once, while the budget has room for it. `null` when
 * the failure is final.
 */
export function nextWay(state: RunState, { settings }: Pick<Ports, 'settings'>): Attempt | null {
  const attempt = attemptOf(state)
  const { route, failure, feedback, usage } = attempt
  if (settings.strategy !== 'auto' || route === undefined || route.way === 'tools') return null
  if (failure === null || !worthTools.has(failure.at) || feedback !== null) return null
  if (roomForTask(state, settings) < totalTokens(usage) * toolsFactor) return null
  return {
    ...attempt,
    ...untried,
    number: attempt.number + 1,
    plan: null,
    map: '',
    context: [],
    route: { way: 'tools', reason: `${route.way} failed` },
    refinement: undefined,
    earlier: tellFailure(attempt),
  }
}
