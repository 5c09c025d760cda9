/** The folders that tasks work in: plain files, with the index and git directory elsewhere. */

import type { Stats } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ChangeSet, DiffEntry, Folder, WriteResult } from '../../../packages/change/change.ts'
import { errorCode, lstatOrNull, removeFolder } from '../../../packages/files/files.ts'
import type { Clone } from './clone.ts'
import { checkSha, type GitCall, gitBytes, gitText, recordsIn, runGit } from './git.ts'
import { readRawDiff, type TreeFiles } from './trees.ts'
import { writeChanges } from './write.ts'

/** Checks out exactly the commit, with one git process, into an empty index and folder. */
export async function checkOut(clone: Clone, name: string, sha: string): Promise<Folder> {
  checkSha(sha)
  await discard(clone, name)
  const path = await makePlace(folderPath(clone, name))
  await mkdir(join(clone.home, 'indexes'), { recursive: true })
  const call = inFolder(clone, path, indexPath(clone, name))
  await gitBytes(['read-tree', '-m', '-u', sha], call)
  if (clone.modules !== undefined) await fillSubmodules(clone.modules, call)
  return { name, path, sha }
}

/** Makes an empty folder here, or next to the one that could not be removed. */
async function makePlace(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  for (let tries = 1; ; tries++) {
    // No other name of a folder has this character.
    const place = tries === 1 ? path : `${path}~${tries}`
    try {
      await mkdir(place)
      return place
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}

/** Removes the folder. What resists stays: a test's files never end a run. */
export async function discard(
  clone: Clone,
  name: string,
  path = folderPath(clone, name),
): Promise<void> {
  const index = indexPath(clone, name)
  await removeFolder(path).catch(() => undefined)
  await Promise.all([index, `${index}.lock`].map(removeFolder))
}

/** Refuses a path that could not be committed: at or below a link in the folder's commit. */
export async function write(
  clone: Clone,
  tree: TreeFiles,
  folder: Folder,
  changes: ChangeSet,
): Promise<WriteResult> {
  for (const { path } of changes) {
    const reason = linkOnTheWay(tree, path)
    if (reason !== null) return { status: 'refused', path, reason }
  }
  const staging = join(clone.work, 'staging', checkName(folder.name))
  return writeChanges(folder.path, changes, staging)
}

function linkOnTheWay(tree: TreeFiles, path: string): string | null {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth++) {
    const shown = parts.slice(0, depth).join('/')
    const mode = tree.get(shown)?.mode
    if (mode === '120000') return `${shown} is a symlink`
    if (mode === '160000') return `${shown} is a submodule`
  }
  return null
}

/** Leaves out ignored files; shows a repository inside the folder as one added link. */
export async function diff(clone: Clone, folder: Folder): Promise<DiffEntry[]> {
  const { path } = folder
  const index = indexPath(clone, folder.name)
  const call = inFolder(clone, path, index)
  if ((await lstatOrNull(index)) === null) await gitBytes(['read-tree', checkSha(folder.sha)], call)
  // Otherwise git would read the configuration of a planted repository.
  const plain = ['--raw', '-z', '--no-abbrev', '--ignore-submodules=all', '--no-ext-diff']
  const [raw, untracked] = await Promise.all([
    gitText(['diff', '--no-renames', ...plain, '--no-textconv'], call),
    gitText(['ls-files', '-z', '-o', '--exclude-standard'], call),
  ])
  const added = untracked.split('\0').filter((each) => each !== '')
  const entries = await Promise.all(added.map((each) => addedAt(path, each)))
  return [...readRawDiff(raw), ...entries.flatMap((entry) => entry ?? [])]
}

/** An untracked file, link or nested repository, whose name git ends with a slash. */
async function addedAt(folder: string, name: string): Promise<DiffEntry | null> {
  const path = name.replace(/\/$/, '')
  const found = await lstatOrNull(join(folder, path))
  if (found === null) return null
  const newMode = path === name ? modeOf(found) : '160000'
  return { status: 'added', path, oldPath: path, oldMode: '000000', newMode }
}

function modeOf(found: Stats): string {
  if (found.isSymbolicLink()) return '120000'
  return found.mode & 0o100 ? '100755' : '100644'
}

/** Ensures that the name is safe as a file name and in a message. */
function checkName(name: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name)) throw new Error(`bad folder name: ${name}`)
  return name
}

const folderPath = (clone: Clone, name: string): string =>
  join(clone.work, 'folders', checkName(name))

const indexPath = (clone: Clone, name: string): string =>
  join(clone.home, 'indexes', checkName(name))

const inFolder = (clone: Clone, workTree: string, index: string) =>
  ({ gitDir: clone.gitDir, workTree, env: { GIT_INDEX_FILE: index } }) satisfies GitCall

/** Submodules in submodules. */
const deepest = 4

/**
 * Checks out the commit of each submodule. One that the user has not initialised stays empty.
 *
 * @param modules git's directory of the user's submodules, as `.git/modules`
 * @param folder the call for the folder, whose index names the commits
 */
async function fillSubmodules(
  modules: string,
  folder: Required<Pick<GitCall, 'gitDir' | 'workTree' | 'env'>>,
  depth = 0,
): Promise<void> {
  const { workTree, env } = folder
  const list = join(workTree, '.gitmodules')
  if (depth === deepest || !(await lstatOrNull(list))?.isFile()) return
  const asked = ['config', '--file', list, '--null', '--get-regexp', '^submodule\\..*\\.path$']
  const named = recordsIn((await runGit(asked, folder)).text, 1).flatMap(([record = '']) => {
    const [, name = '', path = ''] = /^submodule\.(.+)\.path\n(.+)$/s.exec(record) ?? []
    return name === '' || name.split('/').includes('..') ? [] : [{ name, path }]
  })
  for (const { name, path } of named) {
    const gitDir = join(modules, name)
    // A path that is none of the index, or outside, is no entry.
    const { text: entry } = await runGit(['ls-files', '--stage', '-z', '--', path], folder)
    const [, sha = '', at] = /^160000 ([0-9a-f]+) 0\t([^\0]+)\0$/.exec(entry) ?? []
    if (at !== path || !(await lstatOrNull(gitDir))?.isDirectory()) continue
    const index = `${env.GIT_INDEX_FILE}.module`
    const inner = { gitDir, workTree: join(workTree, path), env: { GIT_INDEX_FILE: index } }
    await mkdir(inner.workTree, { recursive: true })
    const filled = await runGit(['read-tree', '-m', '-u', sha], inner)
    if (filled.code === 0) await fillSubmodules(join(gitDir, 'modules'), inner, depth + 1)
    await rm(index, { force: true })
  }
}
