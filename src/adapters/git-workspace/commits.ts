/** New commits, made in memory by one `git fast-import`; no folder and no index has a say in them. */
import { createHash } from 'node:crypto'
import type { ChangeSet, FileChange } from '../../core/domain/change-set.ts'
import type { CommitRequest } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { checkSha, gitText } from './git.ts'
import { pathProblem } from './repository-path.ts'
import type { Tree } from './trees.ts'

export interface Identity {
  readonly name: string
  readonly email: string
}

/** `now` is ISO time. */
export interface CommitAuthor extends Identity {
  readonly now: string
}

/** A change that does not fit the parent's tree is a bug, and throws. */
export async function commit(
  clone: Clone,
  tree: Tree,
  request: CommitRequest,
  author: CommitAuthor,
): Promise<string> {
  const [first, ...others] = request.parents.map(checkSha)
  if (first === undefined) throw new Error('a commit needs a parent')
  return importCommit(clone, author, request.message, [
    Buffer.from(`from ${first}\n${others.map((parent) => `merge ${parent}\n`).join('')}`),
    ...fileCommands(tree, request.changes),
  ])
}

/** A commit without a parent, that holds one file. */
export async function commitAlone(
  clone: Clone,
  file: { readonly path: string; readonly text: string },
  message: string,
  author: CommitAuthor,
): Promise<string> {
  const command = Buffer.from(`M 100644 inline ${quotedPath(file.path)}\n`)
  return importCommit(clone, author, message, [command, data(file.text)])
}

export function signature({ name, email, now }: CommitAuthor): string {
  const seconds = Math.floor(Date.parse(now) / 1000)
  return `${clean(name)} <${clean(email)}> ${seconds} +0000`
}

/** A commit that joins two: of the first one's tree (`null`), or of the tree named, with these files in it. */
export async function commitMerge(
  clone: Clone,
  [ours, theirs]: readonly [string, string],
  tree: string | null,
  files: readonly { readonly path: string; readonly mode: string; readonly text: string }[],
  message: string,
  author: CommitAuthor,
): Promise<string> {
  return importCommit(clone, author, message, [
    Buffer.from(`from ${checkSha(ours)}\nmerge ${checkSha(theirs)}\n`),
    ...(tree === null ? [] : [Buffer.from(`M 040000 ${checkSha(tree)} ""\n`)]),
    ...files.flatMap(({ path, mode, text }) => [
      Buffer.from(`M ${mode} inline ${quotedPath(path)}\n`),
      data(text),
    ]),
  ])
}

/** A commit that holds exactly this tree. */
export async function commitTree(
  clone: Clone,
  [first, ...others]: readonly string[],
  tree: string,
  message: string,
  author: CommitAuthor,
): Promise<string> {
  if (first === undefined) throw new Error('a commit needs a parent')
  const merged = others.map((parent) => `merge ${checkSha(parent)}\n`).join('')
  return importCommit(clone, author, message, [
    Buffer.from(`from ${checkSha(first)}\n${merged}M 040000 ${checkSha(tree)} ""\n`),
  ])
}

async function importCommit(
  { gitDir }: Clone,
  author: CommitAuthor,
  message: string,
  commands: readonly Buffer[],
): Promise<string> {
  const who = signature(author)
  const start = Buffer.from(`author ${who}\ncommitter ${who}\n`)
  const body = Buffer.concat([start, data(message), ...commands])
  // A ref of its own keeps the commit from being collected, and two at once from meeting.
  const ref = `refs/executor/${createHash('sha256').update(body).digest('hex')}`
  const input = Buffer.concat([
    Buffer.from(`commit ${ref}\nmark :1\n`),
    body,
    Buffer.from('get-mark :1\ndone\n'),
  ])
  const args = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw']
  const output = await gitText(args, { gitDir, input })
  return checkSha(output.trim())
}

/** Deletions first, so that a file can make room for a directory of its name. */
function fileCommands(tree: Tree, changes: ChangeSet): Buffer[] {
  const deleted = changes.filter((change) => change.action === 'delete')
  const left = new Map(tree)
  for (const change of deleted) {
    if (!left.delete(change.path)) throw misfit(change, 'is not there')
  }
  const directories = directoriesOf(left.keys())
  return [
    ...deleted.map((change) => Buffer.from(`D ${quotedPath(change.path)}\n`)),
    ...changes.flatMap((change) => {
      if (change.action === 'delete') return []
      checkPlace(left, directories, change)
      const mode = left.get(change.path)?.mode ?? '100644'
      return [Buffer.from(`M ${mode} inline ${quotedPath(change.path)}\n`), data(change.content)]
    }),
  ]
}

function checkPlace(tree: Tree, directories: ReadonlySet<string>, change: FileChange): void {
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

export const data = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

/** A path as fast-import reads it: a C string. */
export const quotedPath = (path: string): string =>
  `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`

/** What would end the line or the name. */
const clean = (text: string): string => text.replace(/[\x00-\x1f\x7f<>]/g, ' ').trim()
