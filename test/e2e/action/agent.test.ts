import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { smallTasks } from '../../../bench/scenarios.ts'
import { apiKey, openActionBench } from './action-bench.ts'

const program = fileURLToPath(new URL('../cli/scripted-agent.mjs', import.meta.url))
const [small] = smallTasks
if (small === undefined) throw new Error('There is no small task.')

const config = (network: string) =>
  `strategy: agent\nagent-command: node ${program}\nagent-network: [${network}]\n`

it('opens a pull request for the work of an agent, and says what it could reach', async () => {
  const files = { ...small.files, '.github/executor.yml': config('registry.example') }
  const work = { files: small.attempts[0], says: 'Reading.\n\nI added slugs. @ada closes #1' }
  await using bench = await openActionBench(files, [JSON.stringify(work)])
  const { exitCode, left, modelCalls } = await bench.run()
  expect(exitCode).toBe(0)
  expect(modelCalls).toBe(1)
  const [pull] = await bench.pulls()
  expect(pull).toMatchObject({ head: 'agent/T-1', base: 'main' })
  expect(await bench.file('agent/T-1', 'src/slug.js')).toBe(
    small.attempts[0]?.['src/slug.js']?.trimEnd(),
  )
  expect(pull?.body).toContain('written by the agent node')
  expect(pull?.body).toContain(
    'the agent that wrote this could reach registry.example (agent-network)',
  )
  expect(pull?.body).toContain('I added slugs.')
  expect(pull?.body).not.toMatch(/(?<![`\w])@ada/)
  expect(left['report.md']).toContain('registry.example (agent-network)')
  expect(JSON.stringify(left)).not.toContain(apiKey)
})

it('continues on another machine after its own vanished during a request', async () => {
  const machine = new AbortController()
  const files = { ...small.files, '.github/executor.yml': config('registry.example') }
  const work = JSON.stringify({ files: small.attempts[0], says: 'I added slugs.' })
  const vanish = () => {
    machine.abort()
    return work
  }
  await using bench = await openActionBench(files, [
    { when: {}, answers: [JSON.stringify({ asks: 1, ...JSON.parse(work) }), vanish, work] },
  ])
  const lost = await bench.run({ vanish: machine.signal })
  expect([lost.exitCode, lost.modelCalls]).toEqual([-1, 2])
  const next = await bench.run()
  expect(next.exitCode, next.stdout).toBe(0)
  expect(next.modelCalls).toBe(1)
  expect(await bench.pulls()).toMatchObject([{ head: 'agent/T-1', state: 'open' }])
})
