import { afterAll, beforeAll, expect, it } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { label } from '../../../src/core/domain/identity.ts'
import { checksMarker } from '../../../src/publish/report/write-checks-comment.ts'
import { type ActionBench, openActionBench } from './action-bench.ts'
import { edit, once, tool, withRoadmap } from './toolbox.ts'

const path = 'src/today.js'
const first = "() => new Date('2026-01-02').getDate()"
const second = "() => new Date('2026-01-02').getUTCDate()"

const log = [
  '2026-01-02T03:04:05.0000000Z ##[group]Run npm test',
  '2026-01-02T03:04:05.0000000Z TZ: America/New_York',
  '2026-01-02T03:04:05.0000000Z ##[endgroup]',
  '2026-01-02T03:04:06.0000000Z \u001b[31mnot ok 1 - today works in New York\u001b[39m',
  '2026-01-02T03:04:06.0000000Z ##[error]Process completed with exit code 1.',
  '2026-01-02T03:04:07.0000000Z Post job cleanup.',
].join('\n')

let bench: ActionBench
let prompt = ''
beforeAll(async () => {
  bench = await openActionBench(withRoadmap(`T-1: Tell the day, in \`${path}\``), [
    once('T-1', tool('today', first, 'assert.equal(today(), 2)'), ({ messages }) => {
      prompt = JSON.stringify(messages)
      return edit(path, `export const today = ${first}`, `export const today = ${second}`)
    }),
  ])
  await bench.run()
  await setCheck('main', 'success')
})
afterAll(() => bench[Symbol.asyncDispose]())

const setCheck = (on: string | number, outcome: 'success' | 'failure') =>
  bench.server.setCheck(target.owner, target.repo, {
    ...{ on, outcome, name: 'test (New York)', log },
    annotations: [
      { path, start_line: 1, annotation_level: 'failure', message: 'today works in New York' },
      { path: '.github', start_line: 3, annotation_level: 'failure', message: 'exit code 1' },
    ],
  })

const checked = {
  event: 'workflow_run',
  payload: { action: 'completed', workflow_run: { head_branch: 'agent/T-1' } },
}

const ofChecks = async () =>
  (await bench.comments()).map(({ body }) => body).filter((body) => body.startsWith(checksMarker))

it('looks at checks that are not red, and asks nobody', async () => {
  await setCheck(1, 'success')
  expect(await bench.run(checked)).toMatchObject({ exitCode: 0, modelCalls: 0 })
  expect(await ofChecks()).toEqual([])
})

it('asks nobody without a key, and is no failure', async () => {
  await setCheck(1, 'failure')
  const run = await bench.run({ ...checked, inputs: { 'api-key': '', 'base-url': '' } })
  expect(run).toMatchObject({ exitCode: 0, modelCalls: 0 })
  expect(await ofChecks()).toEqual([])
})

it('repairs what turned red there and is green here, and tells it', async () => {
  const [before] = await bench.pulls()
  await setCheck(1, 'failure')
  const run = await bench.run(checked)
  expect(run).toMatchObject({ exitCode: 0, modelCalls: 1 })
  expect(run.stdout).toContain('#1 was worked on, because its checks failed.')
  expect(prompt).toContain('FAILED CHECKS')
  expect(prompt).toContain('not ok 1 - today works in New York')
  expect(prompt).toContain(`- ${path}:1: today works in New York`)
  expect(prompt).not.toMatch(/03:04|##\[|Post job|TZ:|\\u001b|exit code/)
  const [after] = await bench.pulls()
  expect(after?.headSha).not.toBe(before?.headSha)
  expect(await bench.file('agent/T-1', path)).toContain('getUTCDate')
  expect(after?.labels).toContain(label.checksRepaired)
  const [told, ...more] = await ofChecks()
  expect(more).toEqual([])
  expect(told).toContain('**test (New York)**')
  expect(told).toContain(`\`${before?.headSha.slice(0, 7)}\``)
  expect(told).toMatch(/\*\*T-1\*\* is .* at `/)
})

it('does so once', async () => {
  await setCheck(1, 'failure')
  expect(await bench.run(checked)).toMatchObject({ exitCode: 0, modelCalls: 0 })
  expect(await ofChecks()).toHaveLength(1)
})
