/** The commits of a line of work, read one by one. */
import type { CommitRecord, HistoryRequest } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { checkSha, gitText } from './git.ts'
import { readTrailers } from './view.ts'

/** Work of ours is some commits long; a base is followed no further than this. */
const longest = 2000

const fields = ['%H', '%P', '%s', '%ce', '%cI', '%(trailers:only,unfold)']

export async function readCommits(
  { gitDir }: Clone,
  from: string,
  { without, having }: HistoryRequest,
): Promise<readonly CommitRecord[]> {
  const wanted = [checkSha(from), ...(without === undefined ? [] : [`^${checkSha(without)}`])]
  const args = ['log', '--no-show-signature', '--no-decorate', `--max-count=${longest}`]
  const format = `--format=${fields.map((field) => `${field}%x00`).join('')}`
  const along = having === undefined ? ['--first-parent'] : []
  const output = await gitText([...args, ...along, format, ...wanted, '--'], { gitDir })
  const parts = output.split('\0')
  const records: CommitRecord[] = []
  for (let at = 0; at + fields.length < parts.length; at += fields.length) {
    const [sha = '', parents = '', title = '', committer = '', time = '', trailers = ''] =
      parts.slice(at, at + fields.length)
    records.push({
      sha: sha.trim(),
      parents: parents.split(' ').filter((parent) => parent !== ''),
      title,
      committer,
      at: new Date(time).toISOString(),
      trailers: readTrailers(trailers),
    })
  }
  return having === undefined
    ? records
    : records.filter(({ trailers }) => trailers[having.name] === having.value)
}
