import { describe, expect, it } from 'vitest'
import type { CodeProblem } from '../../packages/change/problem.ts'
import { mayTry, remedyTable } from '../../packages/diagnosis/diagnose.ts'
import { type ErrorType, errorTypeSchema } from '../../packages/diagnosis/step-error.ts'
import { runInstaller } from '../../packages/judge/prepare/run-installer.ts'
import type { TestFailure } from '../../packages/judge/results/test-report.ts'
import { createCallPolicy, type Setback } from '../../src/adapters/resilience/call-policy.ts'
import type { TriedRemedy } from '../../src/core/domain/attempt.ts'
import { changeState, fileVerdict } from '../../src/core/domain/change-state.ts'
import { buildContext } from '../../src/graph/nodes/attempt/build-context.ts'
import { checkpoint } from '../../src/graph/nodes/attempt/checkpoint.ts'
import { executeTask } from '../../src/graph/nodes/attempt/execute-task.ts'
import { planTask } from '../../src/graph/nodes/attempt/plan-task.ts'
import { repairCode } from '../../src/graph/nodes/attempt/repair-code.ts'
import { repairTest } from '../../src/graph/nodes/attempt/repair-test.ts'
import { verifyTask } from '../../src/graph/nodes/attempt/verify-task.ts'
import { decideNext } from '../../src/graph/nodes/finish/decide-next.ts'
import { fakePorts, someSettings } from '../fakes/facts.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'
import { createMemoryForge } from '../fakes/memory-forge.ts'
import { createScriptedModel } from '../fakes/scripted-model.ts'
import { createScriptedSandbox } from '../fakes/scripted-sandbox.ts'
import { aDraft, attemptAfter, project, taskUnderWay } from '../graph/nodes/bench.ts'

/** A step's note, or `done` without one: time passed, a folder is gone, a task waits. */
type Did = readonly Pick<TriedRemedy, 'type' | 'strategy'>[] | 'done'

const answer = "src/greet.js\n```js\nexport const greet = () => 'hi'\n```\n"

/** A repair of a change with this problem. */
async function repaired(type: string): Promise<Did> {
  const problem: CodeProblem = { path: 'src/greet.js', type, message: 'no', line: 1, column: 1 }
  const attempt = { draft: aDraft(), problems: [problem] }
  const { workspace, state } = await taskUnderWay({ attempt })
  const ports = { workspace, model: createScriptedModel([answer]) }
  return attemptAfter(await repairCode(state, fakePorts(ports))).remedies
}

async function testRepaired(): Promise<Did> {
  const unknown = { line: 1, expected: null, actual: null, errorType: null, trace: [] }
  const broken: TestFailure = { ...unknown, test: 'a', file: 'a.test.js', message: 'no' }
  const { workspace, state } = await taskUnderWay({
    attempt: { draft: aDraft(), broken: [broken] },
  })
  const ports = { workspace, model: createScriptedModel([answer]) }
  return attemptAfter(await repairTest(state, fakePorts(ports))).remedies
}

async function workDropped(): Promise<Did> {
  const { workspace, state, base } = await taskUnderWay()
  await workspace.checkOut('T-1', base.sha)
  await decideNext(changeState(state, fileVerdict(state, 'failed')), fakePorts({ workspace }))
  expect(workspace.folder('T-1')).toBeNull()
  return 'done'
}

/** A command line with this output, and the line that a model proposes. */
async function corrected(line: string, says: string, exitCode: number): Promise<Did> {
  const { workspace, state } = await taskUnderWay({ attempt: { draft: aDraft() } })
  const plain = someSettings()
  const sandbox = createScriptedSandbox((command) =>
    command.startsWith(line) ? { exitCode, stderr: says } : { stdout: '3 passed in 0.01s\n' },
  )
  const proposal = JSON.stringify({ command: 'pytest checks', why: 'meant' })
  const model = createScriptedModel([proposal])
  const settings = { ...plain, verify: { ...plain.verify, testCommand: line } }
  const step = await verifyTask(state, fakePorts({ workspace, sandbox, model, settings }))
  expect(step.outcome).toBe('passed')
  return attemptAfter(step).remedies
}

/** An installation that fails once with this output. */
async function installed(says: string): Promise<Did> {
  const clock = createFakeClock()
  let runs = 0
  const sandbox = createScriptedSandbox(() => {
    runs += 1
    return runs === 1 ? { exitCode: 1, stderr: says } : {}
  })
  const request = {
    ...{ command: { shell: './setup.sh' }, folder: '/folder', directory: '.', env: {} },
    ...{ mounts: [], collect: [] },
  }
  const setup = { tool: './setup.sh', source: null }
  const { tried } = await runInstaller(setup, request, { sandbox, clock })
  if (tried[0]?.strategy === 'back_off') expect(clock.sleeps).toEqual([2])
  return tried
}

async function waited(setback: Setback): Promise<Did> {
  const clock = createFakeClock()
  const policy = createCallPolicy({
    ...{ clock, random: { fraction: () => 0 }, judge: () => setback },
    ...{ concurrency: 1, patience: 60, unnamedLimit: 60 },
  })
  let calls = 0
  const call = async () => {
    calls += 1
    if (calls === 1) throw new Error('busy')
    return 'well'
  }
  expect(await policy.execute(call, { again: true })).toBe('well')
  expect(clock.sleeps).toHaveLength(1)
  return 'done'
}

async function askedAgain(): Promise<Did> {
  const { workspace, state } = await taskUnderWay({ state: { progress: { next: 'plan_task' } } })
  const model = createScriptedModel(['no JSON', '{"files": []}'])
  return attemptAfter(await planTask(state, fakePorts({ workspace, model }))).remedies
}

async function askedForLess(): Promise<Did> {
  const { workspace, state } = await taskUnderWay({ state: { progress: { next: 'execute_task' } } })
  const model = createScriptedModel([{ tooLarge: 'no room' }])
  const ports = fakePorts({ workspace, model, sandbox: createScriptedSandbox() })
  return attemptAfter(await executeTask(state, ports)).remedies
}

/** A silent endpoint, when the project is more than half of what the prompt may hold. */
async function askedForHalf(): Promise<Did> {
  const context = [{ path: 'src/greet.js', text: 'x '.repeat(9_000), whole: true }]
  const { workspace, state } = await taskUnderWay({
    state: { progress: { next: 'execute_task' } },
    attempt: { context },
  })
  const model = createScriptedModel([{ silent: 'no data for 60 seconds' }])
  const ports = fakePorts(
    { workspace, model, sandbox: createScriptedSandbox() },
    { contextTokens: 6_000 },
  )
  const step = await executeTask(state, ports)
  expect(step.outcome).toBe('silent')
  return attemptAfter(step).remedies
}

async function lessShown(): Promise<Did> {
  const line = (n: number) => (n === 9 ? '// a greeting' : `export const f${n} = () => ${n}`)
  const text = Array.from({ length: 2_000 }, (_, n) => line(n)).join('\n')
  const files = { 'ROADMAP.md': project['ROADMAP.md'] ?? '', 'src/greet.js': text }
  const { workspace, state } = await taskUnderWay({ files })
  const step = await buildContext(state, fakePorts({ workspace }, { contextTokens: 600 }))
  expect(step.outcome).toBe('built')
  return attemptAfter(step).remedies
}

async function othersCommitKept(): Promise<Did> {
  const { workspace, state } = await taskUnderWay({ attempt: { draft: aDraft() } })
  const theirs = workspace.push('agent/T-1', { 'theirs.js': '' })
  const step = await checkpoint(state, fakePorts({ workspace, forge: createMemoryForge() }))
  expect(step.patch?.tasks?.results?.['T-1']?.verdict).toBe('waiting')
  expect(workspace.head('agent/T-1')).toBe(theirs)
  return 'done'
}

/** Each row of the table, run by the code that implements it. */
const rows: Readonly<Record<string, () => Promise<Did>>> = {
  'syntax_error ask_again': () => repaired('syntax'),
  'syntax_error roll_back': workDropped,
  'test_failure ask_again': testRepaired,
  'test_failure roll_back': workDropped,
  'model_error ask_again': askedAgain,
  'model_error smaller_scope': askedForLess,
  'model_error back_off': () => waited({ kind: 'broken' }),
  'validation ask_again': () => repaired('write'),
  'validation smaller_scope': lessShown,
  'validation correct_command': () =>
    corrected('pytest --chekcs', 'pytest: error: unrecognized arguments: --chekcs', 4),
  'missing_dependency correct_command': () =>
    corrected('pytst checks', 'sh: 1: pytst: not found', 127),
  'missing_dependency ask_again': () => repaired('import'),
  'file_not_found create_directory': () =>
    installed('sh: 1: cannot create out/a.txt: Directory nonexistent'),
  'file_not_found correct_command': () =>
    corrected('cd chekcs && pytest', "sh: 1: cd: can't cd to chekcs", 2),
  'permission_denied ask_again': () => repaired('write_denied'),
  'permission_denied roll_back': workDropped,
  'network back_off': () => installed('npm error code EAI_AGAIN'),
  'rate_limit back_off': () => waited({ kind: 'limited', seconds: 7 }),
  'timeout back_off': () => installed('the request timed out'),
  'timeout smaller_scope': askedForHalf,
  'git_conflict back_off': othersCommitKept,
  'unknown give_up': async () => {
    expect(mayTry([], 'unknown', 'ask_again')).toBe(false)
    return 'done'
  },
}

const named = Object.entries(remedyTable).flatMap(([type, remedies]) =>
  remedies.map(([remedy]) => [type as ErrorType, remedy] as const),
)

describe('the remedies of an error', () => {
  it('has a case for each row of the table, and no other', () => {
    expect(Object.keys(rows).toSorted()).toEqual(named.map((row) => row.join(' ')).toSorted())
  })

  it.each(named)('%s: %s', async (type, strategy) => {
    const did = await rows[`${type} ${strategy}`]?.()
    if (did !== 'done') expect(did).toMatchObject([{ type, strategy }])
  })

  it.each(errorTypeSchema.options)('of the type %s ends after three tries', (type) => {
    const [[remedy]] = remedyTable[type]
    const about = {
      node: 'verify_task' as const,
      signature: '',
      message: '',
      subject: '',
      fix: '',
      worked: false,
    }
    const tried: TriedRemedy = { ...about, type, strategy: remedy }
    expect(mayTry([tried, tried], type, remedy)).toBe(true)
    expect(mayTry([tried, tried, tried], type, remedy)).toBe(false)
  })
})
