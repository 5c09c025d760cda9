import type { Scene } from '../exchange.ts'
import { type Commit, readCommits } from '../history.ts'
import { mergeStateOf } from '../merge-state.ts'
import { mergedTree } from '../pull-figures.ts'
import type { Identity, MergeMethod, Pull } from '../records.ts'
import { closingReferences } from './closing-references.ts'
import { deleteHeadBranch } from './delete-branch.ts'
import { noteEvent } from './event.ts'
import { pushRef } from './push.ts'
import { replay } from './replay.ts'
import { closeIssue } from './state.ts'

export interface MergeRequest {
  readonly method: MergeMethod
  /** The expected head. */
  readonly sha?: string | undefined
  readonly title?: string | null | undefined
  readonly message?: string | null | undefined
}

/** A merge that GitHub refuses, with its status and message. */
export interface MergeRefusal {
  readonly status: 405 | 409
  readonly message: string
}

const methodNames = { merge: 'Merge commits', squash: 'Squash merges', rebase: 'Rebase merges' }

/** Merges into the base branch; returns the resulting commit of the base. */
export async function mergePull(
  scene: Scene,
  pull: Pull,
  request: MergeRequest,
): Promise<string | MergeRefusal> {
  const refused = await refusalOf(scene, pull, request)
  if (refused !== null) return refused
  const sha = await makeCommit(scene, pull, request)
  if (sha === null) return { status: 405, message: "This branch can't be rebased" }
  if (!(await pushRef(scene, `refs/heads/${pull.base}`, sha, pull.baseSha))) {
    return { status: 409, message: 'Base branch was modified. Review and try the merge again.' }
  }
  await markMerged(scene, pull, sha)
  const { deleteBranchOnMerge, protectedBranches = [] } = scene.repository.options
  if (deleteBranchOnMerge === true && !protectedBranches.includes(pull.head)) {
    await deleteHeadBranch(scene, pull)
  }
  return sha
}

async function refusalOf(
  { repository }: Scene,
  pull: Pull,
  { method, sha }: MergeRequest,
): Promise<MergeRefusal | null> {
  const { mergeMethods = ['merge', 'squash'] } = repository.options
  if (pull.draft) return { status: 405, message: 'Pull Request is still a draft' }
  if (pull.state === 'closed') return { status: 405, message: 'Pull Request is not mergeable' }
  if (!mergeMethods.includes(method)) {
    return { status: 405, message: `${methodNames[method]} are not allowed on this repository.` }
  }
  if (sha !== undefined && sha !== pull.headSha) {
    return { status: 409, message: 'Head branch was modified. Review and try the merge again.' }
  }
  const { conflicts, blocks } = await mergeStateOf(repository, pull)
  if (conflicts) return { status: 405, message: 'Pull Request is not mergeable' }
  return blocks.length === 0 ? null : { status: 405, message: blocks.join(' ') }
}

/** The pull request counts as merged by `sha`, which is on its base. */
export async function markMerged(scene: Scene, pull: Pull, sha: string): Promise<void> {
  const { store, repository, viewer } = scene
  pull.merged = { at: store.now(), by: viewer, sha }
  pull.autoMerge = null
  noteEvent(scene, pull, 'merged')
  await closeIssue(scene, pull)
  if (pull.base !== repository.defaultBranch) return
  for (const number of closingReferences(pull.body ?? '')) {
    const issue = repository.issues.get(number)
    if (issue?.state === 'open') await closeIssue(scene, issue)
  }
}

async function makeCommit(scene: Scene, pull: Pull, request: MergeRequest): Promise<string | null> {
  const { git } = scene.repository
  if (request.method === 'rebase') return replay(git, pull.baseSha, pull.headSha, scene.viewer)
  const tree = await mergedTree(git, pull.baseSha, pull.headSha)
  if (tree === null) throw new Error('A pull request without conflicts could not be merged.')
  const [title, text] = await messageOf(scene, pull, request)
  const parents = request.method === 'squash' ? [pull.baseSha] : [pull.baseSha, pull.headSha]
  const { stdout } = await git.run(
    ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])],
    { input: text === '' ? `${title}\n` : `${title}\n\n${text}\n`, env: committed(scene.viewer) },
  )
  return stdout.trim()
}

/** GitHub's default messages; a squash of one commit keeps that commit's message. */
async function messageOf(
  { repository }: Scene,
  pull: Pull,
  { method, title, message }: MergeRequest,
): Promise<readonly [string, string]> {
  if (method === 'merge') {
    const from = `${repository.options.owner}/${pull.head}`
    return [title ?? `Merge pull request #${pull.number} from ${from}`, message ?? pull.title]
  }
  const range = `${pull.baseSha}..${pull.headSha}`
  const commits = (await readCommits(repository.git, range)).toReversed()
  const [only, more] = commits
  const isOne = only !== undefined && more === undefined
  const ownTitle = isOne ? subjectOf(only) : pull.title
  const listed = commits.map((commit) => `* ${commit.message}`).join('\n\n')
  const ownText = isOne ? only.message.slice(ownTitle.length).trim() : listed
  return [title ?? `${ownTitle} (#${pull.number})`, message ?? ownText]
}

const subjectOf = ({ message }: Commit): string => message.split('\n', 1)[0] ?? ''

function committed({ login, id }: Identity): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: login,
    GIT_AUTHOR_EMAIL: `${id}+${login}@users.noreply.github.com`,
    GIT_COMMITTER_NAME: 'GitHub',
    GIT_COMMITTER_EMAIL: 'noreply@github.com',
  }
}
