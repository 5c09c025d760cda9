import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { RunState } from '../../../src/domain/run-state.ts'
import { observeSession } from '../../../src/entry/observe/observe-session.ts'
import { redactOutgoing } from '../../../src/entry/redact-outgoing.ts'
import { runGraph } from '../../../src/graph/run-graph.ts'
import type { NodeTable } from '../../../src/graph/step.ts'
import type { Ports } from '../../../src/ports.ts'
import { createRedactor } from '../../../src/safety/redact.ts'
import { anAttempt, aState, fakePorts, usageOf } from '../../fakes/facts.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../../fakes/silent-person.ts'
import { allSpellings, canary, findCanaries, longCanary } from '../canary.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'observe-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const secrets = [canary, longCanary]

const request = {
  ...{ folder: '/f', directory: '.', env: {}, network: false, mounts: [], timeoutSeconds: 1 },
  collect: [],
}

/** Nodes that call what is outside, and say what a secret is wherever they can. */
const nodes: NodeTable = {
  begin: async () => ({ outcome: 'picked', patch: { attempt: anAttempt() } }),
  execute_task: async (state, { model, forge }) => {
    const { usage } = await model.complete({
      purpose: 'draft',
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'TEXT-OF-A-PROMPT' }],
      maxOutputTokens: 100,
      json: false,
    })
    await forge.upsertComment(7, '<!-- m -->', `TEXT-OF-A-COMMENT ${allSpellings}`)
    return { outcome: allSpellings, patch: { usage, roadmap: `${state.roadmap} ${canary}` } }
  },
  verify_task: async (_state, { sandbox, workspace }) => {
    await sandbox.run({ ...request, command: { shell: 'TEXT-OF-A-COMMAND' } })
    await workspace.publish('agent/T-1', 'a', null)
    return { outcome: 'passed' }
  },
}

const edges = {
  begin: { picked: 'execute_task' },
  execute_task: { [allSpellings]: 'verify_task' },
  verify_task: { passed: 'END' },
}

const openPorts = (): Ports => ({
  ...fakePorts({}),
  model: {
    complete: async () => ({
      ...{ status: 'answered', text: 'TEXT-OF-AN-ANSWER', finish: 'stop' },
      usage: usageOf(10),
    }),
  },
  forge: {
    ...createMemoryForge(),
    upsertComment: async () => ({ status: 'refused', code: 'forge_denied', detail: canary }),
  },
  workspace: createMemoryWorkspace({ files: {}, refuse: () => ({ status: 'published' }) }),
  sandbox: createScriptedSandbox(() => ({ exitCode: 1, stdout: 'TEXT-OF-OUTPUT' })),
  person: createSilentPerson(),
})

const line = z.looseObject({ level: z.string(), time: z.iso.datetime(), message: z.string() })

async function run(): Promise<readonly z.infer<typeof line>[]> {
  const ports = { ...openPorts() }
  const settings = { ...ports.settings, logLevel: 'debug' } as const
  const redact = createRedactor(secrets)
  const session = observeSession({ ...ports, settings }, { directory, redact })
  const start: RunState = aState({ next: 'begin' })
  const { signal } = new AbortController()
  session.observer.noticed?.(`noticed ${allSpellings}`)
  session.note(`noted ${allSpellings}`)
  await runGraph(start, nodes, edges, redactOutgoing(session.ports, secrets), {
    signal,
    observer: session.observer,
  })
  await session.close()
  const text = await readFile(join(directory, 'log.jsonl'), 'utf8')
  expect(findCanaries(text)).toEqual([])
  expect(text).not.toContain('TEXT-OF-')
  return text
    .trim()
    .split('\n')
    .map((one) => line.parse(JSON.parse(one)))
}

describe('the log of a run', () => {
  it('has each step, with the run, the task and what it took', async () => {
    const steps = (await run()).filter(({ message }) => message === 'step')
    expect(steps).toMatchObject([
      { level: 'info', run: 'run-1', task: 'T-1', attempt: 1, node: 'begin', outcome: 'picked' },
      { run: 'run-1', task: 'T-1', node: 'execute_task', tokens: 10, seconds: expect.any(Number) },
      { run: 'run-1', task: 'T-1', node: 'verify_task', outcome: 'passed' },
    ])
  })

  it('has each call to the outside, by names and figures alone', async () => {
    const calls = (await run()).filter(({ kind }) => kind !== undefined)
    const place = { run: 'run-1', task: 'T-1', attempt: 1, seconds: expect.any(Number) }
    expect(calls).toMatchObject([
      {
        ...place,
        ...{ level: 'debug', message: 'chat gpt-5', node: 'execute_task', kind: 'model' },
        'gen_ai.usage.input_tokens': expect.any(Number),
        'executor.purpose': 'draft',
      },
      { ...place, level: 'warn', message: 'forge upsert_comment', error: 'forge_denied' },
      { ...place, message: 'execute_tool run_command', 'process.exit.code': 1 },
      { ...place, message: 'git publish', node: 'verify_task', 'executor.status': 'published' },
    ])
  })

  it('is not begun where nothing may be written', async () => {
    const session = observeSession(openPorts(), { directory: null, redact: (text) => text })
    session.observer.noticed?.('noticed')
    await session.close()
    await expect(readFile(join(directory, 'log.jsonl'))).rejects.toThrow('ENOENT')
  })
})
