/**
 * Writes a change set to disk, all or nothing. New texts are first written outside the folder,
 * where a full disk does no harm; then files are swapped by renaming, with an undo for each step.
 */
import { mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type ChangeSet,
  contentAfter,
  type FileChange,
  newFileMode,
  type WriteResult,
} from '../../../packages/change/change.ts'
import {
  errorCode,
  lstatOrNull,
  makeWay,
  pathProblem,
  readRegular,
  useFile,
  wayTo,
} from '../../../packages/files/files.ts'

interface Writing {
  readonly folder: string
  /** A private directory on the same file system, for new texts and old files. */
  readonly staging: string
  readonly undo: (() => Promise<unknown>)[]
}

const order: readonly FileChange['action'][] = ['delete', 'modify', 'create']

const plainWords: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENAMETOOLONG: 'the name is too long',
}

/** Errors of the machine, which say nothing about this change. */
const ofMachine: ReadonlySet<string> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'],
])

/** Follows no symlink. `staging` must be on the folder's file system, and is removed afterwards. */
export async function writeChanges(
  folder: string,
  changes: ChangeSet,
  staging: string,
): Promise<WriteResult> {
  const writing: Writing = { folder, staging, undo: [] }
  const sorted = order.flatMap((action) => changes.filter((change) => change.action === action))
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { recursive: true, mode: 0o700 })
  try {
    return await runAll(writing, sorted)
  } catch (error) {
    await undoAll(writing)
    throw error
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function runAll(writing: Writing, changes: ChangeSet): Promise<WriteResult> {
  for (const step of [stage, apply]) {
    for (const [index, change] of changes.entries()) {
      const reason = await inWords(() => step(writing, change, index))
      if (reason === null) continue
      await undoAll(writing)
      return { status: 'refused', path: change.path, reason }
    }
  }
  return { status: 'written' }
}

async function undoAll({ undo }: Writing): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step()
}

/** Returns a step's reason, or the system's. @throws Error for an error of the machine */
async function inWords(step: () => Promise<string | null>): Promise<string | null> {
  try {
    return await step()
  } catch (error) {
    const code = errorCode(error)
    if (code === null || ofMachine.has(code)) throw error
    return `${plainWords[code] ?? 'the file system refused'} (${code})`
  }
}

/** Checks the path and writes the new text to the staging directory. */
async function stage(writing: Writing, change: FileChange, index: number): Promise<string | null> {
  const problem = pathProblem(change.path)
  const content = contentAfter(change)
  if (problem !== null || content === undefined) return problem
  const mode = newFileMode(content) === '100755' ? 0o777 : 0o666
  const file = await open(stagedPath(writing, index), 'wx', mode)
  await useFile(file, () => file.writeFile(content))
  return null
}

async function apply(writing: Writing, change: FileChange, index: number): Promise<string | null> {
  if (change.action === 'create') return createFile(writing, change.path, index)
  const reason = await takeAway(writing, change, index)
  if (reason !== null) return reason
  if (change.action === 'modify') return putInPlace(writing, change.path, index)
  return removeEmptyParents(writing, change.path)
}

async function createFile(writing: Writing, path: string, index: number): Promise<string | null> {
  const blocked = await makeWay(writing.folder, path, (directory) =>
    writing.undo.push(() => rmdir(directory)),
  )
  if (blocked !== null) return blocked
  const there = await lstatOrNull(join(writing.folder, path))
  return there === null ? putInPlace(writing, path, index) : 'something of this name is there'
}

async function putInPlace(writing: Writing, path: string, index: number): Promise<null> {
  const target = join(writing.folder, path)
  await rename(stagedPath(writing, index), target)
  writing.undo.push(() => rm(target))
  return null
}

/** Moves the old file out if it still has the expected text; the new file gets its mode. */
async function takeAway(
  { folder, staging, undo }: Writing,
  change: Exclude<FileChange, { action: 'create' }>,
  index: number,
): Promise<string | null> {
  const way = await wayTo(folder, change.path)
  if (way.status === 'blocked') return way.reason
  const target = join(folder, change.path)
  const found = way.status === 'open' ? await lstatOrNull(target) : null
  if (found === null) return 'the file does not exist'
  if (found.isSymbolicLink()) return 'it is a symlink'
  if (!found.isFile()) return 'it is not a regular file'
  const bytes = await readRegular(folder, change.path)
  if (bytes === null || !bytes.equals(Buffer.from(change.before))) {
    return 'the file changed meanwhile'
  }
  if (change.action === 'modify') {
    const staged = await open(join(staging, `new-${index}`), 'r+')
    await useFile(staged, () => staged.chmod(found.mode & 0o777))
  }
  const old = join(staging, `old-${index}`)
  await rename(target, old)
  undo.push(() => rename(old, target))
  return null
}

/** Like git, which keeps no empty directories. */
async function removeEmptyParents({ folder, undo }: Writing, path: string): Promise<null> {
  for (let shown = dirname(path); shown !== '.'; shown = dirname(shown)) {
    const directory = join(folder, shown)
    const { mode } = await stat(directory)
    try {
      await rmdir(directory)
    } catch (error) {
      const code = errorCode(error)
      if (code === 'ENOTEMPTY' || code === 'EEXIST') return null
      throw error
    }
    undo.push(() => mkdir(directory, mode & 0o777))
  }
  return null
}

const stagedPath = ({ staging }: Writing, index: number): string => join(staging, `new-${index}`)
