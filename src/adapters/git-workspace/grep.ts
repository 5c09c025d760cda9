/**
 * Searches a commit, with changes on top, with `git grep`. A model writes the query: its texts are
 * arguments after `-e` and paths after `:(literal)`, and an expression that never ends meets limits.
 */
import { delimiter } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ChangeSet } from '../../../packages/change/change.ts'
import { findProgram, pathProblem } from '../../../packages/files/files.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { GrepLine, GrepQuery, GrepResult, Workspace } from '../../core/ports/workspace.ts'
import type { CommitFiles } from '../sqlite-index/take-in.ts'
import type { AskIndex, IndexPlace } from '../sqlite-index.ts'
import type { Clone } from './clone.ts'
import { commitForReading } from './commits.ts'
import { checkSha, gitFailed, startGit } from './git.ts'
import { createLineReader } from './grep-lines.ts'
import { readTexts, type TreeFiles } from './trees.ts'

/** A commit, its files, and the changes on top of it. */
interface Searched {
  readonly sha: string
  readonly tree: TreeFiles
  readonly changes: ChangeSet
}

/** @property bytes of memory, where `prlimit` exists */
interface GrepLimits {
  readonly seconds: number
  readonly lines: number
  /** Of all lines and their paths. */
  readonly characters: number
  readonly bytes: number
}

const usual: GrepLimits = { seconds: 5, lines: 200, characters: 64 * 1024, bytes: 1024 ** 3 }

const mostPatterns = 20
const longestPattern = 1_000

export function createGrep(
  clone: Clone,
  limits: GrepLimits = usual,
): (searched: Searched, query: GrepQuery) => Promise<GrepResult> {
  return async (searched, query) => {
    const under = query.under.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
    const path = under === '.' ? '' : under
    const reason = queryProblem(query.patterns) ?? placeProblem(path, searched)
    if (reason !== null) return { status: 'refused', reason }
    const { sha: start, tree, changes } = searched
    const sha = changes.length === 0 ? start : await commitForReading(clone, tree, start, changes)
    return search(clone, sha, argumentsFor(query, sha, path), limits)
  }
}

/** Each line is searched by itself, and a text with a line break would be two patterns. */
function queryProblem(patterns: readonly string[]): string | null {
  if (patterns.length === 0 || patterns.includes('')) return 'there is nothing to search for'
  if (patterns.length > mostPatterns) return `there are more than ${mostPatterns} patterns`
  if (patterns.some((pattern) => pattern.length > longestPattern)) {
    return `a pattern is longer than ${longestPattern} characters`
  }
  if (patterns.some((pattern) => /[\n\0]/.test(pattern))) {
    return 'a pattern contains a line break or a NUL, and lines are searched one by one'
  }
  return null
}

/** The executor's own folder, which is not searched. */
const ownFolder = '.executor'

function placeProblem(path: string, { tree, changes }: Searched): string | null {
  if (path === '') return null
  const problem = pathProblem(path)
  if (problem !== null) return problem
  const after = new Set([...tree.keys(), ...changes.map((change) => change.path)])
  for (const change of changes) if (change.action === 'delete') after.delete(change.path)
  const isThere = [...after].some((each) => each === path || each.startsWith(`${path}/`))
  const isOwn = path === ownFolder || path.startsWith(`${ownFolder}/`)
  return isThere && !isOwn ? null : `there is no ${path}`
}

const argumentsFor = (
  { patterns, kind, ignoresCase }: GrepQuery,
  sha: string,
  path: string,
): readonly string[] => [
  // Ours are literal otherwise, and could exclude nothing.
  ...['--no-literal-pathspecs', 'grep', '-I', '-n', '-z', '--full-name', '--no-color'],
  ...['--threads=2', kind === 'words' ? '-F' : '-E', ...(ignoresCase ? ['-i'] : [])],
  ...patterns.flatMap((pattern) => ['-e', pattern]),
  ...[sha, '--', `:(top,exclude,literal)${ownFolder}`],
  ...(path === '' ? [] : [`:(top,literal)${path}`]),
]

/** Ends git when it has found enough or takes too long. */
async function search(
  { gitDir }: Clone,
  sha: string,
  args: readonly string[],
  limits: GrepLimits,
): Promise<GrepResult> {
  const child = startGit(args, { gitDir, limits: limitsOfProcess(limits) }, 'ignore')
  const lines: GrepLine[] = []
  let characters = 0
  let ended: 'enough' | 'late' | null = null
  const end = (why: 'enough' | 'late') => {
    ended ??= why
    child.kill('SIGKILL')
  }
  const read = createLineReader(sha, (line) => {
    characters += line.path.length + line.text.length
    if (lines.length === limits.lines || characters > limits.characters) end('enough')
    if (ended === null) lines.push(line)
  })
  let stderr = ''
  child.stdout?.on('data', (bytes: Buffer) => {
    if (ended === null) read(bytes)
  })
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr = `${stderr}${bytes}`.slice(0, 8_192)
  })
  const timer = setTimeout(() => end('late'), limits.seconds * 1000)
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', (cause) => reject(new ExecutorError('git_missing', cause.message, { cause })))
    child.on('close', (exit) => resolve(exit ?? 128))
  }).finally(() => clearTimeout(timer))
  // 1: no line matches.
  if (ended === null && code > 1) return refused(args, code, stderr)
  if (ended === 'late' && lines.length === 0) {
    return { status: 'refused', reason: `the search took more than ${limits.seconds} seconds` }
  }
  return { status: 'found', lines, isCut: ended !== null }
}

/** Without git's quotation of the pattern, which may be long. */
const aboutPattern = /^fatal: -e option, '.*': ([^']*)$/s

const aboutMemory = /out of memory|malloc failed|mmap failed|unable to create thread/i

/** @throws ExecutorError `git_failed` for a failure that is not the query's */
function refused(args: readonly string[], code: number, stderr: string): GrepResult {
  const said = stderr.trim()
  const why = aboutPattern.exec(said)?.[1]
  if (why !== undefined) return { status: 'refused', reason: oneLine(why) }
  if (said === '' || aboutMemory.test(said)) {
    return { status: 'refused', reason: 'the search needed too much memory or time' }
  }
  throw gitFailed(args.slice(1), { code, stderr: said, text: '', stdout: Buffer.alloc(0) })
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200)

/** The limit of processor time also ends a git that outlives this process. */
function limitsOfProcess({ seconds, bytes }: GrepLimits): readonly string[] {
  const prlimit = findProgram('prlimit', (process.env.PATH ?? '').split(delimiter))
  if (prlimit === null) return []
  return [prlimit, '--core=0', `--data=${bytes}`, `--cpu=${Math.ceil(seconds) * 4}`, '--']
}

/** Asks an index about files of this clone's commits; loads its code at the first question. */
export function lookUpIn(
  place: IndexPlace,
  clone: Clone,
  readTree: (sha: string) => Promise<TreeFiles>,
): NonNullable<Workspace['lookUp']> {
  let opened: Promise<AskIndex> | null = null
  return async (sha, paths, ask) => {
    opened ??= import('../sqlite-index.ts').then(({ createSqliteIndex }) =>
      createSqliteIndex(place),
    )
    const index = await opened
    const tree = await readTree(sha)
    const files = paths.flatMap((path) => tree.get(path) ?? [])
    const sources = {
      readTexts: (wanted: readonly string[]) => readTexts(clone, tree, wanted),
      listCommits: () => listCommits(clone, sha),
      readCommits: (shas: readonly string[]) => readCommitFiles(clone, shas),
    }
    return index(files, sources, ask)
  }
}

/** Of earlier commits and what they changed, a hint at where a task belongs: best effort, in bounded time. */
const mostCommits = 1_500
const mostSeconds = 5
const longestTitle = 300
/** A clone may lack objects, which must not be fetched for this. */
const env = { GIT_NO_LAZY_FETCH: '1' }

/** The names of the commits before this one, newest first; none when git takes too long. */
async function listCommits({ gitDir }: Clone, sha: string): Promise<readonly string[]> {
  const args = ['rev-list', `--max-count=${mostCommits}`, '--no-merges', checkSha(sha), '--']
  const output = await readOutput(args, gitDir, '')
  return output.split('\n').filter((line) => line !== '')
}

/** As many of these as git can read in time. */
async function readCommitFiles(
  { gitDir }: Clone,
  shas: readonly string[],
): Promise<readonly CommitFiles[]> {
  const asked = new Set(shas)
  const args = ['log', '--no-walk=unsorted', '--stdin', '--no-show-signature', '--no-renames']
  const format = ['--name-only', '-z', '--format=%x01%H%x02%s']
  const output = await readOutput([...args, ...format], gitDir, `${shas.join('\n')}\n`)
  return [...output.matchAll(record)].flatMap(([, sha = '', title = '', paths = '']) => {
    if (!asked.has(sha)) return []
    const changed = paths.split('\0').map((path) => path.replace(/^\n/, ''))
    return [{ sha, title: title.slice(0, longestTitle), paths: changed.filter(Boolean) }]
  })
}

/** A title holds no NUL, whatever else is in it. */
const record = /\x01([0-9a-f]{40,64})\x02([^\0]*)\0([^\x01]*)/g

async function readOutput(args: readonly string[], gitDir: string, input: string): Promise<string> {
  const child = startGit(args, { gitDir, env }, 'pipe')
  if (child.stdin === null || child.stdout === null) return ''
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  child.stderr?.resume()
  const timer = setTimeout(() => child.kill('SIGKILL'), mostSeconds * 1_000)
  const bytes = await buffer(child.stdout).finally(() => clearTimeout(timer))
  return bytes.toString('utf8')
}
