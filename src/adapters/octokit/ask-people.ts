import { type Effect, onceMore } from '../../core/perform-effect.ts'
import type { PullRequestDraft } from '../../core/ports/forge.ts'
import type { GitHubEffect, GitHubRepository } from './client.ts'
import { reasonOf } from './failure.ts'
import { sameName } from './pull.ts'

type Names = readonly string[]

/** Reviewers (people, or teams as `org/team`) and assignees of a new one; a refusal is only noted. */
export async function askPeople(
  repository: GitHubRepository,
  number: number,
  { reviewers, assignees }: Pick<PullRequestDraft, 'reviewers' | 'assignees'>,
): Promise<void> {
  const us = await repository.login()
  const others = reviewers.filter((name) => !sameName(name, us))
  const asked = [
    [others, askReviewers(repository, number, others)],
    [assignees, assign(repository, number, assignees)],
  ] as const
  for (const [names, effect] of asked) {
    if (names.length === 0) continue
    await repository.perform(effect).catch((error: unknown) => {
      repository.log(`${effect.key.replace(' ', ' has no ')}: ${reasonOf(error)}`)
    })
  }
}

function askReviewers(
  { octokit, target }: GitHubRepository,
  number: number,
  wanted: Names,
): GitHubEffect<Names, Names> {
  const pull = { ...target, pull_number: number }
  return {
    ...people(`#${number} reviewers`, wanted),
    async read() {
      const { requested_reviewers = [], requested_teams = [] } = (await octokit.pulls.get(pull))
        .data
      const teams = requested_teams?.map(({ slug }) => `${target.owner}/${slug}`) ?? []
      return [...(requested_reviewers?.map(({ login }) => login) ?? []), ...teams]
    },
    async apply({ pulls }, asked) {
      const missing = without(wanted, asked)
      const teams = missing.flatMap((name) => name.split('/')[1] ?? [])
      const reviewers = missing.filter((name) => !name.includes('/'))
      await pulls.requestReviewers({ ...pull, reviewers, team_reviewers: teams })
      return wanted
    },
  }
}

function assign(
  { octokit, target }: GitHubRepository,
  number: number,
  wanted: Names,
): GitHubEffect<Names, Names> {
  const issue = { ...target, issue_number: number }
  return {
    ...people(`#${number} assignees`, wanted),
    async read() {
      const { assignees } = (await octokit.issues.get(issue)).data
      return assignees?.map(({ login }) => login) ?? []
    },
    async apply({ issues }, asked) {
      await issues.addAssignees({ ...issue, assignees: [...without(wanted, asked)] })
      return wanted
    },
  }
}

/** What both have in common. The pull request was opened just now: nobody is asked yet. */
const people = (key: string, wanted: Names) =>
  ({
    kind: 'people',
    key,
    detail: wanted.join(', '),
    snapshot: [],
    alreadyApplied: (asked: Names) => (without(wanted, asked).length === 0 ? wanted : null),
    readDelays: onceMore,
  }) as const satisfies Partial<Effect<Names, Names>>

const without = (wanted: Names, asked: Names): Names =>
  wanted.filter((name) => !asked.some((one) => sameName(one, name)))
