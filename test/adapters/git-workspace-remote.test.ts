import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fault } from '../../packages/github-simulator/github/faults.ts'
import {
  type GitHubServer,
  startGitHubServer,
} from '../../packages/github-simulator/github/server.ts'
import type { GitWorkspaceOptions } from '../../src/adapters/git-workspace.ts'
import type { Workspace } from '../../src/core/ports/workspace.ts'
import { contractFiles, testWorkspaceContract } from '../contracts/workspace.ts'
import { type GitRepository, makeGitRepository } from './git-repository.ts'
import { benchOf, openWorkspace } from './git-workspace-bench.ts'

const tokens = {
  'writer-token': { login: 'grace', id: 2, type: 'User' },
  'reader-token': { login: 'mallory', id: 3, type: 'User', permission: 'read' },
} as const

interface Remote extends AsyncDisposable {
  readonly repository: GitRepository
  readonly server: GitHubServer
  readonly url: string
}

/** The repository, served over HTTP: what is committed in it is what others pushed. */
async function serve(
  files = contractFiles,
  protectedBranches: readonly string[] = [],
): Promise<Remote> {
  const repository = makeGitRepository(files)
  const server = await startGitHubServer({
    repositories: [
      {
        owner: 'ada',
        name: 'engine',
        directory: join(repository.path, '.git'),
        protectedBranches,
      },
    ],
    tokens,
    root: join(repository.home, '../server'),
  })
  return {
    repository,
    server,
    url: `${server.url}/ada/engine.git`,
    async [Symbol.asyncDispose]() {
      await server.close()
      repository[Symbol.dispose]()
    },
  }
}

/** As the Action has it: what `actions/checkout` left is the source, GitHub the remote. */
function openRemote(
  { repository, url }: Remote,
  changed: Partial<GitWorkspaceOptions> = {},
): Promise<Workspace> {
  const options = { source: url, remote: url, token: () => 'writer-token', ...changed }
  return openWorkspace(repository, options)
}

function shallowCheckout({ repository: { git, path } }: Remote): string {
  git('clone', '--quiet', '--depth=1', `file://${path}`, '../checkout')
  return join(path, '../checkout')
}

testWorkspaceContract(
  'the workspace on a shallow checkout of a remote',
  async (test) => {
    await using remote = await serve()
    const source = shallowCheckout(remote)
    await test(benchOf(await openRemote(remote, { source }), remote.repository))
  },
  ['reading', 'publishing', 'parking', 'merging'],
)

describe('the workspace on a remote', () => {
  const change = { action: 'create', path: 'new.ts', content: 'x\n' } as const

  it('tells what is merged, though the checkout is shallow', async () => {
    await using remote = await serve()
    const { git, commit, put } = remote.repository
    git('switch', '--quiet', '-c', 'agent/T-1')
    put('x.ts', 'x')
    const merged = commit()
    git('switch', '--quiet', 'main')
    git('merge', '--quiet', '--no-ff', '-m', 'merge', 'agent/T-1')
    const source = shallowCheckout(remote)
    const workspace = await openRemote(remote, { source })
    const { base } = await workspace.refresh()
    expect(await workspace.contains(base.sha, merged)).toBe(true)
    // Its history is whole from then on, and is not fetched again.
    const again = await openRemote(remote, { source })
    expect(await again.contains(base.sha, merged)).toBe(true)

    put('y.ts', 'y')
    const newer = commit()
    git('-C', source, 'fetch', '--quiet', '--depth=1', 'origin', 'main')
    const moved = await openRemote(remote, { source })
    expect(await moved.contains(newer, merged)).toBe(false)
    await moved.refresh()
    expect(await moved.contains(newer, merged)).toBe(true)
  })

  it('forgets branches that are gone, and follows those that moved', async () => {
    await using remote = await serve()
    const { git } = remote.repository
    git('branch', 'agent/a')
    const workspace = await openRemote(remote)
    expect((await workspace.refresh()).branches).toHaveLength(1)
    git('branch', '-D', 'agent/a')
    git('branch', 'agent/a/b')
    expect((await workspace.refresh()).branches).toMatchObject([{ name: 'agent/a/b' }])
    git('branch', '-D', 'agent/a/b')
    git('branch', 'agent')
    await expect(workspace.refresh()).rejects.toMatchObject({ code: 'branch_refused' })
  })

  const address = '/{owner}/{repo}.git/git-receive-pack'
  const drop = (when: 'before' | 'after'): Fault => ({
    method: 'POST',
    path: address,
    // Each of our three tries, git itself tries once more where nothing was answered.
    times: when === 'before' ? 9 : 1,
    effect: { kind: 'drop', when },
  })

  it.each<[string, string, string, Fault | null, object]>([
    ['a protected branch', 'agent/protected', 'writer-token', null, { code: 'branch_protected' }],
    ['a token that may only read', 'agent/T-1', 'reader-token', null, { code: 'forge_denied' }],
    ['a token of nobody', 'agent/T-1', 'expired', null, { code: 'forge_denied' }],
    ['a lost push', 'agent/T-1', 'writer-token', drop('before'), { code: 'forge_unreachable' }],
    ['a lost answer', 'agent/T-1', 'writer-token', drop('after'), { status: 'published' }],
  ])('publishes with %s', async (_, branch, token, fault, expected) => {
    await using remote = await serve(contractFiles, ['main', 'agent/protected'])
    const workspace = await openRemote(remote, { token: () => current })
    let current = 'writer-token'
    const { base } = await workspace.refresh()
    const sha = await workspace.commit({ parents: [base.sha], changes: [change], message: 'm' })
    if (fault) remote.server.faults.add(fault)
    current = token
    const result = await workspace.publish(branch, sha, null)
    expect(result).toMatchObject(expected)
    const there = remote.repository.git('for-each-ref', `refs/heads/${branch}`)
    expect(there !== '').toBe(result.status === 'published')
  })

  it('says that nobody answers', async () => {
    await using remote = await serve()
    const workspace = await openRemote(remote)
    const { base } = await workspace.refresh()
    await remote.server.close()
    expect(await workspace.publish('agent/T-1', base.sha, null)).toMatchObject({
      status: 'refused',
      code: 'forge_unreachable',
    })
    await expect(workspace.refresh()).rejects.toMatchObject({ code: 'git_failed' })
  })

  it('says that the remote has no commit, or no such branch', async () => {
    await using remote = await serve({})
    await expect((await openRemote(remote)).refresh()).rejects.toMatchObject({ code: 'no_commits' })
    const named = await openRemote(remote, { base: 'none' })
    await expect(named.refresh()).rejects.toMatchObject({ code: 'bad_usage' })
  })
})

describe('the token', () => {
  const path = process.env.PATH
  let remote: Remote
  let log: string

  beforeAll(async () => {
    remote = await serve()
    log = join(remote.repository.home, '../arguments')
    const bin = join(remote.repository.path, '../bin')
    remote.repository.git('init', '--quiet', bin)
    const wrapper = `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nPATH='${path}' exec git "$@"\n`
    writeFileSync(join(bin, 'git'), wrapper, { mode: 0o755 })
    process.env.PATH = `${bin}:${path}`
  })

  afterAll(async () => {
    process.env.PATH = path
    await remote[Symbol.asyncDispose]()
  })

  it('is in no argument and in no file, and every request carries it', async () => {
    const workspace = await openRemote(remote, { source: shallowCheckout(remote) })
    const { base } = await workspace.refresh()
    const changes = [{ action: 'create', path: 'new.ts', content: 'x\n' }] as const
    const sha = await workspace.commit({ parents: [base.sha], changes, message: 'm' })
    expect(await workspace.publish('agent/T-1', sha, null)).toEqual({ status: 'published' })
    const { home } = remote.repository
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
      .map((name) => join(home, name))
      .filter((name) => statSync(name).isFile())
    const basic = Buffer.from('x-access-token:writer-token').toString('base64')
    const said = [log, ...files].map((name) => readFileSync(name, 'latin1')).join('\n')
    expect(said).toContain('push --porcelain')
    expect(said).not.toContain('writer-token')
    expect(said).not.toContain(basic)
    const requests = remote.server.requests.filter(({ kind }) => kind === 'git')
    expect(requests.length).toBeGreaterThan(3)
    expect(new Set(requests.map(({ login }) => login))).toEqual(new Set(['grace']))
  })
})
