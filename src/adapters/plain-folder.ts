/** A user's folder, with or without git, read and changed without following symlinks. */
import { mkdtemp, readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChangeSet, WriteResult } from '../../packages/change/change.ts'
import { errorCode, lstatOrNull, readFolder } from '../../packages/files/files.ts'
import { ExecutorError } from '../core/domain/errors.ts'
import { writeChanges } from './git-workspace/write.ts'

export interface PlainFolder {
  readonly root: string
  /** Reads the files that exist, except those that are not text, too large or behind a link. */
  readTexts(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The git modes of everything next to these paths and in the folders above them. */
  modesAround(paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Every file outside git and installed packages, not behind a link; up to a maximum. */
  paths(): Promise<readonly string[]>
  /** Writes all changes or none. */
  write(changes: ChangeSet): Promise<WriteResult>
}

/** @throws ExecutorError `bad_usage` for a missing folder */
export async function openPlainFolder(path: string): Promise<PlainFolder> {
  const root = await realpath(path).catch(() => null)
  const found = root === null ? null : await lstatOrNull(root)
  if (root === null || !found?.isDirectory()) {
    throw new ExecutorError('bad_usage', `There is no folder ${path}.`)
  }
  return {
    root,
    readTexts: (paths) => readFolder(root, paths),
    modesAround: (paths) => modesAround(root, paths),
    paths: () => pathsBelow(root),
    write: async (changes) =>
      writeChanges(root, changes, await mkdtemp(join(root, '.executor-apply-'))),
  }
}

const mostPaths = 50_000
const foreign = /^(?:\.git|node_modules|\.venv|venv|__pycache__|target|vendor)$/

async function pathsBelow(root: string): Promise<readonly string[]> {
  const paths: string[] = []
  const folders = ['']
  for (const folder of folders) {
    if (paths.length > mostPaths) break
    for (const entry of await entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile()) paths.push(path)
      else if (entry.isDirectory() && !foreign.test(entry.name)) folders.push(path)
    }
  }
  return paths.slice(0, mostPaths)
}

async function modesAround(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const modes = new Map<string, string>()
  const looked = new Set<string>()
  for (const path of paths) {
    const names = path.split('/')
    for (let depth = 0; depth < names.length; depth += 1) {
      const folder = names.slice(0, depth).join('/')
      if (looked.has(folder)) continue
      looked.add(folder)
      if (!(await lookInto(root, folder, modes))) break
    }
  }
  return modes
}

/** Returns false without a real folder to read. */
async function lookInto(
  root: string,
  folder: string,
  modes: Map<string, string>,
): Promise<boolean> {
  const full = join(root, folder)
  const found = await lstatOrNull(full)
  if (!found?.isDirectory()) return false
  const prefix = folder === '' ? '' : `${folder}/`
  for (const entry of await entriesOf(full)) {
    const path = `${prefix}${entry.name}`
    if (entry.isSymbolicLink()) modes.set(path, '120000')
    else if (!entry.isDirectory()) modes.set(path, '100644')
    else if ((await lstatOrNull(join(full, entry.name, '.git'))) !== null) modes.set(path, '160000')
    // The deeper path shows that it is a folder.
    else modes.set(`${path}/`, '040000')
  }
  return true
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (errorCode(error) === null) throw error
    return []
  }
}
