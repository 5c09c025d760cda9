import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActionBench, openActionBench } from './action-bench.ts'
import { multipleAnswers, multiples, withRoadmap } from './toolbox.ts'

/** Some that GitHub starts a workflow for, and some that it never sends; test/runs/triggers/wanted-events.test.ts has all. */
const others = [
  'check_run',
  'pull_request_target',
  'release',
  'watch',
  '',
  'schedule\n::error::x',
  '__proto__',
]

let bench: ActionBench
beforeAll(async () => {
  bench = await openActionBench(withRoadmap(...multiples(2)), multipleAnswers(2))
})
afterAll(() => bench[Symbol.asyncDispose]())

describe('an event that is not for us', () => {
  it('ends politely, and asks nothing of anybody', async () => {
    const times: number[] = []
    for (const event of others) {
      const run = await bench.run({ event, payload: { action: 'created' }, workspace: tmpdir() })
      expect(run).toMatchObject({ exitCode: 0, stderr: '', annotations: [], summary: '' })
      expect(run).toMatchObject({ apiCalls: [], gitCalls: [], modelCalls: 0 })
      expect(run.stdout).toBe(`Nothing to do for the event ${JSON.stringify(event)}.\n`)
      times.push(run.milliseconds)
    }
    times.sort((a, b) => a - b)
    console.log(
      `${times.length} other events: fastest ${times[0]?.toFixed()} ms, median ${times[times.length >> 1]?.toFixed()} ms.`,
    )
  })
})

describe('an event that starts the run', () => {
  it.each([
    ['schedule', { schedule: '0 3 * * *' }],
    ['workflow_dispatch', { inputs: null, repository: { default_branch: 'main' } }],
  ])('is %s', async (event, payload) => {
    const before = (await bench.pulls()).length
    const run = await bench.run({ event, payload, inputs: { 'max-tasks': '1' } })
    expect(run).toMatchObject({ exitCode: 0, outputs: { completed: '1' } })
    expect((await bench.pulls()).length).toBe(before + 1)
  })
})
