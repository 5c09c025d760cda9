import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createRedactor } from '../../../../packages/text/text.ts'
import { type AppliedPatch, applyPatch } from '../../../adapters/git-workspace/apply-patch.ts'
import {
  type CommitRange,
  findCommit,
  findDefaultBranch,
  findRepository,
  readRange,
  type UsersRepository,
} from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Ports } from '../../../core/ports.ts'
import { checkChange } from '../../../runs/check/check-change.ts'
import { type CheckReport, nameOfBase, nameOfChange } from '../../../runs/check/check-report.ts'
import { type CheckFinding, findingOn } from '../../../runs/check/check-rules.ts'
import { findCheckTask } from '../../../runs/check/find-check-task.ts'
import { openCheck } from '../../compose/open-check.ts'
import { stopCommands } from '../../compose/stop-calls.ts'
import { watchSandbox } from '../../observe/watch-ports.ts'
import { openProgress } from '../../progress/open-progress.ts'
import { secretsOfEnvironment } from '../../redact/redact-ports.ts'
import { loadSettings } from '../load-settings.ts'
import { readInputBytes } from '../read-input.ts'
import type { Terminal } from '../terminal.ts'

export interface CheckRequest {
  /** A branch, a commit, a range of them, a patch file, or `-` for a patch on standard input. */
  readonly change: string
  /** Takes nothing else for the change: only a commit, or this text of a patch, which `change` then names. */
  readonly source?: 'commit' | { readonly patch: string }
  readonly base?: string | undefined
  readonly task?: string | undefined
  readonly roadmap?: string | undefined
}

/** In bytes; the gate allows 4 MB of new text, and a diff holds the old lines as well. */
const largestPatch = 16e6

/** Finds the change, its base and the settings; `runCheck` does the work. */
export async function findChange(request: CheckRequest, terminal: Terminal) {
  const repository = await findRepository(terminal.directory)
  const { roadmap } = request
  const flags = roadmap === undefined ? {} : { roadmap }
  const settings = await loadSettings(repository.root, flags, terminal)
  const range = await findRange(repository, request, terminal)
  const base = await findBase(repository, range?.from ?? request.base)
  const named = range === null ? request : { change: range.to, source: 'commit' as const }
  const source = await findSource(repository, named, terminal)
  return { request, repository, settings, base, source, isExact: range?.isExact ?? false }
}

/** Gives a change what a draft of the executor gets: the document of `executor check --json`. */
export async function runCheck(
  { request, repository, settings, base, source, isExact }: Awaited<ReturnType<typeof findChange>>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<CheckReport> {
  const { change, task: id } = request
  // A terminal's `redact` also spells out control characters, and colours would hide results from their readers.
  const redact = createRedactor(secretsOfEnvironment(terminal.environment))
  const { ports: open, home, close } = await openCheck(repository, settings, redact)
  // Some of its tests would outlive a cancel, where the process does.
  const progress = openProgress(terminal, settings, 'one task')({ clock: open.clock, redact })
  const sandbox = watchSandbox(stopCommands(open.sandbox, signal), progress.watch)
  const ports = { ...open, sandbox }
  try {
    const read = await readSource(source, { repository, home, base, change, isExact }, ports)
    for (const note of read.notes) terminal.say(`note: ${note}`)
    const place = { version: 1, change, base: { ...base, sha: read.start } } as const
    if (read.status === 'refused') return refused(place, read.findings)
    const task = id === undefined ? null : await findCheckTask(id, read.start, ports)
    terminal.say(`Checking ${nameOfChange(change)} against ${nameOfBase(place.base)}.`)
    const checked = await checkChange({ base: read.start, head: read.head, task }, ports, signal)
    if (checked === null) {
      throw new ExecutorError(
        'bad_usage',
        `There is nothing to check: ${nameOfChange(change)} changes no file of ${base.name}.`,
      )
    }
    return { ...place, head: source.kind === 'commit' ? source.sha : null, ...checked }
  } finally {
    progress.close()
    await close()
  }
}

/** Returns true for a check that lets a change pass; a strict one lets no warning pass. */
export const isPassed = ({ result, findings }: CheckReport, isStrict: boolean): boolean =>
  result === 'passed' && (!isStrict || findings.length === 0)

const refused = (
  place: Pick<CheckReport, 'version' | 'change' | 'base'>,
  findings: readonly CheckFinding[],
): CheckReport => ({ ...place, head: null, result: 'failed', findings, receipt: null })

interface Base {
  readonly name: string
  readonly sha: string
}

async function findBase(repository: UsersRepository, asked: string | undefined): Promise<Base> {
  const name = asked ?? (await findDefaultBranch(repository))
  if (name === null) {
    throw new ExecutorError('bad_usage', 'There is no default branch here: name one with --base.')
  }
  const sha = await findCommit(repository, name)
  if (sha === null) throw new ExecutorError('bad_usage', `There is no branch or commit ${name}.`)
  return { name, sha }
}

/** `A..B` and `A...B`, unless a commit or a file has this name; `null` for any other change. */
async function findRange(
  repository: UsersRepository,
  { change, source, base }: CheckRequest,
  terminal: Terminal,
): Promise<CommitRange | null> {
  const range = typeof source === 'object' ? null : readRange(change)
  // A message that is searched for may have dots: `HEAD^{/a..b}`.
  if (range === null || (await findCommit(repository, change)) !== null) return null
  if (source === undefined && isFile(change, terminal)) {
    const ends = await Promise.all([range.from, range.to].map((end) => findCommit(repository, end)))
    if (ends.includes(null)) return null
    throw new ExecutorError('bad_usage', `${change} is a range and a file: write ./${change}.`)
  }
  if (base === undefined) return range
  throw new ExecutorError(
    'bad_usage',
    `${change} already names its base: leave out --base ${base}.`,
  )
}

const isFile = (change: string, { directory }: Terminal): boolean =>
  existsSync(resolve(directory, change))

type Source =
  | { readonly kind: 'commit'; readonly sha: string }
  | { readonly kind: 'patch'; readonly bytes: Buffer }

/** A branch or commit, else the file with this name. */
async function findSource(
  repository: UsersRepository,
  { change, source }: CheckRequest,
  terminal: Terminal,
): Promise<Source> {
  if (typeof source === 'object') return { kind: 'patch', bytes: Buffer.from(source.patch) }
  const sha = change === '-' ? null : await findCommit(repository, change)
  if (sha === null && source === 'commit') {
    throw new ExecutorError('bad_usage', `There is no branch or commit ${change}.`)
  }
  const isPatch = change !== '-' && source === undefined && isFile(change, terminal)
  if (sha !== null && isPatch) {
    const how = `write refs/heads/${change} or ./${change}`
    throw new ExecutorError('bad_usage', `${change} is a branch and a file: ${how}.`)
  }
  if (sha !== null) return { kind: 'commit', sha }
  if (change !== '-' && !isPatch) {
    throw new ExecutorError('bad_usage', `There is no branch, commit or file ${change}.`)
  }
  return { kind: 'patch', bytes: await readInputBytes(change, largestPatch, terminal) }
}

interface SourcePlace {
  readonly repository: UsersRepository
  readonly home: string
  readonly base: Base
  readonly change: string
  readonly isExact: boolean
}

type ReadSource = { readonly start: string; readonly notes: readonly string[] } & (
  | { readonly status: 'read'; readonly head: string }
  | { readonly status: 'refused'; readonly findings: readonly CheckFinding[] }
)

/** Finds the commit that the change starts from, and the commit that holds it. */
async function readSource(
  source: Source,
  { repository, home, base, change, isExact }: SourcePlace,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<ReadSource> {
  if (source.kind === 'commit') {
    const start = isExact ? base.sha : await workspace.mergeBase(base.sha, source.sha)
    if (start !== null) return { status: 'read', start, head: source.sha, notes: [] }
    const why =
      'share no commit here; a shallow clone needs its whole history (git fetch --unshallow)'
    throw new ExecutorError('bad_usage', `${change} and ${base.name} ${why}.`)
  }
  const start = base.sha
  const applied = await applyPatch(home, repository, start, source.bytes)
  if (applied.status === 'unreadable') {
    throw new ExecutorError(
      'bad_usage',
      `Cannot read ${nameOfChange(change)} as a patch: ${applied.reason}.`,
    )
  }
  if (applied.status === 'refused') {
    return { status: 'refused', start, findings: applied.reasons.map(toFinding), notes: [] }
  }
  const notes = applied.note === null ? [] : [applied.note]
  return { status: 'read', start, head: applied.sha, notes }
}

type Reason = Extract<AppliedPatch, { readonly status: 'refused' }>['reasons'][number]

const toFinding = ({ path, line, message }: Reason): CheckFinding => ({
  ...findingOn(path, 'patch', message),
  line,
})
