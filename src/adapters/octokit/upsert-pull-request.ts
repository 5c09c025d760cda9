import { label } from '../../domain/identity.ts'
import type { PullRequest, PullRequestDraft } from '../../ports/forge.ts'
import type { GitHubRepository } from './client.ts'
import { ForgeRefusal, hasStatus, reasonOf } from './failure.ts'
import { type GitHubPull, sameName, sameText, toPullRequest } from './pull.ts'
import { setLabels } from './set-labels.ts'
import { untilListed, writeOnce } from './write-once.ts'

/**
 * Opens the pull request of a head, or brings ours that is open up to date; writes nothing when
 * nothing differs. People are asked once, when it is opened: to ask again is to nag.
 */
export async function upsertPullRequest(
  repository: GitHubRepository,
  draft: PullRequestDraft,
): Promise<PullRequest> {
  const known = await findOurs(repository, draft)
  const { pull, isNew } =
    known === null ? await open(repository, draft) : { pull: known, isNew: false }
  const wanted = draft.draft && !pull.draft ? withoutDraft(draft) : draft
  const current = await bringUpToDate(repository, pull, wanted)
  const labels = await setLabels(repository, current, wanted.labels)
  if (isNew) await askPeople(repository, pull.number, draft)
  if (current.draft && !draft.draft) {
    repository.log(`#${current.number} is still a draft: a person has to mark it ready.`)
  }
  return toPullRequest({ ...current, labels })
}

/** Our open one with this head, with this base if there are several. */
async function findOurs(
  { octokit, target, login }: GitHubRepository,
  { head, base }: PullRequestDraft,
): Promise<GitHubPull | null> {
  const { data } = await octokit.pulls.list({
    ...target,
    state: 'open',
    head: `${target.owner}:${head}`,
    per_page: 100,
  })
  const us = await login()
  const sameHead = data.filter((pull) => pull.head.ref === head)
  const ours = sameHead.filter(({ user }) => sameName(user?.login ?? '', us))
  const best = ours.find((pull) => pull.base.ref === base) ?? ours[0]
  if (best !== undefined) return best
  const other = sameHead.find((pull) => pull.base.ref === base)
  if (other === undefined) return null
  const author = other.user?.login ?? 'somebody'
  throw new ForgeRefusal(
    'forge_denied',
    `#${other.number} from ${head} into ${base} was opened by ${author}, not by ${us}, and is left as it is`,
  )
}

async function open(
  repository: GitHubRepository,
  draft: PullRequestDraft,
): Promise<{ readonly pull: GitHubPull; readonly isNew: boolean }> {
  const { octokit, target, clock } = repository
  const { head, base, title, body } = draft
  const write = async (): Promise<GitHubPull> =>
    (await octokit.pulls.create({ ...target, head, base, title, body, draft: draft.draft })).data
  // A second try cannot make a second one: GitHub allows one open pull request of a head and base.
  const find = () => findOurs(repository, draft)
  try {
    return { pull: await writeOnce({ write, find, looks: [1, 2] }, clock), isNew: true }
  } catch (error) {
    if (!hasStatus(error, 422)) throw error
    if (draft.draft && /draft pull requests are not supported/i.test(error.message)) {
      return open(repository, withoutDraft(draft))
    }
    if (!/pull request already exists/i.test(error.message)) throw error
    return { pull: await waitUntilListed(repository, draft, error), isNew: false }
  }
}

/** GitHub says it exists, and does not list it yet. */
async function waitUntilListed(
  repository: GitHubRepository,
  draft: PullRequestDraft,
  error: Error,
): Promise<GitHubPull> {
  for (const seconds of untilListed) {
    await repository.clock.sleep(seconds)
    const found = await findOurs(repository, draft)
    if (found !== null) return found
  }
  throw new ForgeRefusal('forge_unreachable', `${error.message}, but it is not listed`)
}

/** Where the plan has no drafts, the title and a label say it. */
function withoutDraft(draft: PullRequestDraft): PullRequestDraft {
  return {
    ...draft,
    draft: false,
    title: `[do not merge] ${draft.title}`,
    labels: [...new Set([...draft.labels, label.needsHuman])],
  }
}

async function bringUpToDate(
  { octokit, target, clock }: GitHubRepository,
  pull: GitHubPull,
  { title, body, base }: PullRequestDraft,
): Promise<GitHubPull> {
  const isUpToDate = (one: GitHubPull): boolean =>
    one.title === title && sameText(one.body ?? '', body) && one.base.ref === base
  if (isUpToDate(pull)) return pull
  const one = { ...target, pull_number: pull.number }
  const change = base === pull.base.ref ? { title, body } : { title, body, base }
  return writeOnce<GitHubPull>(
    {
      write: async () => (await octokit.pulls.update({ ...one, ...change })).data,
      find: async () => {
        const { data } = await octokit.pulls.get(one)
        return isUpToDate(data) ? data : null
      },
      looks: [1],
    },
    clock,
  )
}

/** Reviewers (people, or teams as `org/team`) and assignees; a refusal is only noted. */
async function askPeople(
  { octokit, target, log, login }: GitHubRepository,
  number: number,
  { reviewers, assignees }: PullRequestDraft,
): Promise<void> {
  const us = await login()
  const people = reviewers.filter((name) => !name.includes('/') && !sameName(name, us))
  const teams = reviewers
    .filter((name) => name.includes('/'))
    .map((name) => name.split('/')[1] ?? '')
  if (people.length + teams.length > 0) {
    const request = { ...target, pull_number: number, reviewers: people, team_reviewers: teams }
    await octokit.pulls
      .requestReviewers(request)
      .catch((error: unknown) => log(`#${number} has no reviewers: ${reasonOf(error)}`))
  }
  if (assignees.length > 0) {
    const request = { ...target, issue_number: number, assignees: [...assignees] }
    await octokit.issues
      .addAssignees(request)
      .catch((error: unknown) => log(`#${number} has no assignees: ${reasonOf(error)}`))
  }
}
