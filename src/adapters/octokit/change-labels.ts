import { onceMore } from '../../core/perform-effect.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'
import { sameName } from './pull.ts'

export interface LabelChange {
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

type Names = readonly string[]

/**
 * Puts labels on an issue or a pull request and takes others off, and answers those it has then. What
 * is so already is not written; labels that are missing in the repository GitHub makes.
 */
export function changeLabels(
  { octokit, target, perform }: GitHubRepository,
  number: number,
  { add = [], remove = [] }: LabelChange,
  seen?: Names,
): Promise<Names> {
  const issue = { ...target, issue_number: number }
  const missing = (names: Names) => add.filter((name) => !has(names, name))
  const stale = (names: Names) => names.filter((name) => has(remove, name))
  return perform<Names, Names>({
    kind: 'label',
    key: `#${number}`,
    detail: [...add.map((name) => `+${name}`), ...remove.map((name) => `-${name}`)].join(' '),
    read: async () =>
      namesOf((await octokit.issues.listLabelsOnIssue({ ...issue, per_page: 100 })).data),
    alreadyApplied: (names) => (missing(names).length + stale(names).length === 0 ? names : null),
    async apply({ issues }, before) {
      const labels = missing(before)
      const names =
        labels.length === 0 ? before : namesOf((await issues.addLabels({ ...issue, labels })).data)
      for (const name of stale(names)) {
        await issues.removeLabel({ ...issue, name }).catch((error: unknown) => {
          if (!hasStatus(error, 404)) throw error
        })
      }
      return names.filter((name) => !has(remove, name))
    },
    readDelays: onceMore,
    ...(seen === undefined ? {} : { snapshot: seen }),
  })
}

const has = (names: Names, name: string): boolean => names.some((one) => sameName(one, name))

export const namesOf = (labels: readonly (string | { readonly name?: string })[]): Names =>
  labels.flatMap((one) => (typeof one === 'string' ? one : (one.name ?? [])))
