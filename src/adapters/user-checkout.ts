/** The user's own checkout: read, and changed only on request. */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ExecutorError } from '../core/domain/errors.ts'
import { inspectSource, type SourceRepository } from './git-workspace/clone.ts'
import { gitFailed, gitText, resolveObject, runGit } from './git-workspace/git.ts'
import { originRef } from './git-workspace/view.ts'

export interface UsersRepository extends SourceRepository {
  /** The work tree, or a bare repository's own directory. */
  readonly root: string
}

/** Finds the repository around a path. @throws ExecutorError `not_a_repository`, `git_failed` */
export async function findRepository(path: string): Promise<UsersRepository> {
  const source = await inspectSource(path)
  return { ...source, root: source.workTree ?? source.gitDir }
}

/** The checked-out branch; `null` when HEAD is detached. */
export async function checkedOutBranch({
  gitDir,
}: Pick<UsersRepository, 'gitDir'>): Promise<string | null> {
  const run = await runGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], { gitDir })
  return run.code === 0 ? run.stdout.toString('utf8').trimEnd() : null
}

/** The default branch: that of `origin`, else `main` or `master`; `null` without any of them. */
export async function findDefaultBranch(
  repository: Pick<UsersRepository, 'gitDir'>,
): Promise<string | null> {
  const args = ['symbolic-ref', '--quiet', '--short', originRef('HEAD')]
  const run = await runGit(args, { gitDir: repository.gitDir })
  if (run.code === 0) return run.text.trim().replace(/^origin\//, '')
  for (const name of ['main', 'master']) {
    if ((await findCommit(repository, name)) !== null) return name
  }
  return null
}

/** The commit of a branch, here or on `origin`, or of any other name that git knows; `null` if there is none. */
export async function findCommit(
  { gitDir }: Pick<UsersRepository, 'gitDir'>,
  name: string,
): Promise<string | null> {
  const isHead = /^(?:HEAD|@)(?![\w./-])/.test(name)
  // `origin/HEAD` is another commit than the `HEAD` of this checkout.
  for (const ref of isHead ? [name] : [`refs/heads/${name}`, originRef(name), name]) {
    const sha = await resolveObject({ gitDir }, `${ref}^{commit}`)
    if (sha !== null) return sha
  }
  return null
}

/** The ends of git's `A..B` and `A...B`, and whether a difference starts at A itself, as with two dots. */
export interface CommitRange {
  readonly from: string
  readonly to: string
  readonly isExact: boolean
}

/** Reads a range as git does: `HEAD` stands for a missing end. `null` for other texts; after the dots of a path is a slash. */
export function readRange(text: string): CommitRange | null {
  const [, from = '', third = '', to = ''] =
    /^((?:(?!\.\.).)*)\.\.(\.?)(?!\/)(.*)$/s.exec(text) ?? []
  if (from === '' && to === '') return null
  return { from: from || 'HEAD', to: to || 'HEAD', isExact: third === '' }
}

/** The text of a file in a commit; `null` if there is none. */
export async function readCommitted(
  { gitDir }: Pick<UsersRepository, 'gitDir'>,
  sha: string,
  path: string,
): Promise<string | null> {
  const run = await runGit(['cat-file', 'blob', `${sha}:${path}`], { gitDir })
  return run.code === 0 ? run.stdout.toString('utf8') : null
}

/** Returns true for an uncommitted or untracked file; false without a work tree. */
export const hasChanges = async (path: string): Promise<boolean> => (await changesIn(path)) !== ''

/** The checked-out commit. @throws ExecutorError `not_a_repository`, `git_failed` */
export async function headOf(repository: string): Promise<string> {
  const { gitDir } = await inspectSource(repository)
  return (await gitText(['rev-parse', '--verify', 'HEAD^{commit}'], { gitDir })).trim()
}

/** The URL of `origin`, without user or password. */
export async function originOf({
  commonDir: gitDir,
}: Pick<UsersRepository, 'commonDir'>): Promise<string | null> {
  const run = await runGit(['config', '--local', '--get', 'remote.origin.url'], { gitDir })
  const url = run.stdout.toString('utf8').trimEnd()
  return run.code === 0 && url !== '' ? url.replace(/^(https?:\/\/)[^@/]*@/, '$1') : null
}

/** Runs `git switch` with the user's configuration but no hooks. Refuses if work could be lost. */
export async function checkOutBranch(
  repository: string,
  branch: string,
): Promise<{ readonly status: 'done' } | { readonly status: 'refused'; readonly reason: string }> {
  const { workTree: root } = await inspectSource(repository)
  if (root === null) return { status: 'refused', reason: 'the repository has no work tree' }
  if ((await changesIn(root)) !== '') {
    return { status: 'refused', reason: 'there are uncommitted changes' }
  }
  const args = ['switch', '--quiet', '--no-guess', '--end-of-options', branch]
  const run = await runGit(args, { directory: root, configuration: 'users' })
  return run.code === 0 ? { status: 'done' } : { status: 'refused', reason: run.stderr }
}

/** Adds a pattern to the repository's `info/exclude`, once; changes no tracked file. */
export async function excludeFromGit(
  { commonDir }: Pick<UsersRepository, 'commonDir'>,
  pattern: string,
): Promise<void> {
  const path = join(commonDir, 'info', 'exclude')
  const text = await readFile(path, 'utf8').catch(() => '')
  if (text.split(/\r?\n/).includes(pattern)) return
  try {
    await mkdir(dirname(path), { recursive: true })
    await appendFile(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${pattern}\n`)
  } catch (cause) {
    throw new ExecutorError('state_unwritable', `${path} cannot be changed`, { cause })
  }
}

/** Clones a repository of this disk into a new checkout. @throws ExecutorError `git_failed` */
export async function cloneCheckout(source: string, root: string): Promise<void> {
  const args = ['clone', '--quiet', '--', source, root]
  await gitText(args, { directory: dirname(root), configuration: 'users' })
}

/** Fetches the branches of `origin`. @throws ExecutorError `git_failed` */
export async function fetchOrigin(root: string): Promise<void> {
  await gitText(['fetch', '--quiet', 'origin'], { directory: root, configuration: 'users' })
}

/** Reads the user's index without refreshing it on disk. */
async function changesIn(directory: string): Promise<string> {
  const args = ['status', '--porcelain', '-z', '--ignore-submodules=dirty']
  const run = await runGit(args, { directory, configuration: 'users' })
  if (run.code === 0) return run.stdout.toString('utf8')
  if (/must be run in a work tree|not a git repository/.test(run.stderr)) return ''
  throw gitFailed(args, run)
}
