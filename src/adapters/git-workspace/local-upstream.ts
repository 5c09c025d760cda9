/** The user's own repository, whose objects the clone borrows. */
import { join } from 'node:path'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { PublishResult, RepositoryView } from '../../core/ports/workspace.ts'
import { type Clone, removeStaleLock, type SourceRepository } from './clone.ts'
import { gitBytes, gitFailed, readRefs, readTips, runGit } from './git.ts'
import { headsIn, type Publication, pullRef, type RefHost, type Upstream } from './upstream.ts'
import { originRef, ours, readBranches, viewOf } from './view.ts'

/** @param base a branch name; `null` is the checked-out branch, or `HEAD` if detached */
export function localUpstream(
  clone: Clone,
  source: SourceRepository,
  base: string | null,
): Upstream {
  const gitDir = source.commonDir
  return {
    refs: localRefs(gitDir),
    async view() {
      const [head, tips] = await Promise.all([
        base === null ? readHead(source) : null,
        readBranches(gitDir, base === null ? [] : [`refs/heads/${base}`, originRef(base)]),
      ])
      return head === null ? viewOf(tips, base ?? '') : { base: head, branches: ours(tips) }
    },
    async heads(wanted) {
      if (wanted.length === 0) return new Map()
      return headsIn(await readTips(gitDir, wanted.map(pullRef)), wanted)
    },
    tips: (prefix) => readTips(gitDir, [prefix]),
    foresee: (publication) => foresee(gitDir, publication),
    async send(sha, known) {
      const objects = await gitBytes(['pack-objects', '--revs', '--local', '--stdout', '-q'], {
        gitDir: clone.gitDir,
        input: [sha, ...known.map((each) => `^${each}`), ''].join('\n'),
      })
      await gitBytes(['unpack-objects', '-q'], { gitDir, input: objects })
    },
  }
}

async function readHead(source: SourceRepository): Promise<RepositoryView['base']> {
  const args = ['rev-parse', 'HEAD^{commit}', '--symbolic-full-name', 'HEAD']
  const run = await runGit(args, { gitDir: source.gitDir })
  if (run.code !== 0) throw new ExecutorError('no_commits', source.commonDir)
  const [sha = '', name = ''] = run.text.split('\n')
  return { branch: name.replace(/^refs\/heads\//, ''), sha }
}

async function foresee(
  gitDir: string,
  { branch, sha, expected }: Publication,
): Promise<PublishResult | null> {
  const ref = `refs/heads/${branch}`
  const fields = ['%(refname)', '%(objectname)', '%(worktreepath)']
  const found = (await readRefs(gitDir, fields, [ref])).find(([name]) => name === ref)
  const [, now = null, checkedOutAt = ''] = found ?? []
  if (now === sha) return { status: 'published' }
  if (now !== expected) return { status: 'moved', sha: now ?? '' }
  if (checkedOutAt === '') return null
  const detail = `${branch} is checked out in ${checkedOutAt}`
  return { status: 'refused', code: 'branch_refused', detail }
}

/** git's messages about a name that permanently conflicts with another one. */
const cannotBe = /exists; cannot create|non-empty directory|bad name/

/** Not a push, because a push would run the target repository's hooks. */
function localRefs(gitDir: string): RefHost {
  async function tip(ref: string): Promise<string | null> {
    return (await readTips(gitDir, [ref])).get(ref) ?? null
  }
  return {
    tip,
    async swap({ ref, sha, expected }) {
      const old = expected ?? '0'.repeat((sha ?? '').length)
      const target = sha === null ? ['-d', ref, old] : [ref, sha, old]
      await removeStaleLock(join(gitDir, `${ref}.lock`))
      const run = await runGit(['update-ref', '-m', 'executor: publish', ...target], { gitDir })
      if (run.code === 0) return { status: 'published' }
      const now = await tip(ref)
      if (now === sha) return { status: 'published' }
      if (now !== expected) return { status: 'moved', sha: now ?? '' }
      // A full disk or a git failure says nothing about the work: the next run resumes here.
      if (!cannotBe.test(run.stderr)) throw gitFailed(['update-ref'], run)
      return { status: 'refused', code: 'branch_refused', detail: run.stderr }
    },
  }
}
