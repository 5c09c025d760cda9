import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'
import { sameName } from './pull.ts'
import { writeOnce } from './write-once.ts'

/** Looks first, so that what is so already is not written. GitHub makes labels that are missing. */
export async function changeLabels(
  { octokit, target, clock }: GitHubRepository,
  number: number,
  {
    add = [],
    remove = [],
  }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): Promise<void> {
  const issue = { ...target, issue_number: number }
  const look = async (): Promise<readonly string[]> => {
    const { data } = await octokit.issues.listLabelsOnIssue({ ...issue, per_page: 100 })
    return data.map(({ name }) => name)
  }
  const has = (names: readonly string[], name: string): boolean =>
    names.some((one) => sameName(one, name))
  const there = await look()
  const labels = add.filter((name) => !has(there, name))
  if (labels.length > 0) {
    const find = async () => {
      const now = await look()
      return labels.every((name) => has(now, name)) ? true : null
    }
    const write = () => octokit.issues.addLabels({ ...issue, labels })
    await writeOnce<unknown>({ write, find, looks: [1] }, clock)
  }
  for (const name of there.filter((one) => has(remove, one))) {
    const find = async () => (has(await look(), name) ? null : true)
    const write = () =>
      octokit.issues.removeLabel({ ...issue, name }).catch((error: unknown) => {
        if (!hasStatus(error, 404)) throw error
      })
    await writeOnce<unknown>({ write, find, looks: [1] }, clock)
  }
}
