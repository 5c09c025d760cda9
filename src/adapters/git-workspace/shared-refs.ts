/**
 * What runs keep for one another in the repository: `refs/executor/state` and `refs/executor/claim/*`,
 * each a commit without a parent. They are outside `refs/heads` and `refs/tags`: nobody's clone fetches
 * them, no workflow starts, and since each commit replaces the one before it, no history grows.
 */
import { performEffect } from '../../core/perform-effect.ts'
import { unrecorded } from '../../core/ports/effect-log.ts'
import type { PublishResult } from '../../core/ports/workspace.ts'
import type { Clock } from '../../core/ports.ts'
import type { Clone } from './clone.ts'
import { type CommitAuthor, data, quotedPath, signature } from './commits.ts'
import { checkSha, gitFailed, gitText, runGit } from './git.ts'
import { type NetworkRemote, readTrouble, withToken } from './network.ts'
import type { Tree } from './trees.ts'

const stateRef = 'refs/executor/state'
const claimPrefix = 'refs/executor/claim/'
const claimFile = 'claim.json'

/** Commits, as they were when the repository was asked last. */
export interface SharedTips {
  /** `null`: nothing is kept. */
  readonly state: string | null
  /** By name. */
  readonly claims: ReadonlyMap<string, string>
}

/** What is to be there: paths with their new texts, `null` for what goes away. */
export type FileChanges = ReadonlyMap<string, string | null>

/** Reads both anew; the commits can then be read in the clone. @throws ExecutorError `git_failed` */
export async function fetchShared(clone: Clone, remote: NetworkRemote): Promise<SharedTips> {
  const { gitDir } = clone
  const args = ['fetch', '--quiet', '--no-tags', '--prune', '--no-write-fetch-head']
  // A pattern, because a name that is not there is an error.
  const refspecs = [`+${stateRef}*:${stateRef}*`, `+${claimPrefix}*:${claimPrefix}*`]
  const env = await withToken(remote)
  const run = await runGit([...args, '--', remote.url, ...refspecs], { gitDir, env })
  if (run.code !== 0) throw gitFailed(args, run)
  const listed = await gitText(
    ['for-each-ref', '--format=%(refname) %(objectname)', stateRef, claimPrefix],
    { gitDir },
  )
  const refs = listed.split('\n').flatMap((line) => {
    const [ref, sha] = line.split(' ')
    return ref && sha ? [[ref, sha] as const] : []
  })
  const claims = refs.filter(([ref]) => isClaimName(ref.slice(claimPrefix.length)))
  return {
    state: new Map(refs).get(stateRef) ?? null,
    claims: new Map(claims.map(([ref, sha]) => [ref.slice(claimPrefix.length), sha])),
  }
}

/** When it was pushed, ISO 8601, as whoever pushed it says. */
export const timeOfState = async ({ gitDir }: Clone, sha: string): Promise<string> =>
  (await gitText(['log', '-1', '--format=%cI', checkSha(sha)], { gitDir })).trim()

/** What is against pushing this commit there, found out without doing it; `null` is nothing. */
export async function tryPush(
  { gitDir }: Clone,
  remote: NetworkRemote,
  sha: string,
): Promise<string | null> {
  const push = ['push', '--dry-run', '--porcelain', '--no-verify', '--force', '--', remote.url]
  const env = await withToken(remote)
  const run = await runGit([...push, `${checkSha(sha)}:${stateRef}`], { gitDir, env })
  if (run.code === 0) return null
  const trouble = readTrouble(run)
  return trouble.status === 'refused' ? trouble.detail : trouble.status
}

/** The record in a claim's commit; empty for what is none. */
export async function readClaimRef({ gitDir }: Clone, sha: string): Promise<string> {
  const run = await runGit(['cat-file', 'blob', `${checkSha(sha)}:${claimFile}`], { gitDir })
  return run.code === 0 && run.stdout.length < 10_000 ? run.stdout.toString('utf8') : ''
}

/** The new tips of what is to change; `null` for what goes away. */
export interface SharedCommits {
  /** `undefined`: it stays. */
  readonly state: string | undefined
  readonly claims: ReadonlyMap<string, string | null>
}

/**
 * Commits without parents, by one `git fast-import`: the state as it is in `before`, with these files
 * changed, and a record for each claim. What does not change is neither sent nor read.
 */
export async function commitShared(
  { gitDir }: Clone,
  before: { readonly commit: string; readonly tree: Tree } | null,
  files: FileChanges,
  claims: ReadonlyMap<string, string | null>,
  author: CommitAuthor,
): Promise<SharedCommits> {
  const made = [...claims].flatMap(([name, text]) => (text === null ? [] : [{ name, text }]))
  const commands = made.map(({ text }, index) =>
    commitCommand(index + 1, 'Claim', author, [fileCommand(claimFile, text)]),
  )
  const hasState = files.size > 0
  if (hasState) {
    const changes = [...files].flatMap(([path, text]) =>
      text === null && !before?.tree.has(path) ? [] : [fileCommand(path, text)],
    )
    const kept = before === null ? [] : [await treeCommand(gitDir, before.commit)]
    commands.push(commitCommand(made.length + 1, 'State', author, [...kept, ...changes]))
  }
  const gone = new Map([...claims.keys()].map((name) => [name, null]))
  if (commands.length === 0) return { state: undefined, claims: gone }
  const asked = commands.map((_, index) => `get-mark :${index + 1}\n`).join('')
  const input = Buffer.concat([...commands, Buffer.from(`${asked}done\n`)])
  const args = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw']
  const shas = (await gitText(args, { gitDir, input })).trim().split('\n').map(checkSha)
  const byName = new Map(made.map(({ name }, index) => [name, shas[index] ?? '']))
  return {
    state: hasState ? shas.at(-1) : undefined,
    claims: new Map([...claims.keys()].map((name) => [name, byName.get(name) ?? null])),
  }
}

function commitCommand(
  mark: number,
  title: string,
  author: CommitAuthor,
  files: readonly Buffer[],
): Buffer {
  const who = signature(author)
  const head = `commit refs/executor/made/${mark}\nmark :${mark}\nauthor ${who}\ncommitter ${who}\n`
  return Buffer.concat([Buffer.from(head), data(`${title}\n`), ...files])
}

const fileCommand = (path: string, text: string | null): Buffer =>
  text === null
    ? Buffer.from(`D ${quotedPath(path)}\n`)
    : Buffer.concat([Buffer.from(`M 100644 inline ${quotedPath(path)}\n`), data(text)])

async function treeCommand(gitDir: string, commit: string): Promise<Buffer> {
  const args = ['rev-parse', '--verify', '--end-of-options', `${checkSha(commit)}^{tree}`]
  const tree = (await gitText(args, { gitDir })).trim()
  return Buffer.from(`M 040000 ${checkSha(tree)} ""\n`)
}

/** Where a ref is to go, and where it was seen; `null` is nowhere. */
interface Move {
  readonly ref: string
  readonly sha: string | null
  readonly expected: string | null
}

/**
 * All of them or none, each from where it was seen. A push that ended in doubt is looked up. Nothing is
 * noted of it: the journal is what is pushed.
 */
export function pushShared(
  clone: Clone,
  remote: NetworkRemote,
  before: SharedTips,
  commits: SharedCommits,
  clock: Pick<Clock, 'sleep'>,
): Promise<PublishResult> {
  const moves = movesOf(before, commits)
  return performEffect(
    {
      ...{ kind: 'state', key: stateRef, detail: '', snapshot: null, readDelays: [0] },
      read: async () => null,
      alreadyApplied: () => null,
      apply: () => pushTogether(clone, remote, moves),
    },
    { log: unrecorded, clock, judge: () => null },
  )
}

function movesOf(before: SharedTips, commits: SharedCommits): readonly Move[] {
  const moves: Move[] = [...commits.claims].map(([name, sha]) => {
    if (!isClaimName(name)) throw new Error(`not a claim's name: ${name}`)
    return { ref: `${claimPrefix}${name}`, sha, expected: before.claims.get(name) ?? null }
  })
  if (commits.state !== undefined) {
    moves.push({ ref: stateRef, sha: commits.state, expected: before.state })
  }
  return moves
}

async function pushTogether(
  clone: Clone,
  remote: NetworkRemote,
  moves: readonly Move[],
): Promise<PublishResult> {
  const call = { gitDir: clone.gitDir, env: await withToken(remote) }
  const leases = moves.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected ?? ''}`)
  const refspecs = moves.map(({ ref, sha }) => `${sha ?? ''}:${ref}`)
  const push = ['push', '--porcelain', '--no-verify', '--atomic', ...leases, '--', remote.url]
  const run = await runGit([...push, ...refspecs], call)
  if (run.code === 0) return { status: 'published' }
  const look = await runGit(['ls-remote', '--', remote.url, ...moves.map(({ ref }) => ref)], call)
  if (look.code !== 0) return readTrouble(run)
  const lines = look.stdout.toString('utf8').split('\n')
  const now = new Map(lines.map((line) => [line.split('\t')[1], line.split('\t')[0]]))
  const is = (ref: string, sha: string | null) => (now.get(ref) ?? null) === sha
  if (moves.every(({ ref, sha }) => is(ref, sha))) return { status: 'published' }
  const moved = moves.find(({ ref, expected }) => !is(ref, expected))
  return moved === undefined ? readTrouble(run) : { status: 'moved', sha: now.get(moved.ref) ?? '' }
}

const isClaimName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) && !/\.\.|\.$|\.lock$/i.test(name)
