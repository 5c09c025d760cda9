import type { Octokit } from '@octokit/rest'
import { label } from '../../core/domain/identity.ts'
import { untilListed } from '../../core/perform-effect.ts'
import type { PullRequest, PullRequestDraft } from '../../core/ports/forge.ts'
import type { GitHubRepository } from './client.ts'
import { ForgeRefusedError, hasStatus, reasonOf, saysItExists } from './failure.ts'
import {
  type GitHubPull,
  listOpenWith,
  sameName,
  sameText,
  setLabels,
  toPullRequest,
  without,
} from './pull.ts'

/**
 * Opens the pull request of a head, or updates our open one unless `keepsOpen`; writes nothing without a difference.
 * Requests reviews only when it opens one: to repeat them would be nagging.
 */
export async function upsertPullRequest(
  repository: GitHubRepository,
  draft: PullRequestDraft,
): Promise<PullRequest> {
  const { pull, isNew } = await open(repository, draft)
  if (draft.keepsOpen === true && !isNew) return toPullRequest(pull)
  const wanted = draft.draft && !pull.draft ? withoutDraft(draft) : draft
  const current = await bringUpToDate(repository, pull, wanted)
  const labels = await setLabels(repository, current, wanted.labels)
  if (isNew) await askPeople(repository, pull.number, draft)
  if (current.draft && !draft.draft) {
    repository.log(`#${current.number} is still a draft: a person has to mark it ready.`)
  }
  return toPullRequest({ ...current, labels })
}

/** Open pull requests of one head: ours, and another author's, which blocks ours. */
interface Opened {
  readonly ours: GitHubPull | null
  readonly theirs: GitHubPull | null
}

/** Prefers ours with the same base. */
async function findOpened(
  repository: GitHubRepository,
  { head, base }: PullRequestDraft,
): Promise<Opened> {
  const sameHead = await listOpenWith(repository, head)
  const us = await repository.login()
  const ours = sameHead.filter(({ user }) => sameName(user?.login ?? '', us))
  const hasBase = (pull: GitHubPull): boolean => pull.base.ref === base
  return {
    ours: ours.find(hasBase) ?? ours[0] ?? null,
    theirs: sameHead.find(hasBase) ?? null,
  }
}

/** Finds or opens our pull request; `isNew` if this call opened it. */
async function open(repository: GitHubRepository, draft: PullRequestDraft) {
  const { head, base, title } = draft
  let isNew = false
  const pull = await repository.perform<Opened, GitHubPull>({
    kind: 'pull_request',
    key: `${head} → ${base}`,
    detail: title,
    read: () => findOpened(repository, draft),
    alreadyApplied: ({ ours }) => ours,
    async apply(octokit, { theirs }) {
      if (theirs !== null) throw await leftAlone(repository, draft, theirs)
      try {
        isNew = true
        const made = await create(octokit, repository.target, draft)
        repository.uncommented.add(made.number)
        return made
      } catch (error) {
        isNew = !saysItExists(error)
        throw error
      }
    },
    readDelays: untilListed,
  })
  return { pull, isNew }
}

async function leftAlone(
  { login }: GitHubRepository,
  { head, base }: PullRequestDraft,
  { number, user }: GitHubPull,
): Promise<ForgeRefusedError> {
  const author = user?.login ?? 'another account'
  const who = `opened by ${author}, not by ${await login()}, and is left alone`
  return new ForgeRefusedError('forge_denied', `#${number} from ${head} into ${base} was ${who}`)
}

async function create(
  octokit: Octokit,
  target: GitHubRepository['target'],
  draft: PullRequestDraft,
): Promise<GitHubPull> {
  const { head, base, title, body } = draft
  try {
    const wanted = { ...target, head, base, title, body, draft: draft.draft }
    return (await octokit.pulls.create(wanted)).data
  } catch (error) {
    const noDrafts = /draft pull requests are not supported/i
    if (!draft.draft || !hasStatus(error, 422) || !noDrafts.test(error.message)) throw error
    return create(octokit, target, withoutDraft(draft))
  }
}

/** If the plan has no drafts, the title and a label say so. */
function withoutDraft(draft: PullRequestDraft): PullRequestDraft {
  return {
    ...draft,
    draft: false,
    title: `[do not merge] ${draft.title}`,
    labels: [...new Set([...draft.labels, label.needsHuman])],
  }
}

function bringUpToDate(
  { octokit, target, perform }: GitHubRepository,
  pull: GitHubPull,
  { title, body, base }: PullRequestDraft,
): Promise<GitHubPull> {
  const one = { ...target, pull_number: pull.number }
  const isUpToDate = (now: GitHubPull): boolean =>
    now.title === title && sameText(now.body ?? '', body) && now.base.ref === base
  return perform<GitHubPull, GitHubPull>({
    kind: 'pull_request',
    key: `#${pull.number}`,
    detail: title,
    snapshot: pull,
    read: async () => (await octokit.pulls.get(one)).data,
    alreadyApplied: (now) => (isUpToDate(now) ? now : null),
    async apply({ pulls }, now) {
      const change = base === now.base.ref ? { title, body } : { title, body, base }
      return (await pulls.update({ ...one, ...change })).data
    },
  })
}

type Names = readonly string[]

/** Requests reviewers (people, or teams as `org/team`) and assignees; a refusal is only logged. */
async function askPeople(
  repository: GitHubRepository,
  number: number,
  { reviewers, assignees }: PullRequestDraft,
): Promise<void> {
  const { octokit, target, login } = repository
  const pull = { ...target, pull_number: number }
  const issue = { ...target, issue_number: number }
  await askEach(repository, `#${number} reviewers`, without(reviewers, [await login()]), {
    async read() {
      const { requested_reviewers, requested_teams } = (await octokit.pulls.get(pull)).data
      const teams = requested_teams?.map(({ slug }) => `${target.owner}/${slug}`) ?? []
      return [...(requested_reviewers?.map((person) => person.login) ?? []), ...teams]
    },
    apply: ({ pulls }, missing) =>
      pulls.requestReviewers({
        ...pull,
        reviewers: missing.filter((name) => !name.includes('/')),
        team_reviewers: missing.flatMap((name) => name.split('/')[1] ?? []),
      }),
  })
  await askEach(repository, `#${number} assignees`, assignees, {
    async read() {
      const { data } = await octokit.issues.get(issue)
      return data.assignees?.map((person) => person.login) ?? []
    },
    async apply({ issues }, missing) {
      const { data } = await issues.addAssignees({ ...issue, assignees: missing })
      const passedOver = without(missing, data.assignees?.map((person) => person.login) ?? [])
      if (passedOver.length === 0) return
      // GitHub answers without a word about them.
      repository.log(
        `#${number}: GitHub assigns only people with access, not ${passedOver.join(', ')}`,
      )
    },
  })
}

/** The pull request is new, so no one has been asked yet. */
async function askEach(
  { perform, log }: GitHubRepository,
  key: string,
  wanted: Names,
  how: {
    readonly read: () => Promise<Names>
    readonly apply: (octokit: Octokit, missing: string[]) => Promise<unknown>
  },
): Promise<void> {
  if (wanted.length === 0) return
  await perform<Names, Names>({
    ...{ kind: 'people', key, detail: wanted.join(', '), snapshot: [], read: how.read },
    alreadyApplied: (asked) => (without(wanted, asked).length === 0 ? wanted : null),
    async apply(octokit, asked) {
      await how.apply(octokit, without(wanted, asked))
      return wanted
    },
  }).catch((error: unknown) => log(`${key.replace(' ', ' has no ')}: ${reasonOf(error)}`))
}
