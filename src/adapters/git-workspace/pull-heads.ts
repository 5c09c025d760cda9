/** Heads of pull requests, which a forge keeps under `refs/pull` when their branches are gone. */
import type { Clone, SourceRepository } from './clone.ts'
import { gitFailed, gitText, runGit } from './git.ts'
import { type NetworkRemote, withToken } from './network.ts'

type Heads = ReadonlyMap<number, string>

const refOf = (pullRequest: number): string => `refs/pull/${pullRequest}/head`

/** Those that the user's repository has; the clone borrows its objects. */
export async function readLocalHeads(
  source: SourceRepository,
  wanted: readonly number[],
): Promise<Heads> {
  if (wanted.length === 0) return new Map()
  const args = ['for-each-ref', '--format=%(objectname)%09%(refname)', ...wanted.map(refOf)]
  return readHeads(await gitText(args, { gitDir: source.commonDir }), wanted)
}

/** Asked for first, because a fetch of what is not there fetches nothing. */
export async function fetchRemoteHeads(
  { gitDir }: Clone,
  remote: NetworkRemote,
  wanted: readonly number[],
): Promise<Heads> {
  if (wanted.length === 0) return new Map()
  const env = await withToken(remote)
  const look = ['ls-remote', '--', remote.url, ...wanted.map(refOf)]
  const heads = readHeads(await gitText(look, { gitDir, env }), wanted)
  const missing = await withoutKnown(gitDir, heads)
  if (missing.length === 0) return heads
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head']
  const refspecs = missing.map((number) => `+${refOf(number)}:refs/executor/pull/${number}`)
  const run = await runGit([...args, '--', remote.url, ...refspecs], { gitDir, env })
  if (run.code !== 0) throw gitFailed(args, run)
  return heads
}

function readHeads(output: string, wanted: readonly number[]): Heads {
  const shas = new Map(
    output.split('\n').map((line) => {
      const [sha = '', ref = ''] = line.split('\t')
      return [ref, sha] as const
    }),
  )
  return new Map(
    wanted.flatMap((number) => {
      const sha = shas.get(refOf(number))
      return sha === undefined ? [] : [[number, sha] as const]
    }),
  )
}

async function withoutKnown(gitDir: string, heads: Heads): Promise<readonly number[]> {
  const entries = [...heads]
  if (entries.length === 0) return []
  const input = entries.map(([, sha]) => `${sha}\n`).join('')
  const said = await gitText(['cat-file', '--batch-check'], { gitDir, input })
  const lines = said.split('\n')
  return entries.flatMap(([number], index) => (lines[index]?.endsWith(' commit') ? [] : [number]))
}
