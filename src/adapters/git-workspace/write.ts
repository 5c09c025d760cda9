/**
 * Puts a change set on disk, all of it or nothing. New texts are first written beside the folder,
 * where a full disk does no harm; then files change places by renaming, each step with its undoing.
 */
import { mkdir, open, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ChangeSet, contentAfter, type FileChange } from '../../core/domain/change-set.ts'
import type { WriteResult } from '../../core/ports/workspace.ts'
import { lstatOrNull, makeWay, pathProblem, readRegular, wayTo } from '../lent-folder.ts'
import { errorCode, useFile } from '../plain-file.ts'

interface Writing {
  readonly folder: string
  /** A directory of ours on the same file system: new texts wait here, old files rest here. */
  readonly staging: string
  readonly undo: (() => Promise<unknown>)[]
}

const order: readonly FileChange['action'][] = ['delete', 'modify', 'create']

const plainWords: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENAMETOOLONG: 'the name is too long',
}

/** What no other change would be spared: it says nothing about this one. */
const ofMachine: ReadonlySet<string> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'],
])

/** Follows no symlink; `staging` must be on the folder's file system and is gone afterwards. */
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

/** A step's own reason, or what the system had against it. @throws Error what it has against all of them */
async function inWords(step: () => Promise<string | null>): Promise<string | null> {
  try {
    return await step()
  } catch (error) {
    const code = errorCode(error)
    if (code === null || ofMachine.has(code)) throw error
    return `${plainWords[code] ?? 'the file system refused'} (${code})`
  }
}

/** Refuses what can be refused without looking, and writes the new text beside the folder. */
async function stage(writing: Writing, change: FileChange, index: number): Promise<string | null> {
  const problem = pathProblem(change.path)
  const content = contentAfter(change)
  if (problem !== null || content === undefined) return problem
  const file = await open(stagedPath(writing, index), 'wx', 0o666)
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

/** Moves the old file out, once it is what the change was made against; its mode goes to the new one. */
async function takeAway(
  { folder, staging, undo }: Writing,
  change: Exclude<FileChange, { action: 'create' }>,
  index: number,
): Promise<string | null> {
  const way = await wayTo(folder, change.path)
  if (way.status === 'blocked') return way.reason
  const target = join(folder, change.path)
  const found = way.status === 'open' ? await lstatOrNull(target) : null
  if (found === null) return 'the file is not there'
  if (found.isSymbolicLink()) return 'it is a symlink'
  if (!found.isFile()) return 'it is not a regular file'
  const bytes = await readRegular(folder, change.path)
  if (bytes === null || !bytes.equals(Buffer.from(change.before))) {
    return 'the file changed under us'
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

/** As git does: a directory is there for its files. */
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
