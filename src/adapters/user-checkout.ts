/** The user's own checkout: looked at, and changed only by what they asked for. */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ExecutorError } from '../core/domain/errors.ts'
import { inspectSource, type SourceRepository } from './git-workspace/clone.ts'
import { gitText, runGit } from './git-workspace/git.ts'

export interface RepositoryDescription {
  /** The work tree; a bare repository's own directory. */
  readonly root: string
  /** This work tree's git directory. */
  readonly gitDir: string
  /** `null` when HEAD is detached. */
  readonly branch: string | null
  /** True when something tracked differs from HEAD, or a file is neither tracked nor ignored. */
  readonly dirty: boolean
  /** As `originOf`. */
  readonly remoteUrl: string | null
}

/** @throws ExecutorError `not_a_repository`, `git_failed` */
export async function describeRepository(path: string): Promise<RepositoryDescription> {
  const source = await inspectSource(path)
  const { gitDir } = source
  const root = source.workTree
  const [head, remoteUrl, changes] = await Promise.all([
    runGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], { gitDir }),
    originIn(source),
    root === null ? '' : changesIn(root),
  ])
  const branch = head.code === 0 ? head.stdout.toString('utf8').trimEnd() : null
  return { root: root ?? gitDir, gitDir, branch, dirty: changes !== '', remoteUrl }
}

/** The commit that is checked out. @throws ExecutorError `not_a_repository`, `git_failed` */
export async function headOf(repository: string): Promise<string> {
  const { gitDir } = await inspectSource(repository)
  return (await gitText(['rev-parse', '--verify', 'HEAD^{commit}'], { gitDir })).trim()
}

/** The URL of `origin`, without any user or password in it. */
export async function originOf(repository: string): Promise<string | null> {
  return originIn(await inspectSource(repository))
}

async function originIn({ commonDir: gitDir }: SourceRepository): Promise<string | null> {
  const run = await runGit(['config', '--local', '--get', 'remote.origin.url'], { gitDir })
  const url = run.stdout.toString('utf8').trimEnd()
  return run.code === 0 && url !== '' ? url.replace(/^(https?:\/\/)[^@/]*@/, '$1') : null
}

/** `git switch`, by the user's own configuration but without hooks. Refuses where work could be lost. */
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

/** Adds a pattern to the repository's own `info/exclude`, once; no file of the user's changes. */
export async function excludeFromGit(repository: string, pattern: string): Promise<void> {
  const { commonDir } = await inspectSource(repository)
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

/** Reads the user's index without refreshing it on disk. */
const changesIn = (root: string): Promise<string> =>
  gitText(['status', '--porcelain', '-z', '--ignore-submodules=dirty'], {
    directory: root,
    configuration: 'users',
  })
