import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import type { ReachedRun, SandboxRequest } from '../../../../packages/sandbox/port.ts'
import type { Attempt } from '../../../../src/core/domain/attempt.ts'
import type { Settings } from '../../../../src/core/domain/settings.ts'
import { repairCode } from '../../../../src/graph/nodes/attempt/repair-code.ts'
import { repairTest } from '../../../../src/graph/nodes/attempt/repair-test.ts'
import { runAgent } from '../../../../src/graph/nodes/attempt/run-agent.ts'
import { fakePorts, someSettings } from '../../../fakes/facts.ts'
import { createMemoryStore } from '../../../fakes/memory-store.ts'
import { createScriptedRelay, type ScriptedRequest } from '../../../fakes/scripted-relay.ts'
import { createScriptedSandbox } from '../../../fakes/scripted-sandbox.ts'
import { aDraft, attemptAfter, greeting, taskUnderWay } from '../bench.ts'

interface Given {
  readonly attempt?: Partial<Attempt>
  /** What the agent leaves in its folder, by path; `null` removes. */
  readonly leaves?: Readonly<Record<string, string | null>>
  readonly ends?: Partial<ReachedRun>
  readonly requests?: readonly ScriptedRequest[]
  readonly agent?: Partial<Settings['agent']>
  readonly limits?: Partial<Settings['limits']>
  readonly run?: (request: SandboxRequest) => void
}

const program = 'codex exec --quiet -'

/** One session, and what the agent was given. */
async function play({
  attempt = {},
  leaves = {},
  ends,
  requests = [{}],
  run,
  ...more
}: Given = {}) {
  const { workspace, state } = await taskUnderWay({ attempt })
  const given: { prompt: string; folder: string; files: string[]; env: object; argv: unknown }[] =
    []
  const inner = createScriptedSandbox()
  const sandbox: typeof inner = {
    ...inner,
    async runReaching(request, reach) {
      const { EXECUTOR_PROMPT_0: prompt = '', ...env } = request.env
      const files = Object.keys(workspace.filesIn('agent-T-1'))
      const { command, folder } = request
      given.push({ prompt, folder, files, env, argv: 'argv' in command ? command.argv : [] })
      run?.(request)
      for (const [path, text] of Object.entries(leaves)) workspace.disturb('agent-T-1', path, text)
      return { ...(await inner.runReaching(request, reach)), ...ends }
    },
  }
  const settings = someSettings(more.limits)
  const agent = { ...settings.agent, command: program, ...more.agent }
  const ports = fakePorts({
    ...{ workspace, sandbox, store: createMemoryStore() },
    relay: createScriptedRelay([requests]),
    settings: {
      ...settings,
      strategy: 'agent',
      agent,
      verify: { ...settings.verify, mode: 'skip' },
    },
  })
  const step = await runAgent(state, ports)
  return { step, given, workspace, ports, state }
}

const greet = { 'src/greet.js': "export const greet = () => 'hello'\n" }
const faulty = aDraft({ changes: [{ ...greeting[0], content: 'export const greet =\n' } as never] })
const problem = {
  path: 'src/greet.js',
  type: 'syntax',
  message: 'ends too soon',
  line: 1,
  column: 9,
}
const failed = {
  ...{ test: 'greets', file: 'test/greet.test.js', line: 3, message: 'expected hello', trace: [] },
  ...{ expected: 'hello', actual: 'hi', errorType: 'AssertionError' },
}

describe('run_agent', () => {
  it('gives the agent a prompt that is longer than a variable may be', async () => {
    const said: string[] = []
    const long = '語'.repeat(65_536)
    await play({
      attempt: { earlier: `${long}.` },
      agent: { command: 'cat; env | grep -c EXECUTOR_PROMPT' },
      run({ command, env }) {
        const [file = '', ...args] = 'argv' in command ? command.argv : []
        const home = mkdtempSync(join(tmpdir(), 'executor-test-'))
        const variables = { PATH: process.env.PATH, ...env, HOME: home }
        said.push(String(spawnSync(file, args, { env: variables }).stdout))
        rmSync(home, { recursive: true })
      },
    })
    expect(said[0]).toContain(`BEFORE\n${long}.\n`)
    expect(said[0]).toMatch(/\n.*0\n$/)
  })

  it('makes a draft of what the agent leaves in a folder of its own', async () => {
    const { step, given, workspace } = await play({
      leaves: greet,
      ends: {
        stdout: 'Looking.\n\n\u001b[1mI added greet.\u001b[0m\n',
        refused: ['example.com:443'],
      },
    })
    expect(step.outcome).toBe('drafted')
    expect(attemptAfter(step)).toMatchObject({
      draft: {
        changes: greeting,
        claimsDone: false,
        summary: 'I added greet.',
        notes: ['written by the agent codex exec', 'the agent was refused example.com:443'],
      },
      usage: { requests: 1 },
    })
    const [session] = given
    expect(session).toMatchObject({
      files: ['ROADMAP.md', 'package.json', 'src/index.js'],
      env: { EXECUTOR_TASK: 'T-1', OPENAI_API_KEY: 'word' },
      argv: ['sh', '-c', expect.any(String), 'agent', program],
    })
    expect(session?.prompt).toMatch(/TASK T-1: Add a greeting[\s\S]*Change only: src\/greet\.js/)
    expect(session?.prompt).toContain('Never edit ROADMAP.md')
    expect(workspace.folder('agent-T-1')).toBeNull()
  })

  it('takes no change for a claim that nothing is to be done', async () => {
    const { step } = await play({ ends: { stdout: 'All is there.' } })
    expect(step.outcome).toBe('claims_done')
    expect(attemptAfter(step).draft).toMatchObject({ claimsDone: true, changes: [] })
  })

  test.each<[string, Partial<ReachedRun>, string]>([
    [
      'a code',
      { exitCode: 3, stderr: 'no\nno such model\n' },
      'the agent ended with exit code 3: no such model',
    ],
    ['a code and no word', { exitCode: 1 }, 'the agent ended with exit code 1'],
    ['the time', { exitCode: null, timedOut: true }, 'the agent was stopped after 30 minutes'],
    [
      'a limit',
      { exitCode: null, ended: 'used more than 4,096 MB of memory' },
      'the agent was stopped: it used more than 4,096 MB of memory',
    ],
  ])('drops all of a session that ends by %s', async (_, ends, reason) => {
    const { step } = await play({ leaves: greet, ends })
    expect(step.outcome).toBe('drafted')
    expect(attemptAfter(step).draft).toMatchObject({
      changes: [],
      refusals: [{ path: '', reason }],
    })
  })

  test.each<[string, Partial<ReachedRun>, Partial<Settings['agent']>, string | undefined]>([
    ['nothing', {}, {}, undefined],
    ['hosts', {}, { network: ['registry.npmjs.org'] }, 'registry.npmjs.org (agent-network)'],
    ['everything allowed', {}, { network: ['*'] }, 'all of the internet (agent-network)'],
    [
      'this machine',
      { reached: 'machine' },
      {},
      'everything that this machine can reach (sandbox: off)',
    ],
  ])('says that it could reach %s', async (_, ends, agent, reached) => {
    const { step } = await play({ leaves: greet, ends, agent })
    expect(attemptAfter(step).draft?.reached).toBe(reached)
  })

  it('repairs its own change, and reads what is wrong with it', async () => {
    const attempt = { draft: faulty, problems: [problem] }
    const { step, given } = await play({ attempt, leaves: greet })
    expect(step.outcome).toBe('drafted')
    expect(attemptAfter(step)).toMatchObject({ draft: { changes: greeting }, validationRepairs: 1 })
    expect(given[0]?.files).toContain('src/greet.js')
    expect(given[0]?.prompt).toMatch(
      /cannot be used yet[\s\S]*src\/greet\.js:1:9\nends too soon[\s\S]*> 1 \| export const greet =/,
    )
  })

  const broke = {
    draft: aDraft(),
    broken: [failed],
    failure: { at: 'failed', message: 'x', problems: [], failures: [], output: '' },
  } as const
  it('repairs tests that its change breaks', async () => {
    const { step, given } = await play({
      attempt: broke,
      leaves: { 'src/greet.js': 'export const greet = 1\n' },
    })
    expect(step.outcome).toBe('drafted')
    expect(attemptAfter(step)).toMatchObject({ testRepairs: 1, problems: [] })
    expect(given[0]?.prompt).toMatch(/breaks tests[\s\S]*FAILED greets \(test\/greet\.test\.js:3\)/)
  })

  it('gives up on a repair that changes nothing', async () => {
    const { step } = await play({ attempt: broke })
    expect(step.outcome).toBe('failed')
    expect(attemptAfter(step)).toMatchObject({ testRepairs: 1, draft: { changes: greeting } })
  })

  it('leaves its change as it was when a repair breaks off', async () => {
    const attempt = { draft: faulty, problems: [problem] }
    const { step } = await play({ attempt, ends: { exitCode: 1 } })
    expect(attemptAfter(step).draft).toMatchObject({
      changes: faulty.changes,
      refusals: [{ path: '' }],
    })
  })

  it('ends a task that is over its budget', async () => {
    const { step } = await play({
      leaves: greet,
      limits: { tokensPerTask: 300 },
      requests: [{}, {}, {}],
    })
    expect(step).toMatchObject({
      outcome: 'over_budget',
      patch: { tasks: { results: { 'T-1': { verdict: 'over_budget' } } } },
    })
  })
})

describe('a repair with strategy: agent', () => {
  it('is left to the agent', async () => {
    const { ports, state } = await play({ attempt: { draft: faulty, problems: [problem] } })
    expect(await repairCode(state, ports)).toEqual({ outcome: 'needs_agent' })
    const tests = await play({ attempt: broke })
    expect(await repairTest(tests.state, tests.ports)).toEqual({ outcome: 'needs_agent' })
  })
  const broke = { draft: aDraft(), broken: [failed] }
})
