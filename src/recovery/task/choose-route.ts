import type { Attempt } from '../../core/domain/attempt.ts'
import { attemptOf, untried } from '../../core/domain/change-state.ts'
import type { Route, TaskSize } from '../../core/domain/route.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { chooseWay } from '../../core/history/choose-way.ts'
import type { Ports } from '../../core/ports.ts'
import { roomForTask } from '../../model/budget/check-budget.ts'
import { toolsFactor } from '../../model/budget/forecast.ts'
import { tellFailure } from './tell-failure.ts'

type Needs = Pick<Ports, 'settings' | 'store' | 'routes'>

/**
 * The way of a fresh attempt, with `strategy: auto`; undefined with any other. A choice that the journal has, from
 * before a kill or of a recorded run, is not made again.
 */
export async function routeFor(
  attempt: Attempt & { readonly size: TaskSize },
  state: RunState,
  { settings, store, routes }: Needs,
): Promise<Route | undefined> {
  if (settings.strategy !== 'auto') return undefined
  if (attempt.feedback !== null) return { way: 'single', reason: 'it changes reviewed work' }
  const { task, number, size, earlier = '' } = attempt
  const events = await store.journal(state.run.id)
  const known = events.findLast(
    (event) => event.kind === 'routed' && event.task === task.id && event.attempt === number,
  )
  if (known?.kind === 'routed') return { way: known.way, reason: known.reason }
  const record = await routes.read(task.model ?? settings.model.name)
  return chooseWay(size, earlier !== '', record)
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
    earlier: tellFailure(attempt),
  }
}
