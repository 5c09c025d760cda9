import { describe, expect, it } from 'vitest'
import { openBench, tokens } from './bench.ts'

describe('git over HTTP', () => {
  it("is open to read, and to push with a writer's token alone", async () => {
    await using bench = await openBench()
    await bench.push('agent/T-1', { a: '1' })
    const address = (token: string): string =>
      `${bench.server.url.replace('://', `://x-access-token:${token}@`)}/ada/engine.git`
    const push = (url: string) => bench.tryGit('push', url, 'HEAD:refs/heads/other')

    expect(await bench.git('ls-remote', `${bench.server.url}/ada/engine`)).toContain(
      'refs/heads/agent/T-1',
    )
    expect((await push(`${bench.server.url}/ada/engine.git`)).exitCode).not.toBe(0)
    expect((await push(address('nobody'))).stderr).toMatch(/Authentication failed|could not read/)
    expect((await push(address('reader-token'))).stderr).toContain('403')
    expect((await push(address('writer-token'))).exitCode).toBe(0)
    expect(bench.server.requests.filter(({ kind }) => kind === 'git').at(-1)).toMatchObject({
      login: tokens['writer-token'].login,
      status: 200,
    })
  })

  it('refuses pushes to protected branches with GH006, and takes the others', async () => {
    await using bench = await openBench({ protectedBranches: ['main', 'release'] })
    await bench.push('agent/T-1', { a: '1' })
    const refused = await bench.tryGit('push', 'origin', 'HEAD:main')
    expect(refused.exitCode).not.toBe(0)
    expect(refused.stderr).toContain('GH006: Protected branch update failed for refs/heads/main')
    expect((await bench.tryGit('push', 'origin', 'HEAD:main-two')).exitCode).toBe(0)
    expect((await bench.tryGit('push', 'origin', 'HEAD:refs/executor/state')).exitCode).toBe(0)
    expect((await bench.tryGit('push', 'origin', 'HEAD:refs/pull/9/head')).exitCode).not.toBe(0)
  })

  it('serves a bare repository that exists already, and leaves its configuration alone', async () => {
    await using first = await openBench()
    await first.push('work', { a: '1' })
    const before = await first.git('ls-remote', 'origin')
    const { startGitHubServer } = await import('../../github/server.ts')
    const directory = new URL(await first.git('rev-parse', '--show-toplevel'), 'file:').pathname
    const second = await startGitHubServer({
      repositories: [{ owner: 'b', name: 'c', directory: `${directory}/../ada/engine.git` }],
      tokens,
      root: `${directory}/../second`,
    })
    try {
      expect(await first.git('ls-remote', `${second.url}/b/c.git`)).toBe(before)
    } finally {
      await second.close()
    }
  })
})
