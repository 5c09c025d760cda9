/**
 * Texts kept in the repository, each as a commit without a parent under a ref of its own. They are
 * outside `refs/heads` and `refs/tags`, so nobody's clone fetches them and no workflow starts.
 */
import type { PublishResult } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { type CommitAuthor, importCommit } from './commits.ts'
import { moveRef, type RefMeans } from './move-ref.ts'
import { describeObjects, readObjects } from './objects.ts'
import type { Upstream } from './upstream.ts'

const prefix = 'refs/executor/parked/'
const path = 'attempt.json'

/** Bytes of a text. */
const sizeLimit = 4 * 1024 * 1024

/** @throws Error for a name that could be more than one: a bug. */
export async function park(
  clone: Clone,
  upstream: Upstream,
  name: string,
  text: string | null,
  author: CommitAuthor,
  means: RefMeans,
): Promise<PublishResult> {
  if (!isParkingName(name)) throw new Error(`not a name to park under: ${name}`)
  const size = Buffer.byteLength(text ?? '')
  if (size > sizeLimit) {
    const detail = `${name} is ${size} bytes long; at most ${sizeLimit} can be parked`
    return { status: 'refused', code: 'forge_denied', detail }
  }
  const ref = `${prefix}${name}`
  const tips = await upstream.tips(prefix)
  const expected = tips.get(ref) ?? null
  if (text === null && expected === null) return { status: 'published' }
  if (text === null) {
    return moveRef(upstream.refs, { kind: 'park', ref, sha: null, expected }, means)
  }
  if (expected !== null && (await readTexts(clone, tips)).get(name) === text) {
    return { status: 'published' }
  }
  const commit = { files: [{ path, text }], message: `Park ${name}\n` }
  const sha = await importCommit(clone, commit, author)
  await upstream.send(sha, [])
  return moveRef(upstream.refs, { kind: 'park', ref, sha, expected }, means)
}

/** What is parked, by name. What is no text of ours, or too long, is left out. */
export const readParked = async (
  clone: Clone,
  upstream: Upstream,
): Promise<ReadonlyMap<string, string>> => readTexts(clone, await upstream.tips(prefix))

const isParkingName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(name) && !/\.\.|\.$|\.lock$/i.test(name)

async function readTexts(
  { gitDir }: Clone,
  tips: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const named = [...tips].flatMap(([ref, sha]) => {
    const name = ref.slice(prefix.length)
    return isParkingName(name) ? [{ name, sha }] : []
  })
  const blobs = await describeObjects(
    gitDir,
    named.map(({ sha }) => `${sha}:${path}`),
  )
  const found = named.flatMap(({ name }, index) => {
    const blob = blobs[index]
    return blob && blob.size <= sizeLimit ? [{ name, blob: blob.sha }] : []
  })
  const contents = await readObjects(gitDir, [...new Set(found.map(({ blob }) => blob))])
  return new Map(found.map(({ name, blob }) => [name, contents.get(blob)?.toString('utf8') ?? '']))
}
