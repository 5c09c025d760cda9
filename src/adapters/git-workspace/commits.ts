/** Creates commits in memory with one `git fast-import`, independent of any folder or index. */
import { createHash, randomUUID } from 'node:crypto'
import { type ChangeSet, type FileChange, newFileMode } from '../../../packages/change/change.ts'
import { pathProblem } from '../../../packages/files/files.ts'
import type { CommitRequest } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { checkSha, gitText } from './git.ts'
import type { TreeFiles } from './trees.ts'

export interface Identity {
  readonly name: string
  readonly email: string
}

/** @property now ISO 8601 */
export interface CommitAuthor extends Identity {
  readonly now: string
}

interface CommittedFile {
  readonly path: string
  /** That of a new file by default. */
  readonly mode?: string | null
  /** `null` deletes the file. */
  readonly text: string | null
}

export interface NewCommit {
  readonly parents?: readonly string[]
  /** The tree that the files change; by default the first parent's. */
  readonly tree?: string | null
  readonly files?: readonly CommittedFile[]
  readonly message: string
}

/** A change that does not fit the parent's tree is a bug, and throws. */
export async function commit(
  clone: Clone,
  tree: TreeFiles,
  { parents, changes, message }: CommitRequest,
  author: CommitAuthor,
): Promise<string> {
  if (parents.length === 0) throw new Error('a commit needs a parent')
  return importCommit(clone, { parents, files: filesOf(tree, changes), message }, author)
}

/** A ref of its own keeps the commit from being collected, and two at once from colliding. */
export async function importCommit(
  clone: Clone,
  commit: NewCommit,
  author: CommitAuthor,
): Promise<string> {
  const body = bodyOf(commit, author)
  const name = createHash('sha256')
  for (const part of body) name.update(part)
  const [sha = ''] = await importBodies(clone, [[name.digest('hex'), body]])
  return sha
}

const nobody: CommitAuthor = { name: 'search', email: '', now: '1970-01-01T00:00:00Z' }

/** Creates a commit that is only read, and soon: its ref is gone when this returns. */
export async function commitForReading(
  { gitDir }: Clone,
  tree: TreeFiles,
  parent: string,
  changes: ChangeSet,
): Promise<string> {
  const ref = `refs/executor/search/${randomUUID()}`
  const made = { parents: [parent], files: filesOf(tree, changes), message: 'search\n' }
  const gone = `reset ${ref}\nfrom ${'0'.repeat(parent.length)}\n\n`
  const [sha = ''] = await importStream(gitDir, [
    ...[`commit ${ref}\nmark :1\n`, ...bodyOf(made, nobody)],
    ...['get-mark :1\n', gone],
  ])
  return sha
}

/** Creates commits for an immediate push; their refs are reused the next time. */
export function importPassing(
  clone: Clone,
  commits: readonly NewCommit[],
  author: CommitAuthor,
): Promise<readonly string[]> {
  return importBodies(
    clone,
    commits.map((commit, index) => [`made/${index + 1}`, bodyOf(commit, author)]),
  )
}

/** Imports the commits, each with the suffix of its ref, in one `git fast-import`. */
async function importBodies(
  { gitDir }: Clone,
  bodies: readonly (readonly [ref: string, body: readonly string[]])[],
): Promise<readonly string[]> {
  if (bodies.length === 0) return []
  // Joined once: a file may be a megabyte.
  const commits = bodies.flatMap(([ref, body], index) => [
    `commit refs/executor/${ref}\nmark :${index + 1}\n`,
    ...body,
  ])
  const asked = bodies.map((_, index) => `get-mark :${index + 1}\n`)
  return importStream(gitDir, [...commits, ...asked])
}

/** Returns the commits whose marks the stream asks for. */
async function importStream(gitDir: string, stream: readonly string[]): Promise<readonly string[]> {
  const input = [...stream, 'done\n'].join('')
  const args = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw']
  return (await gitText(args, { gitDir, input })).trim().split('\n').map(checkSha)
}

function bodyOf(
  { parents = [], tree = null, files = [], message }: NewCommit,
  { name, email, now }: CommitAuthor,
): readonly string[] {
  const who = `${clean(name)} <${clean(email)}> ${Math.floor(Date.parse(now) / 1000)} +0000`
  return [
    `author ${who}\ncommitter ${who}\n`,
    data(message),
    ...parents.map((parent, index) => `${index === 0 ? 'from' : 'merge'} ${checkSha(parent)}\n`),
    tree === null ? '' : `M 040000 ${checkSha(tree)} ""\n`,
    ...files.map(({ path, mode, text }) =>
      text === null
        ? `D ${quotedPath(path)}\n`
        : `M ${mode ?? newFileMode(text)} inline ${quotedPath(path)}\n${data(text)}`,
    ),
  ]
}

/** Deletions come first, so that a directory can take the name of a deleted file. */
function filesOf(tree: TreeFiles, changes: ChangeSet): readonly CommittedFile[] {
  const left = new Map(tree)
  const deleted = changes.filter((change) => change.action === 'delete')
  for (const change of deleted) {
    if (!left.delete(change.path)) throw misfit(change, 'is not there')
  }
  const directories = directoriesOf(left.keys())
  return [
    ...deleted.map(({ path }) => ({ path, text: null })),
    ...changes.flatMap((change) => {
      if (change.action === 'delete') return []
      const { path, content } = change
      checkPlace(left, directories, change)
      return [{ path, mode: left.get(path)?.mode ?? null, text: content }]
    }),
  ]
}

function checkPlace(tree: TreeFiles, directories: ReadonlySet<string>, change: FileChange): void {
  const problem = pathProblem(change.path)
  if (problem !== null) throw misfit(change, problem)
  if (directories.has(change.path)) throw misfit(change, 'is a directory')
  const old = tree.get(change.path)
  if (old && !old.mode.startsWith('100')) throw misfit(change, 'is not a regular file')
  if (!old && change.action === 'modify') throw misfit(change, 'is not there')
  for (const parent of directoriesOf([change.path])) {
    if (tree.has(parent)) throw misfit(change, `${parent} is not a directory`)
  }
}

function directoriesOf(paths: Iterable<string>): ReadonlySet<string> {
  const directories = new Set<string>()
  for (const path of paths) {
    let end = path.lastIndexOf('/')
    while (end > 0 && !directories.has(path.slice(0, end))) {
      directories.add(path.slice(0, end))
      end = path.lastIndexOf('/', end - 1)
    }
  }
  return directories
}

const misfit = (change: FileChange, reason: string): Error =>
  new Error(`cannot commit ${change.action} ${change.path}: ${reason}`)

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

/** Quotes a path as a C string for fast-import. */
const quotedPath = (path: string): string =>
  `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`

/** Removes characters that would end the line or the name. */
const clean = (text: string): string => text.replace(/[\x00-\x1f\x7f<>]/g, ' ').trim()
