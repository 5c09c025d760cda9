/** Commits, read: their files, their texts, how they relate and differ. */
import type { DiffEntry, TreeEntry } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { checkSha, gitBytes, gitFailed, gitText, runGit } from './git.ts'
import { readRawDiff } from './raw-diff.ts'
import { textOf, textSizeLimit } from './text.ts'

/** A file of a commit, with the name of its content. */
export interface TreeFile extends TreeEntry {
  readonly blob: string
}

export type Tree = ReadonlyMap<string, TreeFile>

const treesKept = 8

/** Lists trees and remembers the last few: a commit never changes. */
export function createTreeReader(clone: Clone): (sha: string) => Promise<Tree> {
  const known = new Map<string, Promise<Tree>>()
  return (sha) => {
    const tree = known.get(sha) ?? listTree(clone, checkSha(sha))
    known.delete(sha)
    known.set(sha, tree)
    const [oldest] = known.keys()
    if (known.size > treesKept && oldest !== undefined) known.delete(oldest)
    tree.catch(() => known.delete(sha))
    return tree
  }
}

async function listTree({ gitDir }: Clone, sha: string): Promise<Tree> {
  const output = await gitText(['ls-tree', '-r', '-l', '-z', '--full-tree', sha], { gitDir })
  const tree = new Map<string, TreeFile>()
  for (const record of output.split('\0')) {
    const tab = record.indexOf('\t')
    const path = record.slice(tab + 1)
    const [mode = '', , blob = '', size = ''] = record.slice(0, tab).split(/ +/)
    // A name that is not UTF-8 has no spelling here, so it can be neither shown nor written.
    if (tab < 0 || path.includes('\uFFFD')) continue
    tree.set(path, { path, mode: modeOf(mode), size: Number(size) || 0, blob })
  }
  return tree
}

/** Very old commits hold modes such as 100664; git checks them out by their executable bit. */
function modeOf(mode: string): TreeEntry['mode'] {
  if (mode === '120000' || mode === '160000') return mode
  return Number.parseInt(mode, 8) & 0o100 ? '100755' : '100644'
}

/** The contents of blobs, text only, by blob name. */
async function readBlobs(
  { gitDir }: Clone,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  if (blobs.length === 0) return texts
  const output = await gitBytes(['cat-file', '--batch'], { gitDir, input: `${blobs.join('\n')}\n` })
  let at = 0
  for (const blob of blobs) {
    const newline = output.indexOf('\n', at)
    const size = Number(output.toString('latin1', at, newline).split(' ')[2])
    if (!Number.isInteger(size)) throw new Error(`git cat-file: ${blob} cannot be read`)
    const text = textOf(output.subarray(newline + 1, newline + 1 + size))
    if (text !== null) texts.set(blob, text)
    at = newline + size + 2
  }
  return texts
}

export async function readTexts(
  clone: Clone,
  tree: Tree,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const files = paths.flatMap((path) => {
    const file = tree.get(path)
    return file?.mode.startsWith('100') && file.size <= textSizeLimit ? [file] : []
  })
  const texts = await readBlobs(clone, [...new Set(files.map((file) => file.blob))])
  return new Map(
    files.flatMap(({ path, blob }) => {
      const text = texts.get(blob)
      return text === undefined ? [] : [[path, text] as const]
    }),
  )
}

/** True when `ancestor` is reachable from `sha`; a commit that is not here is reachable from nothing. */
export async function contains({ gitDir }: Clone, sha: string, ancestor: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', checkSha(ancestor), checkSha(sha)]
  const run = await runGit(args, { gitDir })
  if (run.code <= 1) return run.code === 0
  if (await isThere(gitDir, ancestor)) throw gitFailed(args, run)
  return false
}

async function isThere(gitDir: string, sha: string): Promise<boolean> {
  return (await runGit(['cat-file', '-e', `${sha}^{commit}`], { gitDir })).code === 0
}

/** `null` when they have none, or when one of them is not here. */
export async function mergeBase({ gitDir }: Clone, a: string, b: string): Promise<string | null> {
  const args = ['merge-base', checkSha(a), checkSha(b)]
  const run = await runGit(args, { gitDir })
  if (run.code === 0) return run.stdout.toString('utf8').trim()
  if (run.code > 1 && (await isThere(gitDir, a)) && (await isThere(gitDir, b))) {
    throw gitFailed(args, run)
  }
  return null
}

/** By first parent; `null` beyond the root, and for what is not here. */
export async function ancestor(
  { gitDir }: Clone,
  sha: string,
  steps: number,
): Promise<string | null> {
  if (!Number.isSafeInteger(steps) || steps < 0) throw new Error(`not a number of steps: ${steps}`)
  const args = ['rev-parse', '--verify', '--quiet', `${checkSha(sha)}~${steps}^{commit}`]
  const run = await runGit(args, { gitDir })
  return run.code === 0 ? run.stdout.toString('utf8').trim() : null
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
