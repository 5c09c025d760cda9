/**
 * Texts kept in the repository, each as a commit without a parent under a ref of its own. They are
 * outside `refs/heads` and `refs/tags`, so nobody's clone fetches them and no workflow starts.
 */
import type { PublishResult } from '../../core/ports/workspace.ts'
import type { Clone, SourceRepository } from './clone.ts'
import { type CommitAuthor, commitAlone } from './commits.ts'
import { gitBytes, gitFailed, gitText, runGit } from './git.ts'
import { localRefs, moveRef, type RefMeans, type RefMove, remoteRefs } from './move-ref.ts'
import { type NetworkRemote, withToken } from './network.ts'
import { sendObjects } from './publish.ts'

const prefix = 'refs/executor/parked/'
const fileName = 'attempt.json'

/** Bytes of a text. */
const sizeLimit = 4 * 1024 * 1024

/** Where parked texts are: commits by name, and the refs that hold them. */
export interface ParkingPlace {
  /** Read anew; the commits can then be read in the clone. */
  tips(): Promise<ReadonlyMap<string, string>>
  move(move: RefMove): Promise<PublishResult>
}

/** In the user's own repository, whose objects the clone borrows. */
export function localParking(
  clone: Clone,
  source: SourceRepository,
  means: RefMeans,
): ParkingPlace {
  return {
    tips: () => readTips(source.commonDir),
    async move(move) {
      if (move.sha !== null) await sendObjects(clone, source, move.sha, [])
      return moveRef(localRefs(source), move, means)
    },
  }
}

/** Over the network, by way of the same refs in the clone. */
export function remoteParking(clone: Clone, remote: NetworkRemote, means: RefMeans): ParkingPlace {
  const { gitDir } = clone
  return {
    async tips() {
      const args = ['fetch', '--quiet', '--no-tags', '--prune', '--no-write-fetch-head']
      const refspec = `+${prefix}*:${prefix}*`
      const env = await withToken(remote)
      const run = await runGit([...args, '--', remote.url, refspec], { gitDir, env })
      if (run.code !== 0) throw gitFailed(args, run)
      return readTips(gitDir)
    },
    move: (move) => moveRef(remoteRefs(clone, remote), move, means),
  }
}

/** @throws Error for a name that could be more than one: a bug. */
export async function park(
  clone: Clone,
  place: ParkingPlace,
  name: string,
  text: string | null,
  author: CommitAuthor,
): Promise<PublishResult> {
  if (!isParkingName(name)) throw new Error(`not a name to park under: ${name}`)
  const size = Buffer.byteLength(text ?? '')
  if (size > sizeLimit) {
    const detail = `${name} is ${size} bytes long; at most ${sizeLimit} can be parked`
    return { status: 'refused', code: 'forge_denied', detail }
  }
  const tips = await place.tips()
  const expected = tips.get(name) ?? null
  const ref = `${prefix}${name}`
  if (text === null) {
    return expected === null
      ? { status: 'published' }
      : place.move({ kind: 'park', ref, sha: null, expected })
  }
  if (expected !== null && (await readTexts(clone, tips)).get(name) === text) {
    return { status: 'published' }
  }
  const sha = await commitAlone(clone, { path: fileName, text }, `Park ${name}\n`, author)
  return place.move({ kind: 'park', ref, sha, expected })
}

/** What is parked, by name. What is no text of ours, or too long, is left out. */
export async function readParked(
  clone: Clone,
  place: ParkingPlace,
): Promise<ReadonlyMap<string, string>> {
  return readTexts(clone, await place.tips())
}

const isParkingName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(name) && !/\.\.|\.$|\.lock$/i.test(name)

async function readTips(gitDir: string): Promise<ReadonlyMap<string, string>> {
  const format = '--format=%(refname)%00%(objectname)%00'
  const fields = (await gitText(['for-each-ref', format, prefix], { gitDir })).split('\0')
  const tips = new Map<string, string>()
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = (fields[at] ?? '').trim().slice(prefix.length)
    if (isParkingName(name)) tips.set(name, fields[at + 1] ?? '')
  }
  return tips
}

async function readTexts(
  { gitDir }: Clone,
  tips: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const names = [...tips.keys()]
  if (names.length === 0) return new Map()
  const asked = names.map((name) => `${tips.get(name)}:${fileName}\n`).join('')
  const sizes = await gitText(['cat-file', '--batch-check=%(objectname) %(objectsize)'], {
    gitDir,
    input: asked,
  })
  // What is not there is answered by its name and "missing".
  const blobs = sizes.split('\n').map((line) => {
    const [, blob, size] = /^([0-9a-f]{40,64}) (\d+)$/.exec(line) ?? []
    return blob !== undefined && Number(size) <= sizeLimit ? { blob, size: Number(size) } : null
  })
  const found = names.flatMap((name, index) => {
    const blob = blobs[index]
    return blob ? [{ name, ...blob }] : []
  })
  const input = found.map(({ blob }) => `${blob}\n`).join('')
  const contents = await gitBytes(['cat-file', '--batch=%(objectsize)'], { gitDir, input })
  const texts = new Map<string, string>()
  let at = 0
  for (const { name, size } of found) {
    const start = contents.indexOf('\n', at) + 1
    texts.set(name, contents.toString('utf8', start, start + size))
    at = start + size + 1
  }
  return texts
}
