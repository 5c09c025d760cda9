import type { GitHubRepository } from './client.ts'
import { orNull } from './failure.ts'
import { sameName } from './pull.ts'

const query = `query lastPush($owner: String!, $repo: String!, $base: String!) {
  repository(owner: $owner, name: $repo) {
    ref(qualifiedName: $base) { branchProtectionRule { requireLastPushApproval } }
  }
}`

interface Found {
  readonly repository: {
    readonly ref: {
      readonly branchProtectionRule: { readonly requireLastPushApproval: boolean } | null
    } | null
  }
}

/**
 * Why an approval of this person does not count; `null` where it does, as far as we may see. GitHub asks
 * this of its own reviews alone, and not of us where we may pass by its rules.
 */
export async function whyNotByPusher(
  repository: GitHubRepository,
  pullRequest: number,
  sha: string,
  approver: string,
): Promise<string | null> {
  const { octokit, target } = repository
  const found = await orNull(octokit.pulls.get({ ...target, pull_number: pullRequest }), 404)
  if (found === null) return null
  const { base, head } = found.data
  if (!(await wantsAnother(repository, base.ref))) return null
  const asked = { ...target, ref: `refs/heads/${head.ref}`, per_page: 100 }
  const pushes = await orNull(octokit.repos.listActivities(asked), 403, 404)
  const pusher = pushes?.data.find(({ after }) => after === sha)?.actor?.login
  return pusher !== undefined && sameName(pusher, approver)
    ? `${base.ref} wants the last push approved by somebody else than ${approver}, who made it.`
    : null
}

async function wantsAnother(
  { octokit, target, ask }: GitHubRepository,
  branch: string,
): Promise<boolean> {
  const rules = await orNull(octokit.repos.getBranchRules({ ...target, branch }), 403, 404)
  const isRule = rules?.data.some(
    (rule) => rule.type === 'pull_request' && rule.parameters?.require_last_push_approval === true,
  )
  if (isRule === true) return true
  const base = `refs/heads/${branch}`
  const found = await orNull(ask<Found>(query, { ...target, base }), 403, 404)
  return found?.repository.ref?.branchProtectionRule?.requireLastPushApproval === true
}
