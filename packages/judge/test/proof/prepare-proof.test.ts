import { expect, it } from 'vitest'
import { fakePorts, someSettings } from '../../../../test/fakes/facts.ts'
import { createMemoryWorkspace } from '../../../../test/fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import type { ChangeSet } from '../../../change/change-set.ts'
import type { Sandbox, SandboxRun } from '../../../sandbox/port.ts'
import { prepareProof } from '../../proof/prepare-proof.ts'

const files = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  'src/sum.js': 'exports.add = (a, b) => a + b\n',
  'test/sum.test.js': "require('../src/sum.js')\ntest('adds', () => {})\n",
}
const changes: ChangeSet = [
  {
    action: 'modify',
    path: 'src/sum.js',
    before: files['src/sum.js'],
    content: 'exports.add = 1\n',
  },
]

/** A sandbox in which each command runs until it is aborted. */
async function place(setupCommand: string | null = null, given = changes) {
  const workspace = createMemoryWorkspace({ files })
  const { base } = await workspace.refresh()
  const running: AbortSignal[] = []
  const { promise: started, resolve: starts } = Promise.withResolvers<void>()
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  const { run: answer } = createScriptedSandbox()
  const run: Sandbox['run'] = async (request): Promise<SandboxRun> => {
    const { signal } = request
    if (signal === undefined) throw new Error('Nothing ends it.')
    running.push(signal)
    starts()
    const ended = new Promise((resolve) =>
      signal.addEventListener('abort', resolve, { once: true }),
    )
    await Promise.race([ended, failed])
    return answer(request)
  }
  const settings = someSettings()
  const ports = fakePorts({
    workspace,
    sandbox: { ...createScriptedSandbox(), run },
    settings: { ...settings, verify: { ...settings.verify, setupCommand } },
  })
  const read = async (paths: readonly string[]) => workspace.readFiles(base.sha, paths)
  const tree = { changes: given, paths: Object.keys(files), read }
  const start = { sha: base.sha, task: { verify: null, accept: [] } }
  const proof = prepareProof(start, tree, ports)
  const folder = () => workspace.folder(`canary-${base.sha.slice(0, 12)}`)
  return { proof, running, started, folder, fail }
}

it('aborts its run and has removed its folder when it ends', async () => {
  const { proof, running, started, folder } = await place()
  proof.begin()
  proof.begin()
  await started
  expect(running.map(({ aborted }) => aborted)).toEqual([false])
  expect(folder()).not.toBeNull()
  await proof.end()
  expect(running.map(({ aborted }) => aborted)).toEqual([true])
  expect(folder()).toBeNull()
})

it.each<[name: string, setup: string | null, given: ChangeSet]>([
  ['a setup command would run beside the tests', 'npm ci', changes],
  ['nothing was changed', null, []],
])('does not begin early where %s', async (_, setup, given) => {
  const { proof, running, folder } = await place(setup, given)
  proof.begin()
  await proof.end()
  expect(running).toEqual([])
  expect(folder()).toBeNull()
})

it('throws its error only when it is judged, not before', async () => {
  const { proof, started, fail } = await place()
  proof.begin()
  await started
  fail(new Error('The disk is full.'))
  await new Promise((resolve) => setImmediate(resolve))
  await expect(proof.judge({ commands: [] })).rejects.toThrow('The disk is full.')
  await proof.end()
})
