import type { Scene } from '../exchange.ts'
import { mergedTree } from '../pull-figures.ts'
import type { Pull } from '../records.ts'
import { pushRef } from './push.ts'

/** Merges the base into the head; returns GitHub's reason for a refusal, or `null`. */
export async function updateBranch(
  scene: Scene,
  pull: Pull,
  expected: string | undefined,
): Promise<string | null> {
  const { repository, viewer } = scene
  const { git } = repository
  if (expected !== undefined && expected !== pull.headSha) {
    return 'expected head sha didn’t match current head ref.'
  }
  if ((await git.count(`${pull.headSha}..${pull.baseSha}`)) === 0) {
    return 'There are no new commits on the base branch.'
  }
  const tree = await mergedTree(git, pull.headSha, pull.baseSha)
  if (tree === null) return 'merge conflict between base and head'
  const parents = ['-p', pull.headSha, '-p', pull.baseSha]
  const email = `${viewer.id}+${viewer.login}@users.noreply.github.com`
  const { stdout } = await git.run(['commit-tree', tree, ...parents], {
    input: `Merge branch '${pull.base}' into ${pull.head}\n`,
    env: {
      ...{ GIT_AUTHOR_NAME: viewer.login, GIT_AUTHOR_EMAIL: email },
      ...{ GIT_COMMITTER_NAME: 'GitHub', GIT_COMMITTER_EMAIL: 'noreply@github.com' },
    },
  })
  await pushRef(scene, `refs/heads/${pull.head}`, stdout.trim(), pull.headSha)
  return null
}
