import { expect, it } from 'vitest'
import { recordEffects } from '../../../src/core/journal/record-effects.ts'
import { aState } from '../../fakes/facts.ts'
import { createMemoryStore } from '../../fakes/memory-store.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'

it('books effects to the run that is under way, and only notes those of none', async () => {
  const notes: string[] = []
  const redact = (text: string) => text.replaceAll('secret', '***')
  const inner = createMemoryStore()
  const { store, effects } = recordEffects(inner, { redact, note: (line) => notes.push(line) })
  const write = async (key: string) => {
    await effects.intend('comment', key, 'a secret')
    await effects.settle('comment', key, 'done', 'a secret')
  }
  await write('before')
  await effects.settle('comment', 'same', 'known', '')
  const state = aState({ run: { id: 'run-7' } })
  await store.save(state)
  await write('within')
  await store.save(state, [{ kind: 'ended', stopped: null }])
  await write('after')
  const detail = 'a ***'
  const about = { run: 'run-7', effect: 'comment', key: 'within', detail }
  expect((await inner.journal('run-7')).filter(({ kind }) => kind !== 'ended')).toMatchObject([
    { ...about, kind: 'intended' },
    { ...about, kind: 'effected', outcome: 'done' },
  ])
  expect(notes).toEqual(['comment before: done, a ***', 'comment after: done, a ***'])
})

it('books what was installed to the run that is under way, not what has no name', async () => {
  const inner = createMemoryStore()
  const redact = (text: string) => text.replaceAll('secret', '***')
  const { store, recordInstalls } = recordEffects(inner, { redact, note: () => {} })
  const { prepare } = recordInstalls(createScriptedSandbox(() => ({ exitCode: 1, seconds: 7.5 })))
  const unnamed = {
    ...{ command: { shell: 'true' }, folder: '/', directory: '.', env: {}, network: false },
    ...{ mounts: [], timeoutSeconds: 1, collect: [] },
  }
  const named = { ...unnamed, name: 'npm ci --token=secret' }
  await prepare(named)
  const state = aState({ run: { id: 'run-7' } })
  await store.save(state)
  expect(await prepare(named)).toMatchObject({ exitCode: 1, seconds: 7.5 })
  await prepare(unnamed)
  await store.save(state, [{ kind: 'ended', stopped: null }])
  await prepare(named)
  expect(inner.events.filter(({ kind }) => kind !== 'ended')).toMatchObject([
    { run: 'run-7', kind: 'installed', tool: 'npm ci --token=***', exitCode: 1, seconds: 7.5 },
  ])
})
