import { expect, it } from 'vitest'
import type { RunErrorCode } from '../../src/core/domain/errors.ts'
import type { RunError, RunState } from '../../src/core/domain/run-state.ts'
import type { TaskResult, Verdict } from '../../src/core/domain/verdict.ts'
import { exitCodeOf } from '../../src/runs/exit-code.ts'
import { sampleResult } from '../contracts/run-state.ts'
import { aState } from '../fakes/facts.ts'

const error = (code: RunErrorCode): RunError => ({ code, message: '', next: '', taskId: null })
const results = (verdicts: readonly Verdict[], facts: Partial<TaskResult> = {}) =>
  Object.fromEntries(
    verdicts.map((verdict, n) => [`T-${n}`, sampleResult(`T-${n}`, { verdict, ...facts })]),
  )

it.each<[number, string, Partial<RunState>]>([
  [0, 'nothing to do', {}],
  [0, 'all done', { results: results(['done', 'in_review', 'unverified']) }],
  [
    0,
    'a dry run, whatever it found',
    { dryRun: true, results: results(['over_budget']), stopped: 'limit' },
  ],
  [2, 'a dry run of a broken roadmap', { dryRun: true, errors: [error('dependency-cycle')] }],
  [
    0,
    'a task that a person refused earlier',
    { results: results(['rejected', 'done'], { thisRun: false }) },
  ],
  [
    0,
    'a resumed run whose model came back',
    { errors: [error('model_unavailable')], results: results(['done']) },
  ],
  [1, 'a failed task', { results: results(['done', 'failed']) }],
  [1, 'a skipped task', { results: results(['skipped']) }],
  [
    1,
    'tasks that all ended for one cause',
    { results: results(['skipped']), errors: [error('same_cause')] },
  ],
  [1, 'a deferred task', { results: results(['deferred']) }],
  [1, 'a rejected task', { results: results(['rejected']) }],
  [1, 'a failed one besides a waiting one', { results: results(['waiting', 'failed']) }],
  [
    1,
    'a branch that git could not serve',
    { errors: [error('git_failed')], results: results(['failed']) },
  ],
  [
    2,
    'a dry run that a roadmap with errors ended',
    { dryRun: true, errors: [error('duplicate-id')] },
  ],
  [2, 'a refused roadmap', { errors: [error('duplicate-id')] }],
  [
    2,
    'a set-up that forbids pull requests',
    { errors: [error('actions_may_not_create_pull_requests')], results: results(['failed']) },
  ],
  [3, 'a task that waits for a person', { results: results(['done', 'waiting']) }],
  [3, 'one that waited before', { results: results(['waiting'], { thisRun: false }) }],
  [4, 'a limit', { stopped: 'limit', results: results(['failed']) }],
  [4, 'a cancel', { stopped: 'cancelled' }],
  [4, 'a model that is away', { stopped: 'unavailable', errors: [error('model_unavailable')] }],
  [4, 'a task without money', { results: results(['over_budget', 'failed']) }],
  [
    4,
    'a forge that is away',
    { errors: [error('forge_unreachable')], results: results(['failed']) },
  ],
])('%i for %s', (code, _, facts) => {
  expect(exitCodeOf(aState(facts))).toBe(code)
})
