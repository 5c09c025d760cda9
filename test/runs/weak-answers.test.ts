import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SandboxRequest } from '../../packages/sandbox/port.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import { noUsage } from '../../src/core/domain/usage.ts'
import type { ModelRequest } from '../../src/core/ports/model.ts'
import type { Ports } from '../../src/core/ports.ts'
import { digestRequest } from '../../src/model/ask/record-call.ts'
import { runRoadmap } from '../../src/runs/run-roadmap.ts'
import { fakePorts, someSettings } from '../fakes/facts.ts'
import { createMemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryStore } from '../fakes/memory-store.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'
import { createScriptedSandbox, tapReport } from '../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../fakes/silent-person.ts'
import { runs } from '../property-runs.ts'

const files = {
  'ROADMAP.md': '- [ ] **T-1**: Greet by name\n  - **Files**: `src/greet.js`\n',
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/greet.js': "export const greet = () => 'hello'\n",
  'test/greet.test.js': "import test from 'node:test'\n",
}

const whole = (text: string) => `src/greet.js\n\`\`\`js\nexport const greet = ${text}\n\`\`\`\n`
const refusal = "I'm sorry, I cannot help with that."
const nothing = 'NOTHING_TO_DO'
const noEdit =
  'src/greet.js\n```js\n<<<<<<< SEARCH\nno such line\n=======\nx\n>>>>>>> REPLACE\n```\n'

const requestsForCode: readonly ModelRequest['purpose'][] = ['draft', 'repair_code', 'repair_test']

interface Limits {
  readonly testRepairs: number
  readonly validationRepairs: number
  readonly samples: number
}

const usual: Limits = { testRepairs: 2, validationRepairs: 2, samples: 2 }

/** One task whose test stays red, one attempt, and the answer to each request for code. */
async function attempt(answer: (call: number) => string, limits: Limits) {
  const asked: ModelRequest[] = []
  const failing = { name: 'greets', file: 'test/greet.test.js', line: 3, error: 'expected a name' }
  const report = tapReport(1, [failing])
  const settings: Ports['settings'] = {
    ...someSettings(limits),
    ...{ samples: limits.samples, recovery: false, strategy: 'single', reflectAfter: 0 },
  }
  const { signal } = new AbortController()
  const ports = fakePorts({
    ...{ settings, workspace: createMemoryWorkspace({ files }), forge: createMemoryForge() },
    ...{ store: createMemoryStore(), person: createSilentPerson() },
    sandbox: createScriptedSandbox((_: string, __: SandboxRequest) => ({
      ...{ exitCode: 1, collected: new Map([['.executor-results-1.report', report]]) },
    })),
    syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
    model: {
      async complete(request) {
        const isForCode = requestsForCode.includes(request.purpose)
        const text = isForCode ? answer(asked.length) : '{"reason": "x", "explanation": "x"}'
        if (isForCode) asked.push(request)
        return { status: 'answered', text, finish: 'stop', usage: { ...noUsage, requests: 1 } }
      },
    },
  })
  const state: RunState = await runRoadmap(ports, {
    ...{ only: null, fresh: false, dryRun: false, signal },
  })
  return { asked, state }
}

const digests = (asked: readonly ModelRequest[]): readonly string[] =>
  asked.map(({ model, messages, sample = 0 }) => digestRequest(model, messages, sample))

/** docs/recovery.md says so. */
const most = ({ testRepairs, validationRepairs, samples }: Limits) =>
  samples > testRepairs
    ? samples + Math.max(validationRepairs, 1)
    : 1 + testRepairs + validationRepairs

describe('a model that always gives', () => {
  it.each<[string, string, number]>([
    ['an answer without code', refusal, most(usual)],
    ['an edit that fits nowhere', noEdit, most(usual)],
    ['an empty answer', '', most(usual)],
    ['the same wrong code', whole('() => 1'), most(usual)],
    ['the code as it was', whole("() => 'hello'"), most(usual)],
    ['"nothing to do" before red tests', nothing, 2],
  ])('%s is asked differently each time, and not for long', async (_, text, limit) => {
    const { asked, state } = await attempt(() => text, usual)
    expect(new Set(digests(asked)).size).toBe(asked.length)
    expect(asked.length).toBeGreaterThan(1)
    expect(asked.length).toBeLessThanOrEqual(limit)
    expect(state.tasks.results['T-1']?.verdict).toBe('failed')
  })
})

it('asks differently each time, and as often as the limits allow, whatever the answers', async () => {
  const texts = [refusal, nothing, noEdit, '', whole('() => 1'), whole('() => 2'), whole('x => x')]
  const few = fc.nat(3)
  const limitsOf = fc.record({ testRepairs: few, validationRepairs: few, samples: few })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 8 }),
      limitsOf,
      async (answers, limits) => {
        const { asked } = await attempt((call) => answers[call % answers.length] ?? '', limits)
        expect(new Set(digests(asked)).size).toBe(asked.length)
        expect(asked.length).toBeLessThanOrEqual(most(limits))
      },
    ),
    { numRuns: runs(30) },
  )
}, 60_000)
