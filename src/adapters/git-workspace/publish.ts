/**
 * The only ways to change a ref of another repository: a branch under `agent/` or `executor/`,
 * forward and only from its expected commit; and saved texts, each as a commit without a parent
 * under its own ref, outside `refs/heads` and `refs/tags`, so that no clone fetches it and no
 * workflow starts.
 */
import type { PublishResult } from '../../core/ports/workspace.ts'
import type { Clone } from './clone.ts'
import { type CommitAuthor, importCommit } from './commits.ts'
import { checkSha } from './git.ts'
import { contains, describeObjects, readObjects } from './trees.ts'
import { moveRef, type Publication, type RefMeans, type Upstream } from './upstream.ts'

/**
 * Sends the objects, then moves the ref. `known` are commits that the target has.
 * @throws Error for a branch that is not ours to write: a bug
 */
export async function publish(
  clone: Clone,
  upstream: Upstream,
  publication: Publication,
  known: readonly string[],
  means: RefMeans,
): Promise<PublishResult> {
  const { branch, sha, expected } = publication
  checkBranch(publication)
  const ref = `refs/heads/${branch}`
  const foreseen = await upstream.foresee(publication)
  if (foreseen !== null) return foreseen
  if (expected !== null && !(await contains(clone, sha, expected))) {
    const now = await upstream.refs.tip(ref)
    return now === sha ? { status: 'published' } : { status: 'moved', sha: now ?? '' }
  }
  await upstream.send(sha, known)
  return moveRef(upstream.refs, { kind: 'branch', ref, sha, expected }, means)
}

function checkBranch({ branch, sha, expected }: Publication): void {
  const plain = /^(?:agent|executor)(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)+$/.test(branch)
  if (!plain || /\.\.|\.lock(?:\/|$)|\.(?:\/|$)/.test(branch)) {
    throw new Error(`not a branch of ours: ${branch}`)
  }
  for (const each of [sha, expected]) if (each !== null) checkSha(each)
}

/** Keeps a commit under a ref of its own, or removes that ref. @throws Error for an unsafe name: a bug */
export async function keep(
  upstream: Upstream,
  ref: string,
  sha: string,
  isWanted: boolean,
  means: RefMeans,
): Promise<PublishResult> {
  const expected = await upstream.refs.tip(ref)
  if (expected === (isWanted ? checkSha(sha) : null)) return { status: 'published' }
  if (isWanted) await upstream.send(sha, [])
  return moveRef(upstream.refs, { kind: 'park', ref, sha: isWanted ? sha : null, expected }, means)
}

const parkedPrefix = 'refs/executor/parked/'
const parkedFile = 'attempt.json'

/** In bytes, per text. */
const parkedLimit = 4 * 1024 * 1024

/** @throws Error for an unsafe name: a bug */
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
  if (size > parkedLimit) {
    const detail = `${name} is ${size} bytes long; at most ${parkedLimit} can be parked`
    return { status: 'refused', code: 'forge_denied', detail }
  }
  const ref = `${parkedPrefix}${name}`
  const tips = await upstream.tips(parkedPrefix)
  const expected = tips.get(ref) ?? null
  if (text === null && expected === null) return { status: 'published' }
  if (text === null) {
    return moveRef(upstream.refs, { kind: 'park', ref, sha: null, expected }, means)
  }
  if (expected !== null && (await readParkedTexts(clone, tips)).get(name) === text) {
    return { status: 'published' }
  }
  const commit = { files: [{ path: parkedFile, text }], message: `Park ${name}\n` }
  const sha = await importCommit(clone, commit, author)
  await upstream.send(sha, [])
  return moveRef(upstream.refs, { kind: 'park', ref, sha, expected }, means)
}

/** Reads the parked texts by name, without those that are foreign or too long. */
export const readParked = async (
  clone: Clone,
  upstream: Upstream,
): Promise<ReadonlyMap<string, string>> => readParkedTexts(clone, await upstream.tips(parkedPrefix))

const isParkingName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(name) && !/\.\.|\.$|\.lock$/i.test(name)

async function readParkedTexts(
  { gitDir }: Clone,
  tips: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const named = [...tips].flatMap(([ref, sha]) => {
    const name = ref.slice(parkedPrefix.length)
    return isParkingName(name) ? [{ name, sha }] : []
  })
  const blobs = await describeObjects(
    gitDir,
    named.map(({ sha }) => `${sha}:${parkedFile}`),
  )
  const found = named.flatMap(({ name }, index) => {
    const blob = blobs[index]
    return blob && blob.size <= parkedLimit ? [{ name, blob: blob.sha }] : []
  })
  const contents = await readObjects(gitDir, [...new Set(found.map(({ blob }) => blob))])
  return new Map(found.map(({ name, blob }) => [name, contents.get(blob)?.toString('utf8') ?? '']))
}
