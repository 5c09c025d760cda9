import { expect, it } from 'vitest'
import { fakePorts, someSettings } from '../../../../test/fakes/facts.ts'
import { createMemoryWorkspace } from '../../../../test/fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import { failureSaying } from '../../compare/read-outcome.ts'
import type { CommandReport, TestReport } from '../../results/test-report.ts'
import { baselineOn, mostShown, openBaseline } from '../../run/baseline.ts'

const noTask = { verify: null, accept: [] }

const noTests: TestReport = { commands: [] }
const files = { 'package.json': '{ "scripts": { "test": "node --test" } }\n' }

async function machine() {
  const workspace = createMemoryWorkspace({ files })
  const { base } = await workspace.refresh()
  const scripted = createScriptedSandbox()
  const seen = { now: 0, most: 0, runs: 0 }
  const sandbox = {
    ...scripted,
    async run(request: Parameters<typeof scripted.run>[0]) {
      seen.runs += 1
      seen.now += 1
      seen.most = Math.max(seen.most, seen.now)
      await new Promise(setImmediate)
      seen.now -= 1
      expect(workspace.folder(`baseline-${base.sha.slice(0, 12)}`)).not.toBeNull()
      return scripted.run(request)
    },
  }
  const ports = fakePorts({ workspace, sandbox, settings: someSettings() })
  const ask = (verify: string | null, sha = base.sha) =>
    baselineOn({ sha, task: { verify, accept: [] } }, ports)
  return { seen, ports, ask, base }
}

it('runs what two tasks verify a commit by one after the other: they have one folder', async () => {
  const { ask, seen } = await machine()
  await Promise.all([ask('npm test'), ask('make check')])
  expect(seen.most).toBe(1)
})

it('forgets the tests of commits that were not used recently', async () => {
  const { ask, seen, ports, base } = await machine()
  await ask(null)
  const { runs } = seen
  for (let index = 0; index < 30; index += 1)
    openBaseline({ sha: `a${index}`, task: noTask }, ports).remember(noTests)
  await ask(null)
  expect(seen.runs).toBe(runs)
  for (let index = 0; index < 60; index += 1)
    openBaseline({ sha: `b${index}`, task: noTask }, ports).remember(noTests)
  await ask(null, base.sha)
  expect(seen.runs).toBe(2 * runs)
})

const green: CommandReport = {
  ...{ command: 'npm test', exitCode: 0, timedOut: false, failures: [], tail: '', seconds: 1 },
  ...{ counts: { passed: 1, failed: 0, skipped: 0 }, sandbox: 'bubblewrap' },
}

it('keeps of accept commands those that ran tests', async () => {
  const { ask, ports, base, seen } = await machine()
  const accept = { ...green, role: 'accept' } as const
  const commands = [{ ...accept, command: 'sh a.sh', counts: null }, accept]
  openBaseline({ sha: base.sha, task: noTask }, ports).remember({ commands })
  expect(await ask(null)).toMatchObject({ report: { commands: [accept] } })
  expect(seen.runs).toBe(0)
})

it('takes no report of which only a part was stored', async () => {
  const { ask, ports, base, seen } = await machine()
  const failures = Array.from({ length: mostShown }, (_, at) => failureSaying(`t${at}`, 'no'))
  openBaseline({ sha: base.sha, task: noTask }, ports).remember({
    commands: [{ ...green, failures }],
  })
  await ask(null)
  expect(seen.runs).toBeGreaterThan(0)
})
