import { expect, it } from 'vitest'
import { ExecutorError } from '../../../src/core/domain/errors.ts'
import type { Model } from '../../../src/core/ports/model.ts'
import { awaitSetUp } from '../../../src/recovery/step/await-set-up.ts'
import { aState, fakePorts } from '../../fakes/facts.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'

const files = {
  'ROADMAP.md': '- [ ] T-1 Count\n',
  'package.json': '{ "scripts": { "test": "node --test" }, "dependencies": { "a": "1.0.0" } }',
  'package-lock.json': '{ "lockfileVersion": 3, "packages": {} }',
}

/** A project whose installation ends when told, whose tests may never end, and a model. */
async function setUp(
  tryKey: NonNullable<Model['tryKey']>,
  { awaitsTests = false, neverEnds = false } = {},
) {
  const workspace = createMemoryWorkspace({ files })
  const { base } = await workspace.refresh()
  const installed = Promise.withResolvers<void>()
  const scripted = createScriptedSandbox()
  const asked: string[] = []
  const ports = fakePorts({
    workspace,
    sandbox: {
      ...scripted,
      async prepare(request) {
        await installed.promise
        return scripted.prepare(request)
      },
      run: (request) => (neverEnds ? new Promise(() => {}) : scripted.run(request)),
    },
    model: {
      complete: () => Promise.reject(new Error('It is not asked.')),
      tryKey() {
        asked.push('tried')
        return tryKey()
      },
    },
  })
  const start = { sha: base.sha, task: { verify: null, accept: [] } }
  const ended = awaitSetUp(
    aState(awaitsTests ? { progress: { awaitsTests } } : {}),
    ...([start, ports, ports.model.tryKey] as const),
  )
  return { ended, installed, asked }
}

it('ends as soon as the endpoint refuses the key, before the installation does', async () => {
  const { ended, installed } = await setUp(async () => {
    throw new ExecutorError('model_rejected', 'answered 401')
  })
  await expect(ended).rejects.toMatchObject({ code: 'model_rejected' })
  installed.resolve()
})

it('waits for the installation where the key is taken', async () => {
  const { ended, installed, asked } = await setUp(async () => {})
  installed.resolve()
  expect(await ended).toBeNull()
  expect(asked.length).toBeLessThanOrEqual(1)
})

it('ends as soon as the endpoint refuses the key, before awaited tests do', async () => {
  const refused = async () => {
    throw new ExecutorError('model_rejected', 'answered 401')
  }
  const { ended, installed } = await setUp(refused, { awaitsTests: true, neverEnds: true })
  installed.resolve()
  await expect(ended).rejects.toMatchObject({ code: 'model_rejected' })
})
