import { ExecutorError } from '../../core/domain/errors.ts'

/** A repository on a GitHub, as `origin` and the environment tell. */
export interface GitHubPlace {
  readonly owner: string
  readonly repo: string
  readonly serverUrl: string
  readonly apiUrl: string
  readonly token: string
}

/** @throws ExecutorError `bad_usage` without a remote on GitHub, `no_github_token` */
export function findGitHub(
  remote: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): GitHubPlace {
  const found =
    /^(?:(https?):\/\/|(?:ssh:\/\/)?git@)([^/]+?)(?::(?!\d)|\/)([^/]+)\/(.+?)(?:\.git)?\/?$/.exec(
      remote ?? '',
    )
  const [, scheme = 'https', host, owner, repo] = found ?? []
  if (host === undefined || owner === undefined || repo === undefined) {
    throw new ExecutorError('bad_usage', 'There is no remote origin on a GitHub here.')
  }
  const token = environment.GITHUB_TOKEN || environment.GH_TOKEN
  if (!token) throw new ExecutorError('no_github_token')
  const serverUrl = environment.GITHUB_SERVER_URL ?? `${scheme}://${host}`
  const atHost = host === 'github.com' ? 'https://api.github.com' : `${serverUrl}/api/v3`
  return { owner, repo, serverUrl, apiUrl: environment.GITHUB_API_URL ?? atHost, token }
}
