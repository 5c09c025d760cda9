import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createScriptedSandbox } from '../../../../test/fakes/scripted-sandbox.ts'
import { createProcessSandbox } from '../../../sandbox/process-sandbox.ts'
import { buildCache } from '../../prepare/prepare-dependencies.ts'
import { repositoryOf, temporaryFolder, writeProject } from '../temporary-project.ts'

const module = repositoryOf({ 'go.mod': 'module example.com/shop\n\ngo 1.18\n' })
const place = {
  folder: '/memory/tree',
  mounts: [{ from: '/memory/modules', within: null, to: '.executor-packages/go' }],
  env: { GOMODCACHE: '/memory/tree/.executor-packages/go' },
}

/** A sandbox that records its complete caches and the environments of its runs. */
function sandboxThat(exitCode: number | null = 0) {
  const complete = new Set<string>()
  const filled: Record<string, string>[] = []
  const sandbox = {
    ...createScriptedSandbox((_, { command, env }) => {
      if ('argv' in command) return { stdout: 'go version go1.26' }
      filled.push({ ...env })
      return { exitCode }
    }),
    dependencyCache: async (key: string) => ({ path: '/memory/kept', ready: complete.has(key) }),
    completeCache: async (key: string) => complete.add(key).has(key),
  }
  return { sandbox, filled }
}

describe('the build cache of Go', () => {
  it('is made once from a start commit, with its modules, and given to each run', async () => {
    const { sandbox, filled } = sandboxThat()
    const both = [true, false].map((isStart) => buildCache(module, place, isStart, { sandbox }))
    for (const built of await Promise.all(both)) {
      expect(built).toMatchObject({
        mounts: [...place.mounts, { from: '/memory/kept/packages' }],
        env: { ...place.env, EXECUTOR_BUILT: '/memory/tree/.executor-packages/go-build' },
      })
    }
    expect(filled).toEqual([{ GOMODCACHE: '/memory/kept/.executor-packages/go' }])
  })

  it('is never made from a change', async () => {
    const { sandbox, filled } = sandboxThat()
    expect(await buildCache(module, place, false, { sandbox })).toBeNull()
    expect(filled).toEqual([])
  })

  it.each([
    ['it is too large', {}, 1],
    ['it is no longer needed', { signal: AbortSignal.abort() }, null],
  ])('is not kept where %s', async (_, more, exitCode) => {
    const { sandbox } = sandboxThat(exitCode)
    expect(await buildCache(module, { ...place, ...more }, true, { sandbox })).toBeNull()
  })

  it.each([
    ['no Go is written', { 'package.json': '{}' }],
    ['only an example has a module', { 'examples/a/go.mod': 'module a\n' }],
  ])('is not asked for where %s', async (_, texts) => {
    const { sandbox } = sandboxThat()
    expect(await buildCache(repositoryOf(texts), place, true, { sandbox })).toBeNull()
    expect(sandbox.commands).toEqual([])
  })

  it('is a copy in the run, which leaves nothing in it', async () => {
    const folder = await temporaryFolder()
    const tree = await writeProject({ 'go.mod': 'module a\n' })
    const tools = join(folder, 'bin')
    await mkdir(tools)
    const script =
      '#!/bin/sh\ntest "$1" = version && echo 1 || { mkdir -p "$GOCACHE"; echo std >"$GOCACHE/made"; }\n'
    await writeFile(join(tools, 'go'), script, { mode: 0o755 })
    const sandbox = createProcessSandbox({
      ...{ mode: 'off', cacheDirectory: join(folder, 'cache'), checkout: null },
      environment: { ...process.env, PATH: `${tools}:${process.env.PATH}` },
    })
    const here = { folder: tree, mounts: [], env: {} }
    const built = await buildCache(repositoryOf({ 'go.mod': 'module a\n' }), here, true, {
      sandbox,
    })
    const shell = `${built?.first}; cat "$GOCACHE/made"; echo mine >"$GOCACHE/made"`
    const run = () =>
      sandbox.run({
        ...{ folder: tree, directory: '.', command: { shell }, network: false, collect: [] },
        ...{ mounts: built?.mounts ?? [], env: built?.env ?? {}, timeoutSeconds: 30 },
      })
    expect([(await run()).stdout, (await run()).stdout]).toEqual(['std\n', 'std\n'])
    expect(await readdir(tree)).toEqual(['go.mod'])
    const [{ from = '' } = {}] = built?.mounts ?? []
    expect(await readFile(join(from, 'made'), 'utf8')).toBe('std\n')
  })
})
