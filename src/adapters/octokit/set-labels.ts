import { label } from '../../core/domain/identity.ts'
import { changeLabels, namesOf } from './change-labels.ts'
import type { GitHubRepository } from './client.ts'
import { reasonOf } from './failure.ts'
import { type GitHubPull, sameName } from './pull.ts'

/** They say what a pull request is now; the others are decisions, and stay. */
const managed: readonly string[] = [label.task, label.unverified, label.recovery, label.needsHuman]

/**
 * Adds what is wanted, and takes away what of ours no longer holds: a task that needed a person may
 * have passed since. People's labels stay. Answers the labels there are then; a refusal is only noted.
 */
export async function setLabels(
  repository: GitHubRepository,
  { number, labels }: GitHubPull,
  wanted: readonly string[],
): Promise<GitHubPull['labels']> {
  const remove = managed.filter((name) => !wanted.some((one) => sameName(one, name)))
  try {
    const names = await changeLabels(repository, number, { add: wanted, remove }, namesOf(labels))
    return names.map((name) => ({ name }))
  } catch (error) {
    repository.log(`#${number} has not all its labels: ${reasonOf(error)}`)
    return labels
  }
}
