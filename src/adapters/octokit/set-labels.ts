import { label } from '../../domain/identity.ts'
import type { GitHubRepository } from './client.ts'
import { hasStatus, reasonOf } from './failure.ts'
import { type GitHubPull, sameName } from './pull.ts'
import { writeOnce } from './write-once.ts'

/** They say what a pull request is now; the others are decisions, and stay. */
const managed: readonly string[] = [label.task, label.unverified, label.recovery, label.needsHuman]

/**
 * Adds what is wanted, and takes away what of ours no longer holds: a task that needed a person may
 * have passed since. People's labels stay. Answers the labels there are then.
 */
export async function setLabels(
  repository: GitHubRepository,
  pull: GitHubPull,
  wanted: readonly string[],
): Promise<GitHubPull['labels']> {
  const labels = await addLabels(repository, pull, wanted)
  const stale = labels.flatMap(({ name = '' }) =>
    managed.includes(name) && !wanted.includes(name) ? [name] : [],
  )
  for (const name of stale) await removeLabel(repository, pull, name)
  return labels.filter(({ name = '' }) => !stale.includes(name))
}

/** GitHub makes labels that are missing. The labels it has then; a refusal is only noted. */
async function addLabels(
  { octokit, target, clock, log }: GitHubRepository,
  pull: GitHubPull,
  wanted: readonly string[],
): Promise<GitHubPull['labels']> {
  const missing = (has: GitHubPull['labels']): string[] =>
    wanted.filter((name) => !has.some((one) => sameName(one.name ?? '', name)))
  const labels = missing(pull.labels)
  if (labels.length === 0) return pull.labels
  const issue = { ...target, issue_number: pull.number }
  try {
    return await writeOnce<GitHubPull['labels']>(
      {
        write: async () => (await octokit.issues.addLabels({ ...issue, labels })).data,
        find: async () => {
          const { data } = await octokit.issues.listLabelsOnIssue({ ...issue, per_page: 100 })
          return missing(data).length === 0 ? data : null
        },
        looks: [1],
      },
      clock,
    )
  } catch (error) {
    log(`#${pull.number} lacks the labels ${labels.join(', ')}: ${reasonOf(error)}`)
    return pull.labels
  }
}

async function removeLabel(
  { octokit, target, log }: GitHubRepository,
  { number }: GitHubPull,
  name: string,
): Promise<void> {
  try {
    await octokit.issues.removeLabel({ ...target, issue_number: number, name })
  } catch (error) {
    if (!hasStatus(error, 404)) log(`#${number} still has the label ${name}: ${reasonOf(error)}`)
  }
}
