import { label } from '../../core/domain/identity.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import { asStored } from '../../core/ports/own-texts.ts'
import type { GitHubRepository, RestAnswer } from './client.ts'
import { hasStatus, orNull, reasonOf } from './failure.ts'
import { pageSize, readAll } from './pages.ts'

type Facts = 'number' | 'html_url' | 'state' | 'draft' | 'title' | 'body' | 'user'
type Commits = 'merged_at' | 'merge_commit_sha' | 'head' | 'base'

/** The fields of GitHub's pull requests that we read, from a list or one by one. */
export interface GitHubPull extends Pick<RestAnswer<'pulls', 'list'>[number], Facts | Commits> {
  readonly labels: readonly { readonly name?: string }[]
}

export function toPullRequest(pull: GitHubPull): PullRequest {
  return {
    number: pull.number,
    url: pull.html_url,
    author: pull.user?.login ?? '',
    head: pull.head.ref,
    headSha: pull.head.sha,
    base: pull.base.ref,
    state: pull.merged_at !== null ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    mergeSha: pull.merged_at === null ? null : pull.merge_commit_sha,
    draft: pull.draft ?? false,
    title: pull.title,
    body: pull.body ?? '',
    labels: pull.labels.flatMap(({ name }) => name ?? []),
  }
}

export const sameText = (a: string, b: string): boolean => asStored(a) === asStored(b)

/** Compares logins or labels, ignoring case. */
export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Branches that the executor pushes. */
export const ourHead = /^(agent|executor\/recovery)\/./

/** Reads the pull request again; `null` if it does not exist. */
export async function readPullRequest(
  { octokit, target }: GitHubRepository,
  number: number,
): Promise<PullRequest | null> {
  const found = await orNull(octokit.pulls.get({ ...target, pull_number: number }), 404)
  return found && toPullRequest(found.data)
}

/**
 * Lists our pull requests, newest first: those among the 500 newest of any state, and up to 300
 * open ones. In a repository with more than 500, older ones are listed only while open: merged work
 * is in the base branch, and closed work has its branch.
 */
export async function listPullRequests(
  repository: GitHubRepository,
): Promise<readonly PullRequest[]> {
  const read = (state: 'all' | 'open', most: number) =>
    readAll(most, (page) => listPage(repository, state, page))
  const all = await read('all', 5)
  const open = all.length < 5 * pageSize ? [] : await read('open', 3)
  const byNumber = new Map([...all, ...open].map((pull) => [pull.number, pull]))
  return [...byNumber.values()]
    .filter((pull) => isInside(pull, repository) && ourHead.test(pull.head.ref))
    .sort((a, b) => b.number - a.number)
    .map(toPullRequest)
}

async function listPage(
  { octokit, target }: GitHubRepository,
  state: 'all' | 'open',
  page: number,
): Promise<readonly GitHubPull[]> {
  const newest = { sort: 'created', direction: 'desc', per_page: pageSize } as const
  return (await octokit.pulls.list({ ...target, state, ...newest, page })).data
}

/** True for a pull request from a branch of this repository, not a fork. */
const isInside = ({ head }: GitHubPull, { target }: GitHubRepository): boolean =>
  sameName(head.repo?.full_name ?? '', `${target.owner}/${target.repo}`)

/**
 * Lists this repository's open pull requests with this head. The full list was read before: if it
 * is complete and unchanged, GitHub answers by its ETag.
 */
export async function listOpenWith(
  repository: GitHubRepository,
  ref: string,
): Promise<readonly GitHubPull[]> {
  const { octokit, target } = repository
  const head = `${target.owner}:${ref}`
  const asked = { ...target, state: 'open', head, per_page: pageSize } as const
  const all = await listPage(repository, 'all', 1)
  const found = all.length < pageSize ? all : (await octokit.pulls.list(asked)).data
  return found.filter(
    (pull) => pull.state === 'open' && pull.head.ref === ref && isInside(pull, repository),
  )
}

type Names = readonly string[]

const has = (names: Names, name: string): boolean => names.some((one) => sameName(one, name))

/** The names in `wanted` that `present` lacks. */
export const without = (wanted: Names, present: Names): string[] =>
  wanted.filter((name) => !has(present, name))

export const namesOf = (labels: readonly (string | { readonly name?: string })[]): Names =>
  labels.flatMap((one) => (typeof one === 'string' ? one : (one.name ?? [])))

/**
 * Adds and removes labels, and returns the resulting ones. Writes only changes; GitHub creates
 * missing labels.
 */
export function changeLabels(
  { octokit, target, perform }: GitHubRepository,
  number: number,
  { add = [], remove = [] }: { readonly add?: Names; readonly remove?: Names },
  snapshot?: Names,
): Promise<Names> {
  const issue = { ...target, issue_number: number }
  const stale = (names: Names) => names.filter((name) => has(remove, name))
  return perform<Names, Names>({
    kind: 'label',
    key: `#${number}`,
    detail: [...add.map((name) => `+${name}`), ...remove.map((name) => `-${name}`)].join(' '),
    read: async () =>
      namesOf((await octokit.issues.listLabelsOnIssue({ ...issue, per_page: 100 })).data),
    alreadyApplied: (names) =>
      without(add, names).length + stale(names).length === 0 ? names : null,
    async apply({ issues }, before) {
      const labels = without(add, before)
      const names =
        labels.length === 0 ? before : namesOf((await issues.addLabels({ ...issue, labels })).data)
      for (const name of stale(names)) {
        await issues.removeLabel({ ...issue, name }).catch((error: unknown) => {
          if (!hasStatus(error, 404)) throw error
        })
      }
      return without(names, remove)
    },
    ...(snapshot === undefined ? {} : { snapshot }),
  })
}

/** Labels that describe the current state; other labels are decisions, and stay. */
const managed: Names = [label.task, label.unverified, label.recovery, label.needsHuman]

/**
 * Adds the wanted labels and removes our outdated ones: a task that needed a person may have passed
 * since. Keeps people's labels. Returns the resulting labels; a refusal is only logged.
 */
export async function setLabels(
  repository: GitHubRepository,
  { number, labels }: GitHubPull,
  add: Names,
): Promise<GitHubPull['labels']> {
  const change = { add, remove: without(managed, add) }
  try {
    const names = await changeLabels(repository, number, change, namesOf(labels))
    return names.map((name) => ({ name }))
  } catch (error) {
    repository.log(`#${number} does not have all its labels: ${reasonOf(error)}`)
    return labels
  }
}
