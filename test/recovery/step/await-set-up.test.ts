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

/** A project whose installation ends when told, and a model. */
async function setUp(tryKey: NonNullable<Model['tryKey']>) {
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
  const ended = awaitSetUp(aState(), start, ports, ports.model.tryKey)
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
