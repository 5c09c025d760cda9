import { onceMore } from '../../core/perform-effect.ts'
import type { GitHubRepository } from './client.ts'

/** Gives an open pull request another base; GitHub refuses it for a closed one. */
export async function retarget(
  { octokit, target, perform }: GitHubRepository,
  number: number,
  base: string,
): Promise<void> {
  const pull = { ...target, pull_number: number }
  await perform({
    kind: 'retarget',
    key: `#${number} → ${base}`,
    detail: `#${number} is to go into ${base}`,
    read: async () => (await octokit.pulls.get(pull)).data.base.ref,
    alreadyApplied: (now) => (now === base ? base : null),
    apply: async ({ pulls }) => (await pulls.update({ ...pull, base })).data.base.ref,
    readDelays: onceMore,
  })
}
