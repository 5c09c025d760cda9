import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { git, identity } from '../../harness/git.ts'

/** Where a clone of the repository stands in a folder of clones; `null` when it is not there. */
export function findClone(folder: string, name: string): string | null {
  const joined = name.replace('/', '+')
  const candidates = [join(folder, joined, 'repo'), join(folder, joined), join(folder, name)]
  return (
    candidates.find((path) => existsSync(join(path, 'HEAD')) || existsSync(join(path, '.git'))) ??
    null
  )
}

const largest = 200_000

/** Texts of a tree by path: links, submodules, large files and those that are no text are left out. */
export async function readTree(
  clone: string,
  sha: string,
  under = '',
): Promise<ReadonlyMap<string, string>> {
  const listed = await git(
    clone,
    'ls-tree',
    '-r',
    '-z',
    '-l',
    sha,
    ...(under === '' ? [] : [under]),
  )
  const entries = [...listed.matchAll(/100(?:644|755) blob (\w+) +(\d+)\t([^\0]+)\0?/g)]
  const wanted = entries.filter(([, , size]) => Number(size) <= largest)
  const missing = wanted.map(([, blob = '']) => blob).filter((blob) => !known.has(blob))
  await readBlobs(clone, [...new Set(missing)])
  return new Map(
    wanted.flatMap(([, blob = '', , path = '']) => {
      const text = known.get(blob) ?? null
      return text === null ? [] : [[path, text] as const]
    }),
  )
}

const known = new Map<string, string | null>()

/** One process of git for all of them. */
async function readBlobs(clone: string, blobs: readonly string[]): Promise<void> {
  if (blobs.length === 0) return
  const child = spawn('git', ['cat-file', '--batch'], {
    ...{ cwd: clone, env: { ...process.env, ...identity }, stdio: ['pipe', 'pipe', 'ignore'] },
  })
  child.stdin.end(`${blobs.join('\n')}\n`)
  const bytes = await buffer(child.stdout)
  let at = 0
  for (const blob of blobs) {
    const end = bytes.indexOf(10, at)
    const size = Number(/ blob (\d+)$/.exec(bytes.subarray(at, end).toString())?.[1])
    if (!Number.isFinite(size)) {
      known.set(blob, null)
      at = end + 1
      continue
    }
    const content = bytes.subarray(end + 1, end + 1 + size)
    const text = content.toString('utf8')
    const isText = !content.includes(0) && Buffer.from(text).equals(content)
    known.set(blob, isText ? text : null)
    at = end + size + 2
  }
}
