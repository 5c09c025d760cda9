import { label } from '../../core/domain/identity.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus, reasonOf } from './failure.ts'
import { type GitHubPull, sameName } from './pull.ts'

type Names = readonly string[]

const has = (names: Names, name: string): boolean => names.some((one) => sameName(one, name))

/** Those of `wanted` that `present` lacks. */
export const without = (wanted: Names, present: Names): string[] =>
  wanted.filter((name) => !has(present, name))

export const namesOf = (labels: readonly (string | { readonly name?: string })[]): Names =>
  labels.flatMap((one) => (typeof one === 'string' ? one : (one.name ?? [])))

/**
 * Puts labels on an issue or a pull request and takes others off, and answers those it has then. What
 * is so already is not written; labels that are missing in the repository GitHub makes.
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

/** They say what a pull request is now; the others are decisions, and stay. */
const managed: Names = [label.task, label.unverified, label.recovery, label.needsHuman]

/**
 * Adds what is wanted, and takes away what of ours no longer holds: a task that needed a person may
 * have passed since. People's labels stay. Answers the labels there are then; a refusal is only noted.
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
    repository.log(`#${number} has not all its labels: ${reasonOf(error)}`)
    return labels
  }
}
