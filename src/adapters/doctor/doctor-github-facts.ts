import { label } from '../../core/domain/identity.ts'
import { actionsLogin, type GitHubRepository } from '../octokit/client.ts'
import { describe, hasStatus, isRequestFailure } from '../octokit/failure.ts'
import type { GitHubCheck } from '../octokit/github-check.ts'

/** What of GitHub's behaviour a maintainer should know before the first night. */
export async function checkFacts(
  repository: GitHubRepository,
  login: string,
): Promise<readonly GitHubCheck[]> {
  return [checkTokenKind(login), await checkReviews(repository), await checkLabel(repository)]
}

/** What a workflow's own token pushes, opens or merges starts no workflow. */
function checkTokenKind(login: string): GitHubCheck {
  const name = 'token kind'
  if (login === actionsLogin) {
    return {
      name,
      status: 'warn',
      detail:
        "A workflow's own token: what it pushes, opens or merges starts no workflow, so your CI may wait for a click.",
      next: 'Pass the token of a GitHub App, or a fine-grained personal one, as github-token.',
    }
  }
  const detail = login.endsWith('[bot]')
    ? 'An App: its pull requests start your workflows.'
    : `A person's: pull requests start your workflows, and ${login} cannot approve them.`
  return { name, status: 'ok', detail, next: '' }
}

const reviewRule = `query reviews($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) {
    defaultBranchRef { name refUpdateRule { requiredApprovingReviewCount } }
  }
}`

interface ReviewRule {
  readonly repository: {
    readonly defaultBranchRef: {
      readonly name: string
      readonly refUpdateRule: { readonly requiredApprovingReviewCount: number | null } | null
    } | null
  }
}

async function checkReviews({ ask, target }: GitHubRepository): Promise<GitHubCheck> {
  const name = 'reviews'
  try {
    const { repository } = await ask<ReviewRule>(reviewRule, target)
    const { defaultBranchRef: branch } = repository
    const count = branch?.refUpdateRule?.requiredApprovingReviewCount ?? 0
    if (count > 0) {
      const detail = `${branch?.name} asks for ${count} approving review(s): /approve merges when they are there.`
      return { name, status: 'ok', detail, next: '' }
    }
    return {
      name,
      status: 'warn',
      detail: `${branch?.name ?? 'The default branch'} asks for no review: whoever may write can merge unseen.`,
      next: 'Settings → Branches (or Rules): require a pull request with at least one approval.',
    }
  } catch (error) {
    if (!isRequestFailure(error)) throw error
    const next = 'See in Settings → Branches whether pull requests need an approval.'
    return { name, status: 'warn', detail: describe(error), next }
  }
}

/** On GitHub's pages only a label that exists can be put on an issue. */
async function checkLabel({ octokit, target }: GitHubRepository): Promise<GitHubCheck> {
  const name = 'label'
  try {
    await octokit.issues.getLabel({ ...target, name: label.issue })
    return { name, status: 'ok', detail: `${label.issue} is there: put it on an issue.`, next: '' }
  } catch (error) {
    if (!isRequestFailure(error)) throw error
    const detail = hasStatus(error, 404)
      ? `There is no label ${label.issue}: no issue can be handed over.`
      : describe(error)
    return { name, status: 'warn', detail, next: `Issues → Labels → New label: ${label.issue}` }
  }
}
