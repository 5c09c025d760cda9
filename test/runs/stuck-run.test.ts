import { describe, expect, it } from 'vitest'
import type { Diagnosis } from '../../src/core/domain/diagnosis.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import type { SandboxRun } from '../../src/core/ports.ts'
import { exitCodeOf } from '../../src/runs/exit-code.ts'
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
function createMachine() {
  const model = createScriptedModel(Array.from({ length: 30 }, () => ''))
  const ports = fakePorts({
    ...{ workspace: createMemoryWorkspace({ files }), forge: createMemoryForge() },
    ...{ store: createMemoryStore(), person: createSilentPerson(), model },
    random: { hex: () => '0a0a0a', fraction: () => 0 },
    syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
  })
  const start = (ends: { tests?: Partial<SandboxRun>; install?: Partial<SandboxRun> }) => {
    const said: string[] = []
    const { signal } = new AbortController()
    const scripted = createScriptedSandbox(() => ends.tests ?? { stdout: tapReport(1) })
    const sandbox = {
      ...scripted,
      prepare: async (request: Parameters<typeof scripted.prepare>[0]) => ({
        ...(await scripted.prepare(request)),
        ...{ exitCode: 0, ...ends.install },
      }),
      dependencyCache: async () => ({ path: '/memory', ready: false }),
    }
    const observer = { noticed: (sentence: string) => said.push(sentence.trim()) }
    const request = { only: null, fresh: false, dryRun: false, signal, observer }
    const workspace = createMemoryWorkspace({ files })
    return runRoadmap({ ...ports, workspace, sandbox }, request).then((state) => ({ state, said }))
  }
  return { start, model, store: ports.store }
}

describe('a run', () => {
  it('whose set-up fails ends with exit 2, unpaid, and says why; the next one begins anew', async () => {
    const { start, model } = createMachine()
    const install = { exitCode: 1, stderr: "npm error 404  'b@1' is not in this registry." }
    const tests = { exitCode: 127, stderr: 'sh: 1: node: not found' }
    for (const _ of [1, 2]) {
      const { state, said } = await start({ install, tests })
      expect(exitCodeOf(state)).toBe(2)
      expect(state).toMatchObject({ next: 'END', results: {}, usage: { requests: 0 } })
      expect(state.errors).toMatchObject([{ code: 'not_prepared' }])
      expect(said).toContain("npm error 404  'b@1' is not in this registry.")
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
    const error = { code: 'same_cause', message: '', next: '', taskId: null }
    const stuck: RunState = { ...over, errors: [error], limits: ['same_cause'], stuck: cause }
    await store.save(stuck, [])
    const tests = { exitCode: 127, stderr: 'sh: 1: node: not found' }
    for (const _ of [1, 2]) {
      const { state } = await start({ tests })
      expect(exitCodeOf(state)).toBe(2)
      expect(state.errors).toMatchObject([{ code: 'still_so' }])
    }
    expect(model.requests).toEqual([])
    await start({})
    expect(model.requests).not.toEqual([])
  })
})
