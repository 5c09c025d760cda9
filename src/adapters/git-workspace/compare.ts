/** Compares two commits that grew apart: commits and files of each side, and their merge. */

import { textOf, textSizeLimit } from '../../../packages/files/files.ts'
import type { ChangedFile } from '../../core/domain/overtaken.ts'
import type { ComparedSide, ComparedSides, ComparedWork } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { checkSha, gitText, recordsIn, startGit } from './git.ts'
import { mergeTrees } from './merge.ts'
import { describeObjects, readObjects } from './trees.ts'

export async function compare(clone: Clone, sides: ComparedSides): Promise<ComparedWork> {
  const { ours, theirs, base } = sides
  const [own, other, merge] = await Promise.all([
    readSide(clone, ours, [theirs, base], 'ours'),
    readSide(clone, theirs, [ours, base], 'theirs'),
    previewMerge(clone, sides),
  ])
  return { ours: own, theirs: other, merge }
}

const mostCommits = 20

async function readSide(
  { gitDir }: Clone,
  sha: string,
  without: readonly string[],
  whose: 'ours' | 'theirs',
): Promise<ComparedSide> {
  // An attempt that starts elsewhere has the earlier ones as second parents.
  const along = whose === 'ours' ? ['--first-parent'] : []
  const range = [...along, checkSha(sha), '--not', ...without.map(checkSha), '--']
  const merges = whose === 'ours' ? '--diff-merges=first-parent' : '--no-merges'
  const format = `--format=${['%H', '%an', '%s'].join('%x00')}%x00`
  const plain = ['--no-show-signature', '--no-decorate', `--max-count=${mostCommits}`]
  const [count, said, files] = await Promise.all([
    gitText(['rev-list', '--count', ...range], { gitDir }),
    gitText(['log', ...plain, format, ...range], { gitDir }),
    readFiles(gitDir, range, merges),
  ])
  const commits = recordsIn(said, 3).map(([each = '', author = '', title = '']) => ({
    ...{ sha: each, author, title },
  }))
  return { commits, count: Number(count), files }
}

/** A huge side must not keep the run waiting. */
const mostSeconds = 10
const mostBytes = 4 * 1024 * 1024

/**
 * Sums the lines that the commits change, file by file. Other than a difference of two trees, that leaves out what
 * merges brought from the base.
 */
async function readFiles(
  gitDir: string,
  range: readonly string[],
  merges: string,
): Promise<ComparedSide['files']> {
  const plain = ['--no-show-signature', '--no-ext-diff', '--no-textconv', '--format=']
  const args = ['log', ...plain, '-M', '-z', '--numstat', merges, ...range]
  const found = readNumbers(await readOutput(args, gitDir))
  return found.toSorted((a, b) => sizeOf(b) - sizeOf(a))
}

const sizeOf = ({ added, removed }: ChangedFile): number => (added ?? 0) + (removed ?? 0)

/** Reads `added TAB removed TAB path`, or an empty path and the two of a rename; `-` for a binary file. */
export function readNumbers(output: string): readonly ChangedFile[] {
  const fields = output.split('\0')
  const files = new Map<string, ChangedFile>()
  for (let at = 0; at < fields.length; at += 1) {
    const found = /^\n*(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[at] ?? '')
    if (found === null) continue
    const [, added = '', removed = '', name = ''] = found
    const [from = '', path = ''] = name === '' ? fields.slice(at + 1, at + 3) : [name, name]
    if (name === '') at += 2
    const known = files.get(path) ?? { path, from, added: 0, removed: 0 }
    files.set(path, {
      ...known,
      added: sum(known.added, added),
      removed: sum(known.removed, removed),
    })
  }
  return [...files.values()]
}

const sum = (known: number | null, more: string): number | null =>
  known === null || more === '-' ? null : known + Number(more)

/** Empty when git takes too long or says too much. */
async function readOutput(args: readonly string[], gitDir: string): Promise<string> {
  const child = startGit(args, { gitDir }, 'ignore')
  child.on('error', () => {})
  child.stderr?.resume()
  let isWhole = true
  const stop = (): void => {
    isWhole = false
    child.kill('SIGKILL')
  }
  const timer = setTimeout(stop, mostSeconds * 1_000)
  const pieces: Buffer[] = []
  let bytes = 0
  child.stdout?.on('data', (piece: Buffer) => {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > mostBytes) stop()
  })
  await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(timer)
  return isWhole ? Buffer.concat(pieces).toString('utf8') : ''
}

async function previewMerge(
  clone: Clone,
  { ours, theirs }: ComparedSides,
): Promise<ComparedWork['merge']> {
  const joined = await mergeTrees(clone, theirs, ours)
  if (joined === null) return { status: 'unrelated' }
  const { tree, conflicts } = joined
  if (conflicts.length === 0) return { status: 'clean' }
  const paths = conflicts.map(({ path }) => path).sort()
  const textual = conflicts.filter(({ mode }) => mode !== null).map(({ path }) => path)
  return { status: 'conflict', paths, hunk: await firstHunk(clone, tree, textual.sort(), theirs) }
}

const mostLookedAt = 10
const linesBefore = 60
const linesKept = 400

/** Files with a line break in their names cannot be asked for. */
async function firstHunk(
  { gitDir }: Clone,
  tree: string,
  paths: readonly string[],
  theirs: string,
): Promise<{ readonly path: string; readonly text: string } | null> {
  const asked = paths.filter((path) => !path.includes('\n')).slice(0, mostLookedAt)
  const blobs = await describeObjects(
    gitDir,
    asked.map((path) => `${tree}:${path}`),
  )
  for (const [index, blob] of blobs.entries()) {
    if (blob?.type !== 'blob' || blob.size > textSizeLimit) continue
    const bytes = (await readObjects(gitDir, [blob.sha])).get(blob.sha)
    const lines = (bytes === undefined ? null : textOf(bytes))?.split('\n') ?? []
    const start = lines.findIndex((line) => line.startsWith(`<<<<<<< ${theirs}`))
    if (start === -1) continue
    const from = Math.max(0, start - linesBefore)
    return { path: asked[index] ?? '', text: lines.slice(from, start + linesKept).join('\n') }
  }
  return null
}
