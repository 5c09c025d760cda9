import { expect, it, test } from 'vitest'
import { runGit } from '../../../src/adapters/git-workspace/git.ts'
import { performEffect } from '../../../src/core/perform-effect.ts'
import { createEffectLog } from '../../fakes/effect-log.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

const commands = [
  ['push', 'nowhere'],
  ['send-pack', 'nowhere'],
  ['update-ref', 'a'],
]

test.for(commands)('git %s is run by nobody but an effect', async (args) => {
  expect(() => runGit(args, {})).toThrow(`git ${args[0]} is a write outside an effect.`)
  const means = { log: createEffectLog(), clock: createFakeClock(), judge: () => null }
  const run = await performEffect(
    {
      ...{ kind: 'branch', key: 'refs/heads/x', detail: '', snapshot: 0, readDelays: [] },
      read: async () => 0,
      alreadyApplied: () => null,
      apply: () => runGit(args, { directory: '/' }),
    },
    means,
  )
  expect(run.code).not.toBe(0)
})

it('is not in the way of who reads', async () => {
  expect((await runGit(['version'], {})).code).toBe(0)
})
