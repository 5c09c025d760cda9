import { expect, it } from 'vitest'
import { createProject } from './bench.ts'
import { alphabet, letterAnswers, letterFiles, letterRoadmap } from './letters.ts'
import { startModel } from './model.ts'

const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(2) }
const comeBackIn = (seconds: number) =>
  ({ fault: { kind: 'status', status: 429, retryAfter: seconds } }) as const

it('a limit of the model in mid-run: a short one is waited out, a long one is for the next run', async () => {
  using project = createProject(files)
  await using model = await startModel({
    ...letterAnswers(2),
    'draft T-1': [comeBackIn(1), letterFiles(0)],
    'draft T-2': [comeBackIn(3600), letterFiles(1)],
  })
  const before = Date.now()
  const first = await project.run(['run'], model.variables)
  expect(first.code, first.stderr).toBe(4)
  const { retryAt, runId } = project.report()
  const wait = Date.parse(retryAt ?? '') - before
  expect(wait).toBeGreaterThan(3600_000)
  expect(wait).toBeLessThan(3700_000)
  expect(first.stderr).toContain(`Come back after ${retryAt}`)
  expect(project.branches()).toEqual(['agent/T-1'])

  const next = await project.run(['run'], model.variables)
  expect(next.code, next.stderr).toBe(0)
  expect(project.report()).toMatchObject({ runId, retryAt: null })
  // Each refused question was asked once more, and no answer was paid for twice.
  expect(model.asked()).toEqual(['draft T-1', 'draft T-1', 'draft T-2', 'draft T-2'])
  expect(project.log('main..agent/T-2')).toHaveLength(2)
})
