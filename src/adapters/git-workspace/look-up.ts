import { buffer } from 'node:stream/consumers'
import type { Workspace } from '../../core/ports/workspace.ts'
import type { CommitFiles } from '../sqlite-index/take-in.ts'
import type { AskIndex, IndexPlace } from '../sqlite-index.ts'
import type { Clone } from './clone.ts'
import { checkSha, startGit } from './git.ts'
import { readTexts, type TreeFiles } from './trees.ts'

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
