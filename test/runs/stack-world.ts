import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tickTask } from '../../packages/roadmap/document/edit-roadmap.ts'
import { readRoadmap } from '../../packages/roadmap/document/read-roadmap.ts'
import { branchOf } from '../../src/core/domain/branches.ts'
import { taskMarker, trailer } from '../../src/core/domain/identity.ts'
import type { PullRequest } from '../../src/core/ports/forge.ts'
import type { Workspace } from '../../src/core/ports/workspace.ts'
import type { Ports } from '../../src/core/ports.ts'
import { type Refreshed, refreshPullRequests } from '../../src/runs/refresh-pull-requests.ts'
import { type GitRepository, makeGitRepository } from '../adapters/git-repository.ts'
import { openWorkspace } from '../adapters/git-workspace-bench.ts'
import { fakePorts, someSettings } from '../fakes/facts.ts'
import { createMemoryForge, type MemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryRepository } from '../fakes/memory-repository.ts'

export type MergeKind = 'merge' | 'squash' | 'rebase'

const roadmapOf = (...lines: readonly string[]): string => `# Plan\n\n${lines.join('\n')}\n`
const threeTasks = roadmapOf('- [ ] T-1: one', '- [ ] T-2: two', '- [ ] T-3: three')

/** A repository in real git, what GitHub would do with it, and the pull requests on it. */
export interface StackWorld extends Disposable {
  readonly repository: GitRepository
  readonly forge: MemoryForge
  /** Somebody's commit on a branch. */
  commit(branch: string, files: Readonly<Record<string, string>>, message?: string): string
  /** A finished task: its branch, from the tip of another, with its change and its tick. */
  finish(id: string, from: string, files: Readonly<Record<string, string>>): PullRequest
  /** As GitHub's button does it, or by a squash where it refuses to rebase; says which. A deleted branch takes its children to where it was merged. */
  merge(number: number, kind: MergeKind, options?: { readonly deleteBranch: boolean }): MergeKind
  /** As a fresh runner would: nothing is known but what is in the repository. */
  refresh(wrap?: (ports: Ports) => Ports): Promise<Refreshed>
  mergeable(number: number): boolean
  text(branch: string, path: string): string
  ticks(branch: string): readonly string[]
}

export function makeStackWorld(files: Readonly<Record<string, string>> = {}): StackWorld {
  const repository = makeGitRepository({ 'ROADMAP.md': threeTasks, 'src/list.js': '', ...files })
  const { git } = repository
  // Read as git has them, a file each: asked of git, they were most of its processes.
  const placeOf = (branch: string): string => join(repository.path, '.git/refs/heads', branch)
  const tipOf = (branch: string): string => readFileSync(placeOf(branch), 'utf8').trim()
  const forge = createMemoryForge(
    createMemoryRepository({
      tipOf: (branch) => (existsSync(placeOf(branch)) ? tipOf(branch) : null),
    }),
  )
  const text = (branch: string, path: string): string => `${git('show', `${branch}:${path}`)}\n`
  const pull = (number: number): PullRequest => {
    const found = forge.repository.pull(number)
    if (found === null) throw new Error(`no #${number}`)
    return found
  }
  const commit: StackWorld['commit'] = (branch, changed, message = 'by hand') => {
    git('switch', '--quiet', branch)
    for (const [path, content] of Object.entries(changed)) repository.put(path, content)
    const sha = repository.commit(message)
    git('switch', '--quiet', '--detach', 'main')
    return sha
  }
  return {
    repository,
    forge,
    commit,
    text,
    finish(id, from, changed) {
      const head = branchOf(id)
      git('branch', head, from)
      const before = text(head, 'ROADMAP.md')
      const task = readRoadmap(before).tasks.find((each) => each.id === id)
      if (task === undefined) throw new Error(`no ${id}`)
      const ticked = tickTask(before, task)
      if (ticked.status === 'refused') throw new Error(ticked.reason)
      commit(head, { ...changed, 'ROADMAP.md': ticked.text }, messageOf(task))
      const draft = { head, base: from, title: id, body: taskMarker(task), draft: false }
      const people = { labels: ['executor:task'], reviewers: [], assignees: [] }
      return pull(forge.repository.open(forge.repository.us, { ...draft, ...people }))
    },
    merge(number, kind, { deleteBranch } = { deleteBranch: false }) {
      const { head, headSha, base } = pull(number)
      git('update-ref', `refs/pull/${number}/head`, headSha)
      const { sha: mergeSha, kind: used } = mergeInto(repository, tipOf(base), headSha, kind)
      git('update-ref', `refs/heads/${base}`, mergeSha)
      forge.repository.changePull(number, { state: 'merged', mergeSha })
      if (!deleteBranch) return used
      git('branch', '--quiet', '-D', head)
      for (const child of forge.pulls) {
        if (child.state === 'open' && child.base === head)
          forge.repository.changePull(child.number, { base })
      }
      return used
    },
    async refresh(wrap = (ports) => ports) {
      const workspace = await openWorkspace(repository, { base: 'main' })
      await workspace.refresh()
      const ports = wrap(fakePorts({ workspace, forge, settings: someSettings() }))
      // GitHub has not found out yet: every one is looked at here.
      const open = forge.pulls.map(({ number }) => ({ number, conflicts: null }))
      return refreshPullRequests(await forge.pullRequests(), open, ports)
    },
    mergeable(number) {
      const { headSha, base } = pull(number)
      try {
        git('merge-tree', '--write-tree', tipOf(base), headSha)
        return true
      } catch {
        return false
      }
    },
    ticks: (branch) =>
      readRoadmap(text(branch, 'ROADMAP.md'))
        .tasks.filter(({ status }) => status === 'done')
        .map(({ id }) => id),
    [Symbol.dispose]: () => repository[Symbol.dispose](),
  }
}

const messageOf = ({ id, fingerprint }: { id: string; fingerprint: string }): string =>
  [
    `Complete ${id}\n`,
    `${trailer.task}: ${id}`,
    `${trailer.fingerprint}: ${fingerprint}`,
    `${trailer.outcome}: done`,
  ].join('\n')

function mergeInto(
  { git }: Pick<GitRepository, 'git'>,
  base: string,
  head: string,
  kind: MergeKind,
): { readonly sha: string; readonly kind: MergeKind } {
  git('switch', '--quiet', '--detach', kind === 'rebase' ? head : base)
  if (kind === 'merge') git('merge', '--quiet', '--no-ff', '-m', 'Merge pull request', head)
  if (kind === 'squash') {
    git('merge', '--quiet', '--squash', head)
    git('commit', '--quiet', '-m', 'All of it')
  }
  if (kind === 'rebase') {
    try {
      // Every commit anew, though it could be fast-forwarded.
      git('rebase', '--quiet', '--force-rebase', base)
    } catch {
      git('rebase', '--abort')
      return mergeInto({ git }, base, head, 'squash')
    }
  }
  const sha = git('rev-parse', 'HEAD')
  git('switch', '--quiet', '--detach', 'main')
  return { sha, kind }
}

/** Ports whose effects are counted; the one named is done, and never returns. */
export function killedAt(step: number, count: { effects: number }): (ports: Ports) => Ports {
  const killing =
    <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const dies = count.effects === step
      count.effects += 1
      const result = await act(...args)
      if (dies) throw new Error('killed')
      return result
    }
  return (ports) => {
    const { workspace, forge } = ports
    const dying: Pick<Workspace, 'publish'> = { publish: killing(workspace.publish) }
    return {
      ...ports,
      workspace: { ...workspace, ...dying },
      forge: {
        ...forge,
        kind: forge.kind,
        retarget: killing(forge.retarget),
        upsertComment: killing(forge.upsertComment),
        label: killing(forge.label),
      },
    }
  }
}
