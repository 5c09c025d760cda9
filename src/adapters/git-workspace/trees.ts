/** Reads the objects of a repository, and commits: their files, texts, relations and differences. */
import type { Readable } from 'node:stream'
import type { DiffEntry, TreeEntry } from '../../../packages/change/change.ts'
import { textOf, textSizeLimit } from '../../../packages/files/files.ts'
import { takingTurns } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Clone } from './clone.ts'
import { checkSha, gitFailed, gitText, resolveObject, runGit, startGit } from './git.ts'

/** A file of a commit, with its object name. */
export interface TreeFile extends TreeEntry {
  readonly blob: string
}

export type TreeFiles = ReadonlyMap<string, TreeFile>

const treesKept = 8

/**
 * Lists trees and caches the last few; a commit never changes.
 *
 * @param complete brings what a commit needs, before it is listed
 */
export function createTreeReader(
  clone: Clone,
  complete: (sha: string) => Promise<void> = async () => {},
): (sha: string) => Promise<TreeFiles> {
  const known = new Map<string, Promise<TreeFiles>>()
  return (sha) => {
    const tree = known.get(sha) ?? complete(sha).then(() => listTree(clone, checkSha(sha)))
    known.delete(sha)
    known.set(sha, tree)
    const [oldest] = known.keys()
    if (known.size > treesKept && oldest !== undefined) known.delete(oldest)
    tree.catch(() => known.delete(sha))
    return tree
  }
}

async function listTree({ gitDir }: Clone, sha: string): Promise<TreeFiles> {
  const output = await gitText(['ls-tree', '-r', '-l', '-z', '--full-tree', sha], { gitDir })
  const tree = new Map<string, TreeFile>()
  for (const record of output.split('\0')) {
    const tab = record.indexOf('\t')
    const path = record.slice(tab + 1)
    const [mode = '', , blob = '', size = ''] = record.slice(0, tab).split(/ +/)
    // A name that is not UTF-8 can be neither shown nor written.
    if (tab < 0 || path.includes('\uFFFD')) continue
    tree.set(path, { path, mode: modeOf(mode), size: Number(size) || 0, blob })
  }
  return tree
}

/** Very old commits have modes such as 100664; git uses only their executable bit. */
function modeOf(mode: string): TreeEntry['mode'] {
  if (mode === '120000' || mode === '160000') return mode
  return Number.parseInt(mode, 8) & 0o100 ? '100755' : '100644'
}

export async function readTexts(
  { gitDir }: Clone,
  tree: TreeFiles,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const files = paths.flatMap((path) => {
    const file = tree.get(path)
    return file?.mode.startsWith('100') && file.size <= textSizeLimit ? [file] : []
  })
  const contents = await readObjects(gitDir, [...new Set(files.map(({ blob }) => blob))])
  return new Map(
    files.flatMap(({ path, blob }) => {
      const bytes = contents.get(blob)
      const text = bytes === undefined ? null : textOf(bytes)
      return text === null ? [] : [[path, text] as const]
    }),
  )
}

/** Returns true if `ancestor` is reachable from `sha`; false for a commit that is missing. */
export const contains = async (clone: Clone, sha: string, ancestor: string): Promise<boolean> =>
  (await askMergeBase(clone, ['--is-ancestor'], [ancestor, sha], [ancestor])) !== null

/** Returns `null` if there is none or a commit is missing. */
export const mergeBase = (clone: Clone, a: string, b: string): Promise<string | null> =>
  askMergeBase(clone, [], [a, b], [a, b])

/** Runs `git merge-base`; `null` for no, or if one of these commits is missing. */
async function askMergeBase(
  { gitDir }: Clone,
  options: readonly string[],
  commits: readonly string[],
  needed: readonly string[],
): Promise<string | null> {
  const args = ['merge-base', ...options, ...commits.map(checkSha)]
  const run = await runGit(args, { gitDir })
  if (run.code === 0) return run.text.trim()
  if (run.code > 1) {
    const there = await Promise.all(
      needed.map((sha) => resolveObject({ gitDir }, `${sha}^{commit}`)),
    )
    if (!there.includes(null)) throw gitFailed(args, run)
  }
  return null
}

/** Follows first parents; `null` beyond the root, or for a missing commit. */
export async function ancestor(
  { gitDir }: Clone,
  sha: string,
  steps: number,
): Promise<string | null> {
  if (!Number.isSafeInteger(steps) || steps < 0) throw new Error(`not a number of steps: ${steps}`)
  return resolveObject({ gitDir }, `${checkSha(sha)}~${steps}^{commit}`)
}

export async function treeOf({ gitDir }: Clone, commit: string): Promise<string> {
  const tree = await resolveObject({ gitDir }, `${checkSha(commit)}^{tree}`)
  if (tree === null) throw new ExecutorError('git_failed', `git rev-parse: there is no ${commit}`)
  return tree
}

export async function patch({ gitDir }: Clone, from: string, to: string): Promise<string> {
  const plain = ['--no-ext-diff', '--no-textconv', '--no-color']
  const args = ['diff-tree', '-p', '-r', '-M', ...plain, checkSha(from), checkSha(to)]
  return gitText(args, { gitDir })
}

export async function changedBetween(
  { gitDir }: Clone,
  from: string,
  to: string,
): Promise<DiffEntry[]> {
  const args = ['diff-tree', '-r', '-M', '--raw', '-z', '--no-abbrev', checkSha(from), checkSha(to)]
  return readRawDiff(await gitText(args, { gitDir }))
}

const statuses: Readonly<Record<string, DiffEntry['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  T: 'type_changed',
}

/** Reads raw diff output (`--raw -z`). @throws Error for an unknown status */
export function readRawDiff(output: string): DiffEntry[] {
  const fields = output.split('\0')
  const entries: DiffEntry[] = []
  let at = 0
  while (at + 1 < fields.length) {
    const [oldMode = '', newMode = '', , , letter = ''] = (fields[at++] ?? '').slice(1).split(' ')
    const status = statuses[letter.charAt(0)]
    if (status === undefined) throw new Error(`git diff: unknown status ${letter}`)
    const oldPath = fields[at++] ?? ''
    const path = status === 'renamed' ? (fields[at++] ?? '') : oldPath
    entries.push({ status, path, oldPath, oldMode, newMode })
  }
  return entries
}

/** Describes the objects that the expressions name; `null` for missing ones. */
export async function describeObjects(
  gitDir: string,
  expressions: readonly string[],
): Promise<
  readonly ({ readonly sha: string; readonly type: string; readonly size: number } | null)[]
> {
  if (expressions.length === 0) return []
  const input = `${expressions.join('\n')}\n`
  const output = await gitText(['cat-file', '--batch-check'], { gitDir, input })
  return output.split('\n').map((line) => {
    const [, sha = '', type = '', size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? []
    return size === undefined ? null : { sha, type, size: Number(size) }
  })
}

type ReadObjects = (shas: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>

/** One process per repository: starting git takes longer than its answer, so it stays a while. */
const readers = new Map<string, ReadObjects>()

/** Reads existing objects by name. @throws ExecutorError `git_missing`, `git_failed` */
export async function readObjects(
  gitDir: string,
  shas: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (shas.length === 0) return new Map()
  const read = () => (readers.get(gitDir) ?? openReader(gitDir))(shas)
  // An older reader may have ended, or may not see new objects.
  return readers.has(gitDir) ? read().catch(read) : read()
}

const idleMilliseconds = 2_000

/** Reads the output of `git cat-file --batch`, one object at a time; `null` for a missing one. */
function objectsOf(stdout: Readable): () => Promise<Buffer | null> {
  const chunks = stdout[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { value, done } = await chunks.next()
    if (done === true) throw new ExecutorError('git_failed', 'git cat-file: it ended early')
    return value as Buffer
  }
  const take = async (size: number): Promise<Buffer> => {
    const parts = [rest]
    for (let have = rest.length; have < size; have += parts.at(-1)?.length ?? 0) {
      parts.push(await more())
    }
    if (parts.length > 1) rest = Buffer.concat(parts)
    const taken = rest.subarray(0, size)
    // A copy, so that what was taken is not held until the next question.
    rest = Buffer.from(rest.subarray(size))
    return taken
  }
  return async () => {
    while (!rest.includes('\n')) rest = Buffer.concat([rest, await more()])
    const header = (await take(rest.indexOf('\n') + 1)).toString('latin1')
    const size = Number(header.split(' ')[2])
    if (!Number.isInteger(size)) return null
    return (await take(size + 1)).subarray(0, size)
  }
}

/** A `git cat-file --batch` that answers one request at a time and keeps no process alive. */
function openReader(gitDir: string): ReadObjects {
  const child = startGit(['cat-file', '--batch'], { gitDir }, 'pipe')
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('git cat-file has no pipes.')
  const all = [child, ...child.stdio].filter((each) => each != null && 'unref' in each)
  child.on('error', (cause) =>
    stdout.destroy(new ExecutorError('git_missing', cause.message, { cause })),
  )
  stdin.on('error', () => {})
  child.stderr?.resume()
  const readOne = objectsOf(stdout)
  const read = async (shas: readonly string[]) => {
    clearTimeout(idle)
    for (const each of all) each.ref()
    stdin.write(`${shas.join('\n')}\n`)
    try {
      const found: (readonly [sha: string, content: Buffer | null])[] = []
      for (const sha of shas) found.push([sha, await readOne()])
      return found
    } catch (error) {
      end()
      throw error
    } finally {
      for (const each of all) each.unref()
      idle = setTimeout(end, idleMilliseconds).unref()
    }
  }
  let idle: NodeJS.Timeout | undefined
  const inTurn = takingTurns()
  const reader: ReadObjects = async (shas) => {
    const found = await inTurn(() => read(shas))
    const contents = new Map(found.flatMap(([sha, content]) => (content ? [[sha, content]] : [])))
    const missing = found.find(([, content]) => content === null)
    if (missing === undefined) return contents
    // Requests that already wait here still get their answer.
    forget()
    throw new ExecutorError('git_failed', `git cat-file: ${missing[0]} cannot be read`)
  }
  const forget = () => {
    if (readers.get(gitDir) === reader) readers.delete(gitDir)
  }
  const end = () => {
    forget()
    stdin.end()
    stdout.destroy()
  }
  readers.set(gitDir, reader)
  return reader
}
