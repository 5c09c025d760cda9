import {
  actionsLogin,
  type GitHubOptions,
  type GitHubRepository,
  openClient,
} from '../octokit/client.ts'
import { describe, hasStatus, isRequestFailure } from '../octokit/failure.ts'
import type { GitHubCheck } from '../octokit/github-check.ts'
import { checkFacts } from './doctor-github-facts.ts'

const permissions = 'contents: write, pull-requests: write, issues: write'

/** What `executor doctor` asks of GitHub. Reads only; what cannot be read is said to be so. */
export async function checkGitHub(options: GitHubOptions): Promise<readonly GitHubCheck[]> {
  const repository = openClient(options)
  const name = `${options.owner}/${options.repo}`
  try {
    const login = await repository.login()
    const { data } = await repository.octokit.repos.get(repository.target)
    const token: GitHubCheck = {
      name: 'token',
      status: 'ok',
      detail: `${login} reads ${name}`,
      next: '',
    }
    return [
      token,
      checkPermissions(login, data.permissions),
      await checkSetting(repository, login),
      await checkProtection(repository, data.default_branch),
      ...(await checkFacts(repository, login)),
    ]
  } catch (error) {
    return [unreadable(error, name)]
  }
}

function unreadable(error: unknown, name: string): GitHubCheck {
  const fail = (detail: string, next: string): GitHubCheck => ({
    name: 'token',
    status: 'fail',
    detail,
    next,
  })
  if (!isRequestFailure(error)) throw error
  if (hasStatus(error, 401)) return fail('GitHub does not know this token.', 'Make a new one.')
  if (hasStatus(error, 404)) {
    return fail(
      `This token does not see ${name}.`,
      `Give it access to the repository, with ${permissions}.`,
    )
  }
  return fail(describe(error), 'Check GITHUB_API_URL and the network.')
}

/** Only a person's token is told what it may do. */
function checkPermissions(
  login: string,
  granted: { readonly push: boolean } | undefined,
): GitHubCheck {
  const isBot = login.endsWith('[bot]')
  if (isBot || granted === undefined) {
    const detail = 'An App or workflow token is not told what it may do.'
    const next = `See that the workflow or the App has ${permissions}.`
    return { name: 'permissions', status: 'warn', detail, next }
  }
  if (granted.push)
    return { name: 'permissions', status: 'ok', detail: `${login} may write`, next: '' }
  return {
    name: 'permissions',
    status: 'fail',
    detail: `${login} may only read.`,
    next: `Grant ${permissions}.`,
  }
}

async function checkSetting(
  { octokit, target }: GitHubRepository,
  login: string,
): Promise<GitHubCheck> {
  const name = 'Actions may open pull requests'
  const next =
    'Settings → Actions → General → Workflow permissions → allow GitHub Actions to create pull requests.'
  try {
    const { data } =
      await octokit.actions.getGithubActionsDefaultWorkflowPermissionsRepository(target)
    if (data.can_approve_pull_request_reviews)
      return { name, status: 'ok', detail: 'allowed', next: '' }
    const detail =
      "Off, as in every new repository: a workflow's own token cannot open pull requests."
    return { name, status: login === actionsLogin ? 'fail' : 'warn', detail, next }
  } catch (error) {
    if (!isRequestFailure(error)) throw error
    const detail = `Only an administrator's token can read this setting (${error.status}).`
    return { name, status: 'warn', detail, next }
  }
}

async function checkProtection(
  { octokit, target }: GitHubRepository,
  branch: string,
): Promise<GitHubCheck> {
  const name = 'default branch'
  try {
    const { data } = await octokit.repos.getBranch({ ...target, branch })
    if (data.protected) return { name, status: 'ok', detail: `${branch} is protected`, next: '' }
    const detail = `${branch} is not protected: whoever has a token could push to it.`
    return {
      name,
      status: 'warn',
      detail,
      next: `Protect ${branch}: require a pull request before merging.`,
    }
  } catch (error) {
    if (!isRequestFailure(error)) throw error
    return {
      name,
      status: 'warn',
      detail: describe(error),
      next: `Push a first commit to ${branch}.`,
    }
  }
}
