import { join } from 'node:path'
import { inTemporaryFolder } from '../../../packages/files/files.ts'
import { readHistory } from '../../adapters/durable-store/shared-log.ts'
import { openSharedState } from '../../adapters/durable-store/shared-state.ts'
import { createFileStore } from '../../adapters/file-store.ts'
import { createSystemClock, createSystemRandom } from '../../adapters/system.ts'
import { excludeFromGit, originOf, type UsersRepository } from '../../adapters/user-checkout.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Terminal } from './terminal.ts'

/** @throws ExecutorError `bad_usage` without a remote on GitHub, `no_github_token` */
export function findGitHub(remote: string | null, environment: Environment) {
  const place = readRemote(remote, environment)
  if (place === null) {
    throw new ExecutorError('bad_usage', 'There is no remote origin on a GitHub here.')
  }
  const token = tokenFor(place, environment)
  if (token !== null) return { ...place, token }
  if (!environment.GITHUB_TOKEN && !environment.GH_TOKEN) throw new ExecutorError('no_github_token')
  const hint = `GITHUB_SERVER_URL=${place.serverUrl} says that the token is for that server.`
  throw new ExecutorError('bad_usage', `The token is for github.com, not for the origin. ${hint}`)
}

/**
 * The token of the environment, where it belongs: on github.com, or on the server that the environment names. Any
 * other address may be GitLab or a stranger's, and must not learn it.
 */
export function tokenFor(
  { serverUrl }: NonNullable<ReturnType<typeof readRemote>>,
  { GITHUB_SERVER_URL, GITHUB_API_URL, GITHUB_TOKEN, GH_TOKEN }: Environment,
): string | null {
  const api = URL.parse(GITHUB_API_URL ?? '')
  const isApi = api !== null && api.host === URL.parse(serverUrl)?.host
  const isNamed = Boolean(GITHUB_SERVER_URL) || isApi
  return isNamed || serverUrl === 'https://github.com' ? GITHUB_TOKEN || GH_TOKEN || null : null
}

type Environment = Readonly<Record<string, string | undefined>>

/** `null` for an address that is not a repository on a GitHub server. */
export function readRemote(remote: string | null, environment: Environment) {
  const found =
    /^(?:(https?):\/\/|(?:ssh:\/\/)?git@)([^/]+?)(?::(?!\d)|\/)([^/]+)\/(.+?)(?:\.git)?\/?$/.exec(
      remote ?? '',
    )
  const [, scheme = 'https', host, owner, repo] = found ?? []
  if (host === undefined || owner === undefined || repo === undefined) return null
  const serverUrl = environment.GITHUB_SERVER_URL ?? `${scheme}://${host}`
  const atHost = host === 'github.com' ? 'https://api.github.com' : `${serverUrl}/api/v3`
  return { owner, repo, serverUrl, apiUrl: environment.GITHUB_API_URL ?? atHost }
}

/**
 * Downloads the history of runs on GitHub into `.executor/history/`.
 *
 * @throws ExecutorError `bad_usage`, `no_github_token`, `git_failed`
 */
export async function fetchHistory(
  repository: UsersRepository,
  { environment, say }: Pick<Terminal, 'environment' | 'say'>,
): Promise<void> {
  const { owner, repo, serverUrl, token } = findGitHub(await originOf(repository), environment)
  const remote = `${serverUrl}/${owner}/${repo}.git`
  await inTemporaryFolder('history', async (home) => {
    const shared = await openSharedState(
      {
        ...{ source: remote, remote, token: () => token, home },
        ...{ identity: { name: '', email: '' }, clock: createSystemClock() },
      },
      createSystemRandom(),
    )
    const files = await readHistory(await shared.look())
    if (files.size === 0) return say('No run on GitHub has left a history yet.')
    await excludeFromGit(repository, '.executor/')
    const store = createFileStore({ directory: join(repository.root, '.executor') })
    await store.restoreHistory(files)
  })
}
