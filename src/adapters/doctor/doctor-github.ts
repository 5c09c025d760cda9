import { label } from '../../core/domain/identity.ts'
import { actionsLogin } from '../../core/ports/forge.ts'
import { type GitHubOptions, type GitHubRepository, openClient } from '../octokit/client.ts'
import { hasStatus, isRequestFailure, orNull, reasonOf } from '../octokit/failure.ts'
import { type DoctorCheck, fail, ok, warn } from './check.ts'

const permissions = 'contents: write, pull-requests: write, issues: write'

/** The token's account and the repository. */
interface Subject extends GitHubRepository {
  readonly us: string
  readonly branch: string
  /** GitHub reports permissions only for a person's token. */
  readonly granted: { readonly push: boolean } | undefined
}

interface Question {
  readonly name: string
  readonly judge: (name: string, subject: Subject) => Promise<DoctorCheck> | DoctorCheck
  /** The next step if the setting is unreadable. */
  readonly otherwise: (subject: Subject) => string
}

const allowPullRequests =
  'Settings → Actions → General → Workflow permissions → allow GitHub Actions to create pull requests.'
const makeLabel = `Issues → Labels → New label: ${label.issue}`
const nothing = () => ''

const questions: readonly Question[] = [
  {
    name: 'permissions',
    judge(name, { us, granted }) {
      if (us.endsWith('[bot]') || granted === undefined) {
        const detail = 'GitHub does not report the permissions of an App or workflow token.'
        return warn(name, detail, `Check that the workflow or the App has ${permissions}.`)
      }
      return granted.push
        ? ok(name, `${us} has write access`)
        : fail(name, `${us} has only read access.`, `Grant ${permissions}.`)
    },
    otherwise: nothing,
  },
  {
    name: 'Actions may open pull requests',
    async judge(name, { us, octokit, target }) {
      const asked = octokit.actions.getGithubActionsDefaultWorkflowPermissionsRepository(target)
      const found = await asked.catch((error: unknown) => {
        if (isRequestFailure(error)) return error
        throw error
      })
      if ('data' in found && found.data.can_approve_pull_request_reviews) return ok(name, 'allowed')
      const detail =
        'data' in found
          ? "Off, as in every new repository: a workflow's own token cannot open pull requests."
          : `Only an administrator's token can read this setting (${found.status}).`
      const isInTheWay = 'data' in found && us === actionsLogin
      return (isInTheWay ? fail : warn)(name, detail, allowPullRequests)
    },
    otherwise: nothing,
  },
  {
    name: 'default branch',
    async judge(name, { octokit, target, branch }) {
      const { data } = await octokit.repos.getBranch({ ...target, branch })
      if (data.protected) return ok(name, `${branch} is protected`)
      const detail = `${branch} is not protected: anyone with a token could push to it.`
      return warn(name, detail, `Protect ${branch}: require a pull request before merging.`)
    },
    otherwise: ({ branch }) => `Push a first commit to ${branch}.`,
  },
  {
    /** Pushes, pull requests and merges by a workflow's own token start no workflow. */
    name: 'token kind',
    judge(name, { us }) {
      if (us === actionsLogin) {
        const detail =
          "A workflow's own token: its pushes, pull requests and merges start no workflow, so your CI may wait for a click."
        const next =
          'Pass the token of a GitHub App, or a fine-grained personal access token, as github-token.'
        return warn(name, detail, next)
      }
      const detail = us.endsWith('[bot]')
        ? "An App's token: its pull requests start your workflows."
        : `A person's token: pull requests start your workflows, and ${us} cannot approve them.`
      return ok(name, detail)
    },
    otherwise: nothing,
  },
  {
    name: 'reviews',
    async judge(name, { ask, target }) {
      const branch = (await ask<ReviewRule>(reviewRule, target)).repository.defaultBranchRef
      const count = branch?.refUpdateRule?.requiredApprovingReviewCount ?? 0
      if (count > 0) {
        const detail = `${branch?.name} requires ${count} approving review(s): /approve merges once it has them.`
        return ok(name, detail)
      }
      return warn(
        name,
        `${branch?.name ?? 'The default branch'} requires no review: anyone with write access can merge without one.`,
        'Settings → Branches (or Rules): require a pull request with at least one approval.',
      )
    },
    otherwise: () => 'Check in Settings → Branches whether pull requests need an approval.',
  },
  {
    /** GitHub's pages offer only existing labels. */
    name: 'label',
    async judge(name, { octokit, target }) {
      const found = await orNull(octokit.issues.getLabel({ ...target, name: label.issue }), 404)
      return found === null
        ? warn(name, `There is no label ${label.issue}: you cannot hand over an issue.`, makeLabel)
        : ok(name, `${label.issue} exists: put it on an issue to hand it over.`)
    },
    otherwise: () => makeLabel,
  },
]

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

/** Runs the GitHub checks of `executor doctor`. Reads only; reports unreadable settings. */
export async function checkGitHub(options: GitHubOptions): Promise<readonly DoctorCheck[]> {
  const repository = openClient(options)
  const where = `${options.owner}/${options.repo}`
  let subject: Subject
  try {
    const us = await repository.login()
    const { data } = await repository.octokit.repos.get(repository.target)
    subject = { ...repository, us, branch: data.default_branch, granted: data.permissions }
  } catch (error) {
    return [unreadable(error, where)]
  }
  const checks = [ok('token', `${subject.us} reads ${where}`)]
  for (const { name, judge, otherwise } of questions) {
    try {
      checks.push(await judge(name, subject))
    } catch (error) {
      checks.push(warn(name, reasonOf(error), otherwise(subject)))
    }
  }
  return checks
}

function unreadable(error: unknown, where: string): DoctorCheck {
  if (hasStatus(error, 401)) {
    return fail('token', 'GitHub rejects this token.', 'Create a new one.')
  }
  if (hasStatus(error, 404)) {
    const next = `Give it access to the repository, with ${permissions}.`
    return fail('token', `This token cannot read ${where}.`, next)
  }
  return fail('token', reasonOf(error), 'Check GITHUB_API_URL and the network.')
}
