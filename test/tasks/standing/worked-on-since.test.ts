import { expect, it } from 'vitest'
import { joinPatches, type StatePatch } from '../../../src/core/domain/change-state.ts'
import { workedOnSince } from '../../../src/tasks/standing/find-standing.ts'
import { anAttempt, aState, aTask } from '../../fakes/facts.ts'

const words = 'another run has worked on it since'
const seen = { 'agent/T-1': 'a1' }
const tip = (name: string, sha: string, run = 'run-other') => ({
  ...{ name, sha, parent: null },
  trailers: { 'Executor-Run': run },
})

it.each<[string, StatePatch, ReturnType<typeof tip>, Record<string, string>]>([
  ['a branch that is new', {}, tip('agent/T-2', 'b1'), { 'T-2': words }],
  ['a branch that moved', {}, tip('agent/T-1', 'a2'), { 'T-1': words }],
  ['a question that was put', {}, tip('executor/recovery/T-3', 'c1'), { 'T-3': words }],
  ['a branch as it was', {}, tip('agent/T-1', 'a1'), {}],
  ['what this run pushed itself', {}, tip('agent/T-2', 'b1', 'run-own'), {}],
  [
    'the task under way',
    { attempt: anAttempt({ task: aTask({ id: 'T-2' }) }) },
    tip('agent/T-2', 'b1'),
    {},
  ],
  [
    'a run that looks at the branches next',
    { progress: { next: 'parse_roadmap' } },
    tip('agent/T-2', 'b1'),
    {},
  ],
  ['a branch of nobody’s task', {}, tip('agent/other', 'd1'), {}],
])('leaves to the next run what somebody did: %s', (_, change, branch, held) => {
  const state = aState(
    joinPatches(
      {
        run: { id: 'run-own' },
        progress: { next: 'decide_next' },
        tasks: { heads: seen },
        attempt: null,
      },
      change,
    ),
  )
  expect(workedOnSince(state, { branches: [branch] })).toEqual(held)
})
