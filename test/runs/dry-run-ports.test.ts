import { describe, expect, it } from 'vitest'
import type { Ports } from '../../src/core/ports.ts'
import { dryRunPorts } from '../../src/runs/run-ports.ts'
import { exitCodeOf } from '../../src/runs/run-results.ts'
import { runRoadmap } from '../../src/runs/run-roadmap.ts'
import { fakePorts, someSettings } from '../fakes/facts.ts'
import { createMemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryWorkspace } from '../fakes/memory-workspace.ts'
import { createSilentPerson } from '../fakes/silent-person.ts'
import { project } from '../graph/nodes/bench.ts'

const forbidden = (what: string) => async (): Promise<never> => {
  throw new Error(`A dry run must not ${what}.`)
}

/** Everything that writes, runs or spends fails the case. */
function readOnly(strategy: Ports['settings']['strategy']): Ports {
  const workspace = createMemoryWorkspace({ files: project })
  const forge = createMemoryForge()
  return fakePorts({
    settings: {
      ...someSettings(),
      strategy,
      model: {
        ...someSettings().model,
        prices: { scripted: { prompt: 1, completion: 10 } },
      },
    },
    random: { hex: () => 'abcdef', fraction: () => 0 },
    person: createSilentPerson(),
    model: { complete: forbidden('ask the model') },
    workspace: {
      ...workspace,
      checkOut: forbidden('check out'),
      write: forbidden('write'),
      commit: forbidden('commit'),
      publish: forbidden('publish'),
      discard: forbidden('discard'),
    },
    forge: {
      ...forge,
      upsertPullRequest: forbidden('open a pull request'),
      upsertComment: forbidden('comment'),
      upsertReviewComment: forbidden('comment'),
      merge: forbidden('merge'),
      close: forbidden('close'),
      retarget: forbidden('retarget'),
      label: forbidden('label'),
      upsertIssue: forbidden('open an issue'),
    },
    sandbox: {
      ability: forbidden('probe'),
      installNetwork: forbidden('probe'),
      run: forbidden('run'),
      runReaching: forbidden('run'),
      prepare: forbidden('install'),
      has: forbidden('look for programs'),
      dependencyCache: forbidden('make a cache'),
      completeCache: forbidden('make a cache'),
      installed: forbidden('look for packages'),
    },
    store: {
      load: forbidden('read the state'),
      save: forbidden('save'),
      record: forbidden('record'),
      journal: async () => [],
      runs: async () => [],
      answer: forbidden('look for an answer'),
      writeReport: forbidden('write a report'),
      recordSpending: forbidden('book'),
      spendingOn: async () => ({ tokens: 0, dollars: 0, unreadable: null }),
      pastTasks: async () => [],
    },
  })
}

describe('a dry run', () => {
  it.each(['two_phase', 'single', 'tools'] as const)(
    'writes nothing anywhere, and says what it would cost (strategy: %s)',
    async (strategy) => {
      const end = await runRoadmap(dryRunPorts(readOnly(strategy)), {
        only: null,
        fresh: false,
        dryRun: true,
        signal: new AbortController().signal,
      })
      expect(end).toMatchObject({
        progress: { next: 'END' },
        run: { dryRun: true },
        record: { errors: [] },
      })
      expect(end.tasks.results['T-1']).toMatchObject({
        reason: 'A dry run does not ask the model.',
      })
      // T-2 needs T-1, which a real run would have done by now.
      expect(end.tasks.results['T-2']).toMatchObject({
        reason: 'A dry run does not ask the model.',
      })
      expect(end.spent.usage.promptTokens).toBeGreaterThan(100)
      expect(end.spent.usage.dollars).toBeCloseTo(
        (end.spent.usage.promptTokens + 10 * end.spent.usage.completionTokens) / 1e6,
      )
      expect(exitCodeOf(end)).toBe(0)
    },
  )

  it('expects what earlier tasks took', async () => {
    const ports = readOnly('single')
    const past = [3, 3, 3].map((ratio) => ({ tokens: ratio, forecastTokens: 1 }))
    const learned = { ...ports, store: { ...ports.store, pastTasks: async () => past } }
    const request = {
      purpose: 'draft',
      model: 'scripted',
      messages: [{ role: 'user', content: 'x'.repeat(400) }],
      maxOutputTokens: 1000,
      json: false,
    } as const
    const guess = await dryRunPorts({ ...ports, store: ports.store }).model.complete(request)
    const reply = await dryRunPorts(learned).model.complete(request)
    expect(guess.usage).toMatchObject({ promptTokens: 104, completionTokens: 600 })
    expect(reply.usage).toMatchObject({ promptTokens: 312, completionTokens: 1800 })
  })

  it('answers for the adoption of orphans without opening anything', async () => {
    const { forge, workspace } = dryRunPorts(readOnly('two_phase'))
    const opened = await forge.upsertPullRequest({
      head: 'agent/T-1',
      base: 'main',
      title: '',
      body: '',
      labels: [],
      draft: false,
      reviewers: [],
      assignees: [],
    })
    expect(opened).toEqual({ status: 'ok', value: null })
    expect(forge.kind).toBe('github')
    const sha = 'a'.repeat(40)
    const line = { marker: '', sha, path: '', line: 1, body: '' }
    const issue = { marker: '', title: '', body: '', labels: [] }
    const done = { status: 'ok', value: null }
    expect(await forge.upsertComment(1, '', '')).toEqual(done)
    expect(await forge.upsertReviewComment(1, line)).toEqual(done)
    expect(await forge.merge(1, sha)).toMatchObject({ status: 'blocked' })
    expect(await forge.close(1)).toEqual(done)
    expect(await forge.retarget(1, 'main')).toEqual(done)
    expect(await forge.label(1, { add: ['x'] })).toEqual(done)
    expect(await forge.upsertIssue(issue)).toMatchObject({ status: 'ok' })
    expect(await workspace.publish('agent/T-1', 'x', null)).toEqual({ status: 'published' })
  })
})
