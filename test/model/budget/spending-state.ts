import type { TaskBudget } from '../../../packages/task/task-schema.ts'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import { type Settings, settingsSchema } from '../../../src/core/domain/settings.ts'
import { noUsage, type Usage } from '../../../src/core/domain/usage.ts'
import { newRun } from '../../../src/runs/new-run.ts'
import { anAttempt, aTask } from '../../fakes/facts.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

/** Settings with these limits and a model that costs $1 a million tokens in, $10 out. */
export function settingsWith(limits: Partial<Settings['limits']> = {}): Settings {
  const settings: Settings = settingsSchema.parse({
    model: 'priced',
    'approval-mode': 'auto',
    stack: 'none',
    prices: { priced: { prompt: 1, completion: 10 } },
  })
  return {
    ...settings,
    model: { ...settings.model, maxOutputTokens: 4000 },
    limits: { ...settings.limits, ...limits },
  }
}

export const tokensUsed = (promptTokens: number, dollars = 0): Usage => ({
  ...noUsage,
  promptTokens,
  dollars,
})

interface Spending {
  readonly run?: Usage
  readonly task?: Usage
  readonly budget?: TaskBudget
  readonly model?: string
  readonly seconds?: number
}

/** A run at work on T-1, which has used this much. */
export function stateWith(spending: Spending = {}): RunState {
  const clock = createFakeClock()
  const random = { hex: (length: number) => '0'.repeat(length), fraction: () => 0 }
  const ports = { clock, random, settings: settingsWith() }
  const view = { base: { branch: 'main', sha: 'a'.repeat(40) }, branches: [] }
  return changeState(newRun(ports, { only: null, dryRun: false }, view), {
    spent: { usage: spending.run ?? noUsage, seconds: spending.seconds ?? 0 },
    attempt: attemptWith(spending),
  })
}

function attemptWith({ task, budget, model }: Spending): Attempt {
  return anAttempt({
    task: aTask({ model: model ?? null, budget: budget ?? null }),
    usage: task ?? noUsage,
  })
}
