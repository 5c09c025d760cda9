import { describe, expect, it } from 'vitest'
import type { Diagnosis } from '../../../../packages/diagnosis/command-fault.ts'
import { baselineOn } from '../../../../packages/judge/run/baseline.ts'
import type { SandboxRequest, SandboxRun } from '../../../../packages/sandbox/port.ts'
import { changeState, startOf } from '../../../../src/core/domain/change-state.ts'
import { executeTask } from '../../../../src/graph/nodes/attempt/execute-task.ts'
import { planTask } from '../../../../src/graph/nodes/attempt/plan-task.ts'
import { verifyTask } from '../../../../src/graph/nodes/attempt/verify-task.ts'
import { normalizeRoadmap } from '../../../../src/graph/nodes/choose/normalize-roadmap.ts'
import { classifyFailure } from '../../../../src/graph/nodes/recover/classify-failure.ts'
import { fakePorts } from '../../../fakes/facts.ts'
import { createScriptedModel } from '../../../fakes/scripted-model.ts'
import { createScriptedSandbox, tapReport } from '../../../fakes/scripted-sandbox.ts'
import { aDraft, attemptAfter, taskUnderWay } from '../bench.ts'

const manifest = JSON.stringify({
  type: 'module',
  scripts: { test: 'node --test' },
  dependencies: { a: '1' },
})
const failed: Partial<SandboxRun> = {
  exitCode: 1,
  stderr: "npm error code E404\nnpm error 404  'a@1' is not in this registry.",
}

/** A project that installs one package before its tests run. */
async function project(
  {
    install = {},
    tests = {},
    look = {},
  }: Record<string, Partial<SandboxRun> | Promise<SandboxRun>>,
  files = { 'package.json': manifest, 'test/a.test.js': 'x\n' },
) {
  const under = await taskUnderWay({ files, attempt: { draft: aDraft() } })
  const events: string[] = []
  const scripted = createScriptedSandbox()
  const answer = async (what: string, end: Partial<SandboxRun> | Promise<SandboxRun>) => {
    events.push(what)
    return { ...(await scripted.run(aRequest)), ...(await end) }
  }
  const sandbox = {
    ...scripted,
    prepare: () => answer('install', install),
    run: ({ command }: SandboxRequest) =>
      'argv' in command && command.argv[0] === 'sh' ? answer('look', look) : answer('test', tests),
    dependencyCache: async () => ({ path: '/memory', ready: false }),
  }
  const model = createScriptedModel(['NOTHING_TO_DO', 'NOTHING_TO_DO'])
  const asking = {
    ...model,
    complete: (request: Parameters<typeof model.complete>[0]) => {
      events.push('ask')
      return model.complete(request)
    },
  }
  return {
    ...under,
    events,
    ports: fakePorts({ workspace: under.workspace, sandbox, model: asking }),
  }
}

const aRequest = {
  ...{ command: { argv: [] }, folder: '/', directory: '.', env: {}, network: false },
  ...{ mounts: [], timeoutSeconds: 1, collect: [] },
}
const green = { stdout: tapReport(2) }
const nothing = { exitCode: 127, stderr: 'sh: 1: nyc: not found' }

describe('what the tests need', () => {
  it.each([
    ['a plan', planTask],
    ['code', executeTask],
    ['tasks', normalizeRoadmap],
  ])(
    'is installed before a model is asked for %s, and the tests are not waited for',
    async (_, node) => {
      const never = new Promise<SandboxRun>(() => {})
      const { state, ports, events } = await project({ tests: never })
      await node(state, ports)
      const [first, second] = events.filter((event) => event === 'install' || event === 'ask')
      expect([first, second]).toEqual(['install', 'ask'])
    },
  )

  it('is waited for once in a run, and by nobody who needs none of it', async () => {
    const { state, ports, events } = await project({})
    await executeTask(state, ports)
    await executeTask(
      changeState(state, {
        attempt: state.attempt && {
          ...state.attempt,
          start: { branch: 'b', sha: state.roadmap.base.sha },
        },
      }),
      ports,
    )
    expect(events.filter((event) => event === 'install')).toHaveLength(1)
    const plain = await project({}, { 'package.json': '{}', 'test/a.test.js': 'x\n' })
    await executeTask(plain.state, plain.ports)
    expect(plain.events).not.toContain('install')
  })

  it.each([
    ['a plan', planTask],
    ['code', executeTask],
    ['tasks', normalizeRoadmap],
  ])('ends the run before a model is asked for %s, where it is not to be had', async (_, node) => {
    const { state, ports, events } = await project({ install: failed, tests: nothing })
    const step = await node(state, ports)
    expect(step.outcome).toBe('not_prepared')
    expect(events).not.toContain('ask')
    expect(step.patch).toMatchObject({
      attempt: null,
      record: { errors: [{ code: 'not_prepared', taskId: null }] },
    })
    const [error] = step.patch?.record?.errors ?? []
    expect(error?.message).toContain('npm install failed: exit code 1.')
    expect(error?.output).toContain("404  'a@1' is not in this registry")
    expect(error?.next).toContain('verify-mode: skip')
  })

  it('is done without where tests run all the same, and is said in the receipt', async () => {
    const { state, ports, events } = await project({ install: failed, tests: green })
    expect((await executeTask(state, ports)).outcome).toBe('claims_done')
    expect(events).toContain('ask')
    const step = await verifyTask(state, ports)
    expect(step.outcome).toBe('passed')
    expect(attemptAfter(step).receipt?.notes).toContain(
      "npm install failed: exit code 1. It said: npm error 404  'a@1' is not in this registry.",
    )
    expect(events.filter((event) => event === 'install')).toHaveLength(1)
  })

  it.each<[string, object, number, Partial<SandboxRun>, boolean]>([
    ['a program that is not there', {}, 127, nothing, true],
    [
      'a shim that leads nowhere',
      {},
      126,
      { exitCode: 126, stderr: 'sh: 1: nyc: not found' },
      true,
    ],
    ['tests that are run another way', {}, 127, green, false],
    ['tests that are red', {}, 127, { exitCode: 1, stdout: tapReport(1) }, false],
    ['what is there', {}, 0, nothing, false],
    ["a task's own command", { verify: 'nyc mocha' }, 127, nothing, false],
  ])('is looked for before a model is asked: %s', async (_, task, exitCode, tests, isOver) => {
    const { state, ports, events } = await project({ look: { exitCode }, tests })
    const attempt = state.attempt && {
      ...state.attempt,
      task: { ...state.attempt.task, ...task },
    }
    const step = await executeTask(changeState(state, { attempt }), ports)
    expect(events.includes('ask')).toBe(!isOver)
    expect(step.outcome === 'not_prepared').toBe(isOver)
    if (!isOver) return
    const [error] = step.patch?.record?.errors ?? []
    expect(error?.message).toContain('npm test cannot be run here')
    expect(error?.output).toContain('nyc: not found')
    expect(error?.next).toContain('npm install --save-dev nyc')
  })

  it('that lacks only when the tests run ends the run before the next task is asked for', async () => {
    const stderr = 'CMake 3.27 or higher is required.  You are running version 3.25.1'
    const { state, ports, events } = await project({ tests: { exitCode: 1, stderr } })
    expect((await executeTask(state, ports)).outcome).toBe('claims_done')
    await baselineOn(startOf(state), ports)
    const step = await executeTask(state, ports)
    expect(step.patch?.record?.errors).toMatchObject([
      { code: 'not_prepared', message: expect.stringContaining(stderr) },
    ])
    expect(events.filter((event) => event === 'ask')).toHaveLength(1)
  })

  it('is found to lack before a model is asked, where the tests of the last run were red', async () => {
    const stderr = 'CMake 3.27 or higher is required.  You are running version 3.25.1'
    const { state, ports, events } = await project({ tests: { exitCode: 1, stderr } })
    const again = changeState(state, { progress: { awaitsTests: true } })
    const step = await executeTask(again, ports)
    expect(step.outcome).toBe('not_prepared')
    expect(events).not.toContain('ask')
  })

  it('does not end a run whose tests are as red as in the last one: they end first, once', async () => {
    const { state, ports, events } = await project({
      tests: {
        exitCode: 1,
        stdout: tapReport(1, [{ name: 'a', file: 'test/a.test.js', line: 1, error: 'no' }]),
      },
    })
    const again = changeState(state, { progress: { awaitsTests: true } })
    expect((await executeTask(again, ports)).outcome).toBe('claims_done')
    expect(events.slice(-2)).toEqual(['test', 'ask'])
  })

  it('may not be what the change alone cannot install', async () => {
    const { state, ports } = await project({ tests: green })
    await executeTask(state, ports)
    const broken = {
      ...ports.sandbox,
      prepare: async () => ({ ...(await ports.sandbox.run(aRequest)), ...failed }),
    }
    const step = await verifyTask(state, { ...ports, sandbox: broken })
    expect(step.outcome).toBe('cannot_run')
    const diagnosis = { kind: 'set-up', lacks: 'a', install: null }
    expect(attemptAfter(step).failure).toMatchObject({ diagnosis })
    const judged = await classifyFailure(changeState(state, step.patch), ports)
    expect(attemptAfter(judged).classification).toMatchObject({
      ...{ by: 'pattern', reason: 'environment_issue', diagnosis },
      explanation: expect.stringContaining("'a@1' is not in this registry"),
    })
  })
})

describe('what ended the run before', () => {
  const aCause: Diagnosis = {
    ...{ kind: 'set-up', message: 'It lacks.', file: null, line: null },
    ...{ lacks: 'yaml', language: 'python', install: 'pip install pyyaml' },
  }
  const noNode = 'npm test cannot be run here: nyc was not found.'

  it.each<[string, Partial<Diagnosis>, Partial<SandboxRun>, boolean]>([
    ['a package that is not there', {}, { exitCode: 1 }, true],
    ['a package that is there now', {}, { exitCode: 0 }, false],
    ['a package that cannot be looked for', { language: 'java' }, { exitCode: 1 }, false],
    ['no name of a package', { lacks: '-c' }, { exitCode: 1 }, false],
    ['a program', { message: noNode, lacks: 'nyc', language: undefined }, nothing, true],
    ['a program that is there now', { lacks: 'nyc', language: undefined }, green, false],
    ['another program', { lacks: 'tap', language: undefined }, nothing, false],
  ])('is looked for before a model is asked: %s', async (_, facts, tests, isSo) => {
    const { state, ports, events } = await project({ tests })
    const stuck = { ...aCause, ...facts }
    const step = await executeTask(changeState(state, { progress: { stuck } }), ports)
    expect(events.includes('ask')).toBe(!isSo)
    expect(step.outcome === 'not_prepared').toBe(isSo)
    if (!isSo) return
    expect(step.patch).toMatchObject({
      attempt: null,
      record: {
        errors: [{ code: 'still_so', next: expect.stringContaining('pip install pyyaml') }],
      },
    })
  })
})
