import { expect, it } from 'vitest'
import type { StatePatch } from '../../src/core/domain/change-state.ts'
import type { RunErrorCode } from '../../src/core/domain/errors.ts'
import type { RunError } from '../../src/core/domain/run-state.ts'
import type { TaskResult, Verdict } from '../../src/core/domain/verdict.ts'
import { exitCodeOf } from '../../src/runs/run-results.ts'
import { sampleResult } from '../contracts/run-state.ts'
import { aState } from '../fakes/facts.ts'

const error = (code: RunErrorCode): RunError => ({ code, message: '', next: '', taskId: null })
const results = (verdicts: readonly Verdict[], facts: Partial<TaskResult> = {}) =>
  Object.fromEntries(
    verdicts.map((verdict, n) => [`T-${n}`, sampleResult(`T-${n}`, { verdict, ...facts })]),
  )

it.each<[number, string, StatePatch]>([
  [0, 'nothing to do', {}],
  [0, 'all done', { tasks: { results: results(['done', 'in_review', 'unverified']) } }],
  [
    0,
    'a dry run, whatever it found',
    {
      run: { dryRun: true },
      tasks: { results: results(['over_budget']) },
      progress: { stopped: 'limit' },
    },
  ],
  [
    2,
    'a dry run of a broken roadmap',
    { run: { dryRun: true }, record: { errors: [error('dependency-cycle')] } },
  ],
  [
    0,
    'a task that a person refused earlier',
    { tasks: { results: results(['rejected', 'done'], { thisRun: false }) } },
  ],
  [
    0,
    'a resumed run whose model came back',
    { record: { errors: [error('model_unavailable')] }, tasks: { results: results(['done']) } },
  ],
  [1, 'a failed task', { tasks: { results: results(['done', 'failed']) } }],
  [1, 'a skipped task', { tasks: { results: results(['skipped']) } }],
  [
    1,
    'tasks that all ended for one cause',
    { tasks: { results: results(['skipped']) }, record: { errors: [error('same_cause')] } },
  ],
  [1, 'a deferred task', { tasks: { results: results(['deferred']) } }],
  [1, 'a rejected task', { tasks: { results: results(['rejected']) } }],
  [1, 'a failed one besides a waiting one', { tasks: { results: results(['waiting', 'failed']) } }],
  [
    1,
    'a branch that git could not serve',
    { record: { errors: [error('git_failed')] }, tasks: { results: results(['failed']) } },
  ],
  [
    2,
    'a dry run that a roadmap with errors ended',
    { run: { dryRun: true }, record: { errors: [error('duplicate-id')] } },
  ],
  [2, 'a refused roadmap', { record: { errors: [error('duplicate-id')] } }],
  [
    2,
    'a set-up that forbids pull requests',
    {
      record: { errors: [error('actions_may_not_create_pull_requests')] },
      tasks: { results: results(['failed']) },
    },
  ],
  [3, 'a task that waits for a person', { tasks: { results: results(['done', 'waiting']) } }],
  [3, 'one that waited before', { tasks: { results: results(['waiting'], { thisRun: false }) } }],
  [4, 'a limit', { progress: { stopped: 'limit' }, tasks: { results: results(['failed']) } }],
  [4, 'a cancel', { progress: { stopped: 'cancelled' } }],
  [
    4,
    'a model that is away',
    { progress: { stopped: 'unavailable' }, record: { errors: [error('model_unavailable')] } },
  ],
  [4, 'a task without money', { tasks: { results: results(['over_budget', 'failed']) } }],
  [
    4,
    'a forge that is away',
    { record: { errors: [error('forge_unreachable')] }, tasks: { results: results(['failed']) } },
  ],
])('%i for %s', (code, _, facts) => {
  expect(exitCodeOf(aState(facts))).toBe(code)
})
