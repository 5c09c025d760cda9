/** Applies a patch in memory: git reads it, and neither a work tree nor a branch takes part. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clone, openClone, type SourceRepository } from './clone.ts'
import { importCommit } from './commits.ts'
import { checkSha, gitBytes, gitText, runGit } from './git.ts'

export type AppliedPatch =
  /** A commit on the base, in the executor's own clone. */
  | { readonly status: 'applied'; readonly sha: string; readonly note: string | null }
  | { readonly status: 'refused'; readonly reasons: readonly PatchReason[] }
  /** The text has no patch that git can read. */
  | { readonly status: 'unreadable'; readonly reason: string }

/** What does not apply; `path` is empty and `line` 0 when git names none. */
interface PatchReason {
  readonly path: string
  readonly line: number
  readonly message: string
}

interface Reading {
  readonly options: readonly string[]
  readonly note: string | null
  readonly input: Buffer
}

/** Header lines whose paths have git's prefixes, also those of `diff.mnemonicPrefix`. */
const prefixed = /^(?:diff --git|---|\+\+\+) "?[abciow]\//m

/** `git -c color.ui=always diff`: headers, too, begin with a colour. */
const coloured = /^\x1b\[[\d;]*m(?:diff --git|---|\+\+\+) /m

/** The ways to read a patch, in their order: a path without a prefix must not lose its first folder. */
function readingsOf(patch: Buffer): readonly Reading[] {
  const text = patch.toString('latin1')
  if (coloured.test(text)) {
    const note = 'The patch has colours; they were left out.'
    const input = Buffer.from(text.replace(/\x1b\[[\d;]*[mK]/g, ''), 'latin1')
    return readingsOf(input).map((each) => ({ ...each, note: each.note ?? note }))
  }
  const plain = { options: [], note: null, input: patch }
  const bare = { options: ['-p0'], note: 'The paths of the patch have no prefix (a/, b/).' }
  const both = prefixed.test(text) ? [plain] : [{ ...bare, input: patch }, plain]
  if (!text.includes('\r\n')) return both
  const input = Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1')
  const note = 'The patch has CRLF line endings; it was read with LF.'
  return [...both, ...both.map((each) => ({ ...each, note, input }))]
}

/**
 * Applies a patch (git's, or a unified diff) exactly: lines may have moved, but must be the same.
 *
 * @param home the directory of a workspace, whose clone gets the commit
 */
export async function applyPatch(
  home: string,
  source: SourceRepository,
  base: string,
  patch: Buffer,
): Promise<AppliedPatch> {
  const clone = await openClone(home, source)
  const author = { name: 'check', email: '', now: '1970-01-01T00:00:00Z' }
  let first: string | null = null
  for (const { options, note, input } of readingsOf(patch)) {
    const tried = await tryToApply(clone, base, options, input)
    if (tried.status === 'failed') first ??= tried.stderr
    else {
      const commit = { parents: [base], tree: tried.tree, message: 'check\n' }
      return { status: 'applied', sha: await importCommit(clone, commit, author), note }
    }
  }
  return explain(first ?? '')
}

type Tried =
  | { readonly status: 'done'; readonly tree: string }
  | { readonly status: 'failed'; readonly stderr: string }

async function tryToApply(
  { home, gitDir }: Clone,
  base: string,
  options: readonly string[],
  input: Buffer,
): Promise<Tried> {
  const index = join(home, 'patch.index')
  const call = { gitDir, env: { GIT_INDEX_FILE: index } }
  try {
    await gitBytes(['read-tree', checkSha(base)], call)
    const args = ['apply', '--cached', '--whitespace=nowarn', ...options, '-']
    const run = await runGit(args, { ...call, input })
    if (run.code !== 0) return { status: 'failed', stderr: run.stderr }
    return { status: 'done', tree: (await gitText(['write-tree'], call)).trim() }
  } finally {
    await Promise.all([index, `${index}.lock`].map((path) => rm(path, { force: true })))
  }
}

/** What git says of a text that is no patch, and what we say. */
const unreadable: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^(?:No valid patches in input|unrecognized input)/, 'it has no diff'],
  [/^corrupt patch at (?:line |<stdin>:)(\d+)/, 'its line $1 does not belong to a hunk'],
  [/^patch fragment without header at (?:line |<stdin>:)(\d+)/, 'line $1 names no file before it'],
]

const unexplained = 'does not apply'

/** What git says of one file, and what we say. */
const refusals: readonly (readonly [pattern: RegExp, message: string])[] = [
  [/^patch failed: (?<path>.*):(?<line>\d+)$/, 'the lines here are not those of the base'],
  [/^(?<path>.*): patch does not apply$/, unexplained],
  [/^(?<path>.*): does not exist in index$/, 'is not a file of the base'],
  [/^(?<path>.*): already exists in index$/, 'is a file of the base already'],
  [/^invalid path '(?<path>.*)'$/, 'is not a path inside the repository'],
  [/^affected file '(?<path>.*)' is beyond a symbolic link$/, 'is reached through a link'],
  [
    /^cannot apply binary patch to '(?<path>.*)' without full index line$/,
    'has no content here: make the patch with git diff --binary',
  ],
]

function explain(stderr: string): AppliedPatch {
  const lines = stderr
    .split('\n')
    .flatMap((line) => /^(?:error|fatal): (.*)$/.exec(line)?.[1] ?? [])
  for (const line of lines) {
    const [pattern, reason] = unreadable.find(([each]) => each.test(line)) ?? []
    const [, number = ''] = pattern?.exec(line) ?? []
    if (reason !== undefined)
      return { status: 'unreadable', reason: reason.replace('$1', () => number) }
  }
  const reasons = lines.map(readRefusal)
  const told = reasons.filter(
    (reason) => reason.message !== unexplained || !reasons.some(isCauseOf(reason)),
  )
  return told.length === 0
    ? { status: 'unreadable', reason: stderr === '' ? 'git cannot read it' : stderr }
    : { status: 'refused', reasons: told }
}

const isCauseOf =
  ({ path }: PatchReason) =>
  (other: PatchReason): boolean =>
    other.path === path && other.message !== unexplained

function readRefusal(said: string): PatchReason {
  for (const [pattern, message] of refusals) {
    const { path, line = '0' } = pattern.exec(said)?.groups ?? {}
    if (path !== undefined) return { path, line: Number(line), message }
  }
  return { path: '', line: 0, message: said }
}
