import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Octokit } from '@octokit/rest'
import { execa } from 'execa'
import {
  type GitHubServer,
  type GitHubServerOptions,
  startGitHubServer,
} from '../../github/server.ts'
import type { RepositoryOptions } from '../../github/store.ts'

export const tokens = {
  'owner-token': { login: 'ada', id: 1, type: 'User' },
  'writer-token': { login: 'grace', id: 2, type: 'User' },
  'reader-token': { login: 'mallory', id: 3, type: 'User', permission: 'read' },
  'maintainer-token': { login: 'margaret', id: 4, type: 'User', permission: 'maintain' },
  'triager-token': { login: 'tim', id: 5, type: 'User', permission: 'triage' },
  'outsider-token': { login: 'oscar', id: 6, type: 'User', permission: 'none' },
  'bot-token': { login: 'helper[bot]', id: 7, type: 'Bot', permission: 'write' },
  /** What an app of others does in the name of `grace`. */
  'writer-by-app-token': { login: 'grace', id: 2, type: 'User', viaApp: 'other' },
  'actions-token': { login: 'github-actions[bot]', id: 41898282, type: 'Bot' },
} as const

export type Token = keyof typeof tokens

export interface Bench extends AsyncDisposable {
  readonly server: GitHubServer
  /** A client of `ada/engine`, with a token or without one. */
  octokit(token?: Token): Octokit
  /** git in a clone of `ada/engine`, as `ada`. */
  git(...args: readonly string[]): Promise<string>
  /** Commits one file on a branch and pushes it; answers the commit. */
  push(branch: string, files: Readonly<Record<string, string>>, from?: string): Promise<string>
  /** Like `git`, but a failure is answered, not thrown. */
  tryGit(
    ...args: readonly string[]
  ): Promise<{ readonly exitCode: number; readonly stderr: string }>
}

export const target = { owner: 'ada', repo: 'engine' } as const

/** Who commits; and no process to tidy up afterwards. */
const settings = ['user.name=Ada', 'user.email=ada@example.org', 'maintenance.auto=false'].flatMap(
  (setting) => ['-c', setting],
)

/** A running server with one repository, and a clone of it. */
export async function openBench(
  repository: Partial<RepositoryOptions> = {},
  more: Partial<GitHubServerOptions> = {},
): Promise<Bench> {
  const root = await mkdtemp(join(tmpdir(), 'github-'))
  const server = await startGitHubServer({
    repositories: [
      {
        owner: 'ada',
        name: 'engine',
        seed: { files: { 'README.md': '# Engine\n', 'src/app.ts': 'export const one = 1\n' } },
        ...repository,
      },
    ],
    tokens,
    root,
    ...more,
  })
  const clone = join(root, 'clone')
  const run = (args: readonly string[], cwd = clone) =>
    execa('git', [...settings, ...args], {
      cwd,
      env: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' },
      reject: false,
    })
  const git = async (...args: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await run(args)
    if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const address = new URL(`${server.url}/ada/engine.git`)
  address.username = 'x-access-token'
  address.password = 'owner-token'
  // From its folder, which takes fewer processes than over HTTP; from then on, over HTTP.
  const bare = repository.directory ?? join(root, 'ada', 'engine.git')
  await run(['clone', '--quiet', '--template=', bare, clone], root)
  const config = join(clone, '.git/config')
  await writeFile(
    config,
    (await readFile(config, 'utf8')).replace(bare, () => address.href),
  )

  return {
    server,
    git,
    octokit: (token) =>
      new Octokit({
        baseUrl: server.apiUrl,
        log: { debug() {}, info() {}, warn() {}, error() {} },
        ...(token === undefined ? {} : { auth: token }),
      }),
    async tryGit(...args) {
      const { exitCode = 1, stderr } = await run(args)
      return { exitCode, stderr }
    },
    async push(branch, files, from = 'origin/main') {
      await git('switch', '--quiet', '-C', branch, '--no-track', from)
      for (const [path, text] of Object.entries(files)) await writeFile(join(clone, path), text)
      await git('add', '--all')
      await git('commit', '--quiet', '--allow-empty', '-m', `Change ${branch}`)
      await git('push', '--quiet', 'origin', branch)
      return (await readFile(join(clone, '.git/refs/heads', branch), 'utf8')).trim()
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** A clock that stands still, and moves a second with every `tick`. */
export function createClock(): { readonly now: () => Date; tick(): void } {
  let time = Date.parse('2026-01-02T03:04:05Z')
  return {
    now: () => new Date(time),
    tick: () => {
      time += 1000
    },
  }
}

/** The status and message of a refused request. */
export async function refusal(request: Promise<unknown>): Promise<string> {
  try {
    await request
  } catch (error) {
    if (error instanceof Error && 'status' in error) return `${error.status} ${error.message}`
    throw error
  }
  return 'accepted'
}
