/**
 * The executor's own bare repository. It borrows the objects of the user's repository, so creating
 * it copies nothing. Code in a task's folder cannot write to either repository.
 */
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../../../packages/files/files.ts'
import { countOf } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { checkSha, type GitCall, gitFailed, gitText, runGit } from './git.ts'

export interface SourceRepository {
  /** The location of HEAD: a linked work tree has its own. */
  readonly gitDir: string
  /** The location of refs and objects. */
  readonly commonDir: string
  /** `null` for a bare repository. */
  readonly workTree: string | null
  readonly format: 'sha1' | 'sha256'
  readonly shallow: boolean
}

export interface Clone {
  readonly home: string
  readonly gitDir: string
  /** The location of folders and staged files, on one file system. */
  readonly work: string
  /** The location of the user's submodules; absent where there is only a URL. */
  readonly modules?: string
}

const staleLockSeconds = 5

/** git prints one line for each. */
const asked = [
  '--absolute-git-dir',
  '--git-common-dir',
  '--show-object-format',
  '--is-shallow-repository',
  '--is-inside-work-tree',
  '--show-cdup',
]

/** Returns true for a repository that git reaches over a network. */
export const isUrl = (place: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(place)

/** @throws ExecutorError `not_a_repository`, `git_failed` */
export async function inspectSource(path: string): Promise<SourceRepository> {
  const directory = directoryOf(path)
  const run = await runGit(['rev-parse', ...asked], { directory })
  if (run.code !== 0) {
    if (!/not a git repository/i.test(run.stderr)) throw gitFailed(['rev-parse'], run)
    throw new ExecutorError('not_a_repository', path)
  }
  const said = run.stdout.toString('utf8').split('\n')
  const [gitDir = '', commonDir = '', format, shallow, insideWorkTree, up = ''] = said
  return {
    gitDir,
    commonDir: resolve(directory, commonDir),
    workTree: insideWorkTree === 'true' ? resolve(await realpath(directory), up) : null,
    format: format === 'sha256' ? 'sha256' : 'sha1',
    shallow: shallow === 'true',
  }
}

/** Opens the repository; rebuilds it if it is missing, incomplete, or for another source. */
export async function openClone(
  home: string,
  source: SourceRepository | null,
  work: string = home,
): Promise<Clone> {
  const gitDir = join(home, 'repo.git')
  await mkdir(home, { recursive: true, mode: 0o700 })
  const files = layout(source)
  if (!(await holds(gitDir, files))) await build(gitDir, files)
  await removeStaleLocks(gitDir)
  return { home, gitDir, work, ...(source && { modules: join(source.commonDir, 'modules') }) }
}

/**
 * Copies where a shallow source's history ends, unless all earlier history has been fetched since
 * (`rememberWhole`).
 */
export async function copyShallow(clone: Clone, source: SourceRepository): Promise<void> {
  const target = join(clone.gitDir, 'shallow')
  const ends = source.shallow ? await readFile(join(source.commonDir, 'shallow')) : null
  if (ends === null || (await readEnds(join(clone.gitDir, whole)))?.equals(ends)) {
    return rm(target, { force: true })
  }
  const temporary = `${target}.${randomUUID()}`
  await writeFile(temporary, ends)
  await rename(temporary, target)
}

/** Records the shallow boundary beyond which everything has been fetched. */
const whole = 'executor-whole'

/** Reads where the history ends; `null` if it is complete. */
export const readShallow = ({ gitDir }: Clone): Promise<Buffer | null> =>
  readEnds(join(gitDir, 'shallow'))

/** Call this once everything before these ends is fetched. */
export const rememberWhole = ({ gitDir }: Clone, ends: Buffer): Promise<void> =>
  writeFile(join(gitDir, whole), ends)

const readEnds = (path: string): Promise<Buffer | null> => readFile(path).catch(() => null)

/** The files that make a folder a repository, except those that git creates. */
function layout(source: SourceRepository | null): ReadonlyMap<string, string> {
  const sha256 = source?.format === 'sha256'
  return new Map([
    ['HEAD', 'ref: refs/heads/none\n'],
    [
      'config',
      `[core]\n\trepositoryformatversion = ${sha256 ? 1 : 0}\n\tbare = true\n` +
        (sha256 ? '[extensions]\n\tobjectformat = sha256\n' : ''),
    ],
    // Files are the commit's bytes: no line-ending, filter or encoding of a .gitattributes applies.
    ['info/attributes', '* -text !eol -filter -ident !working-tree-encoding !merge\n'],
    ['objects/info/alternates', source ? `${quoted(join(source.commonDir, 'objects'))}\n` : ''],
  ])
}

/** git reads an alternates line that begins with a quote as a C string. */
const quoted = (path: string): string => JSON.stringify(path)

async function holds(gitDir: string, files: ReadonlyMap<string, string>): Promise<boolean> {
  const found = await Promise.all(
    [...files].map(async ([name, text]) => {
      const there = await readFile(join(gitDir, name), 'utf8').catch(() => null)
      return there === text
    }),
  )
  return found.every(Boolean)
}

async function build(gitDir: string, files: ReadonlyMap<string, string>): Promise<void> {
  const temporary = `${gitDir}.${randomUUID()}`
  await mkdir(join(temporary, 'refs'), { recursive: true, mode: 0o700 })
  for (const [name, text] of files) {
    const path = join(temporary, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  while (!(await moves(temporary, gitDir, ['ENOTEMPTY', 'EEXIST', 'ENOTDIR']))) {
    // Another process has built it meanwhile and uses it.
    if (await holds(gitDir, files)) return rm(temporary, { recursive: true, force: true })
    const old = `${temporary}.old`
    if (await moves(gitDir, old, ['ENOENT'])) await rm(old, { recursive: true, force: true })
  }
}

/** Renames a folder; returns false on an error that means another process was faster. */
async function moves(from: string, to: string, faster: readonly string[]): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (faster.includes(errorCode(error) ?? '')) return false
    throw error
  }
}

/** A live git holds a lock for milliseconds; a killed one leaves it forever. */
export async function removeStaleLock(path: string): Promise<void> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
  if (Date.now() - mtimeMs > staleLockSeconds * 1000) await rm(path, { force: true })
}

async function removeStaleLocks(gitDir: string): Promise<void> {
  const names = [
    ...(await readdir(gitDir)),
    ...(await readdir(join(gitDir, 'refs'), { recursive: true })).map((name) => `refs/${name}`),
  ]
  for (const name of names.filter((each) => each.endsWith('.lock'))) {
    await removeStaleLock(join(gitDir, name))
  }
}

function directoryOf(path: string): string {
  try {
    return statSync(path).isDirectory() ? path : dirname(path)
  } catch (cause) {
    throw new ExecutorError('not_a_repository', path, { cause })
  }
}

/** As git itself fetches a missing object. */
const fetching = [
  ...['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', '--quiet', '--no-tags'],
  ...['--no-write-fetch-head', '--recurse-submodules=no', '--filter=blob:none', '--stdin'],
]

/**
 * Fetches into the user's repository what a commit needs and a partial clone lacks. Does nothing in any other
 * repository.
 *
 * @throws ExecutorError `git_failed`
 */
export async function fetchMissing(
  { gitDir }: Clone,
  source: SourceRepository,
  sha: string,
): Promise<void> {
  const packs = await readdir(join(source.commonDir, 'objects/pack')).catch(() => [])
  if (!packs.some((name) => name.endsWith('.promisor'))) return
  const asUser = { directory: source.commonDir, configuration: 'users' } as const
  // A tree that was missing may need more.
  for (let missing = await list(gitDir, sha); missing.length > 0; ) {
    const remote = await remoteOf(asUser)
    const run = await runGit([...fetching, '--', remote], { ...asUser, input: missing.join('\n') })
    const left = run.code === 0 ? await list(gitDir, sha) : missing
    if (left.some((each) => missing.includes(each)))
      throw new ExecutorError(
        'git_failed',
        `this is a partial clone, and ${countOf(missing.length, 'object')} of ${sha.slice(0, 7)} cannot be fetched from ${remote}: ${run.stderr} Fetch everything: git fetch --refetch --no-filter`,
      )
    missing = left
  }
}

/** The objects of a commit that are not here. */
async function list(gitDir: string, sha: string): Promise<readonly string[]> {
  const listing = ['rev-list', '--objects', '--missing=print', '--max-count=1', checkSha(sha)]
  return (await gitText(listing, { gitDir })).match(/(?<=^\?)[0-9a-f]+$/gm) ?? []
}

/** The remote that promised to have them. */
async function remoteOf(call: GitCall): Promise<string> {
  const asked = ['config', '--name-only', '--get-regexp', '^remote\\..*\\.promisor$']
  const names = (await runGit(asked, call)).text.split('\n')
  const found = names.flatMap((name) => /^remote\.(.+)\.promisor$/.exec(name)?.[1] ?? [])
  return found[0] ?? 'origin'
}
