import { describe, expect, it } from 'vitest'
import type { Diagnosis } from '../../packages/diagnosis/command-fault.ts'
import type { SandboxRequest, SandboxRun } from '../../packages/sandbox/port.ts'
import { changeState } from '../../src/core/domain/change-state.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import { exitCodeOf } from '../../src/runs/run-results.ts'
import { runRoadmap } from '../../src/runs/run-roadmap.ts'
import { fakePorts } from '../fakes/facts.ts'
import { createMemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryStore } from '../fakes/memory-store.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'
import { createScriptedModel } from '../fakes/scripted-model.ts'
import { createScriptedSandbox, tapReport } from '../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../fakes/silent-person.ts'

const files = {
  'ROADMAP.md': [1, 2, 3, 4, 5, 6, 7]
    .map((n) => `- [ ] **T-${n}**: Create \`src/a${n}.js\`\n`)
    .join(''),
  'package.json': '{ "scripts": { "test": "node --test" }, "dependencies": { "b": "1" } }',
  'test/a.test.js': '',
}

/** One disk, one repository, and commands that end as they are told to. */
function createMachine({ roadmap = files['ROADMAP.md'], answers = [''] } = {}) {
  const model = createScriptedModel(Array.from({ length: 30 }, (_, at) => answers[at] ?? ''))
  const ports = fakePorts({
    ...{ workspace: createMemoryWorkspace({ files }), forge: createMemoryForge() },
    ...{ store: createMemoryStore(), person: createSilentPerson(), model },
    random: { hex: () => '0a0a0a', fraction: () => 0 },
    syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
  })
  interface Ends extends Partial<Pick<Parameters<typeof runRoadmap>[1], 'only'>> {
    readonly tests?: Partial<SandboxRun>
    readonly install?: Partial<SandboxRun>
    /** Of the command that looks for a package, and of the tests of a change. */
    readonly look?: Partial<SandboxRun>
    readonly changed?: Partial<SandboxRun>
    readonly text?: string
  }
  const start = (ends: Ends) => {
    const { signal } = new AbortController()
    const end = (command: string, { folder }: SandboxRequest) => {
      if (command.includes('require.resolve')) return ends.look ?? {}
      if (ends.changed !== undefined && !folder.includes('baseline')) return ends.changed
      return ends.tests ?? { stdout: tapReport(1) }
    }
    const scripted = createScriptedSandbox(end)
    const sandbox = {
      ...scripted,
      prepare: async (request: Parameters<typeof scripted.prepare>[0]) => ({
        ...(await scripted.prepare(request)),
        ...{ exitCode: 0, ...ends.install },
      }),
      dependencyCache: async () => ({ path: '/memory', ready: false }),
    }
    const request = { only: ends.only ?? null, fresh: false, dryRun: false, signal }
    const text = ends.text ?? roadmap
    const workspace = createMemoryWorkspace({ files: { ...files, 'ROADMAP.md': text } })
    return runRoadmap({ ...ports, workspace, sandbox }, request).then((state) => ({ state }))
  }
  return { start, model, store: ports.store }
}

describe('a run', () => {
  it('whose set-up fails ends with exit 2, unpaid, and says why; the next one begins anew', async () => {
    const { start, model } = createMachine()
    const install = { exitCode: 1, stderr: "npm error 404  'b@1' is not in this registry." }
    const tests = { exitCode: 127, stderr: 'sh: 1: node: not found' }
    for (const _ of [1, 2]) {
      const { state } = await start({ install, tests })
      expect(exitCodeOf(state)).toBe(2)
      expect(state).toMatchObject({
        progress: { next: 'END' },
        tasks: { results: {} },
        spent: { usage: { requests: 0 } },
      })
      const output = expect.stringContaining("npm error 404  'b@1' is not in this registry.")
      expect(state.record.errors).toMatchObject([{ code: 'not_prepared', output }])
    }
    expect(model.requests).toEqual([])
  })

  const cause: Diagnosis = {
    ...{ kind: 'set-up', message: 'npm test cannot be run here: node was not found.' },
    ...{ file: null, line: null, lacks: 'node', install: null },
  }

  it('after one that ended for one cause asks nobody while that is so, and goes on when it is gone', async () => {
    const { start, model, store } = createMachine()
    const over = (await start({ install: { exitCode: 1 }, tests: { exitCode: 127 } })).state
    const error = { code: 'same_cause' as const, message: '', next: '', taskId: null }
    const stuck: RunState = changeState(over, {
      record: { errors: [error] },
      progress: { limits: ['same_cause'], stuck: cause },
    })
    await store.save(stuck, [])
    const tests = { exitCode: 127, stderr: 'sh: 1: node: not found' }
    for (const _ of [1, 2]) {
      const { state } = await start({ tests })
      expect(exitCodeOf(state)).toBe(2)
      expect(state.record.errors).toMatchObject([{ code: 'still_so' }])
    }
    expect(model.requests).toEqual([])
    await start({})
    expect(model.requests).not.toEqual([])
  })
})

describe('the night after one whose tests', () => {
  const red = tapReport(1, [{ name: 'a', file: 'test/a.test.js', line: 1, error: 'no' }])
  it.each<[string, Partial<SandboxRun>, true | undefined]>([
    ['were red before any change', { exitCode: 1, stdout: red, seconds: 60 }, true],
    ['were quick', { stdout: tapReport(1), seconds: 1 }, true],
    ['took their time', { stdout: tapReport(1), seconds: 60 }, undefined],
  ])('%s', async (_, tests, awaits) => {
    const roadmap = '- [ ] **T-1**: Create `src/a1.js`\n'
    const { start } = createMachine({
      ...{ roadmap, answers: ['src/a1.js\n```js\nexport const one = 1\n```\n'] },
    })
    const first = (await start({ tests })).state
    expect(first.progress.awaitsTests).toBeUndefined()
    expect(Object.keys(first.tasks.results)).toEqual(['T-1'])
    const { state } = await start({
      tests,
      text: `${roadmap}- [ ] **T-2**: Create \`src/a2.js\`\n`,
    })
    expect(state.progress.awaitsTests).toBe(awaits)
  })
})

describe('the night after one in which a task lacked a package', () => {
  const roadmap = `- [ ] **T-1**: Pad a text, in \`src/pad.js\`
- [ ] **T-2**: Begin \`src/b.js\` with \`import pad from 'left-pad'\`
`
  const padded = "src/pad.js\n```js\nexport { default } from 'left-pad'\n```\n"
  const lacks = {
    exitCode: 1,
    stderr:
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from /x/src/pad.js",
  }
  const looked = { exitCode: 1 }
  const outcomes = ({ tasks: { results } }: RunState) =>
    Object.values(results).map(({ verdict }) => verdict)

  async function afterOneNight() {
    const machine = createMachine({ roadmap, answers: [padded, padded, padded] })
    const { state } = await machine.start({ changed: lacks, look: looked })
    expect(outcomes(state)).toEqual(['skipped', 'skipped'])
    expect(state).toMatchObject({
      progress: { limits: [] },
      tasks: { results: { 'T-2': { attempts: 0 } } },
    })
    const paid = machine.model.requests.length
    return { ...machine, asked: () => machine.model.requests.length - paid }
  }

  it('asks no model while that is so, says it again, and tries both when it is there', async () => {
    const { start, asked } = await afterOneNight()
    for (const _ of [1, 2]) {
      const { state } = await start({ changed: lacks, look: looked })
      expect(outcomes(state)).toEqual(['skipped', 'skipped'])
      expect(state.tasks.results['T-1']?.reason).toContain('npm install left-pad')
      expect(exitCodeOf(state)).toBe(1)
      expect(asked()).toBe(0)
    }
    const { state } = await start({})
    expect(asked()).toBeGreaterThan(1)
    expect(state.tasks.lacked).toEqual({})
  })

  it.each<[string, object]>([
    ['its text is another one', { text: roadmap.replace('Pad a text', 'Pad a text by hand') }],
    ['somebody asks for it by its id', { only: ['T-1'] }],
  ])('tries a task again where %s', async (_, more) => {
    const { start, asked } = await afterOneNight()
    await start({ changed: lacks, look: looked, ...more })
    expect(asked()).toBeGreaterThan(0)
  })

  it('remembers it where the night between was about another task', async () => {
    const { start, asked } = await afterOneNight()
    await start({ changed: lacks, look: looked, only: ['T-2'] })
    const between = asked()
    const { state } = await start({ changed: lacks, look: looked })
    expect(state.tasks.results['T-1']?.verdict).toBe('skipped')
    expect(asked()).toBe(between)
  })
})
