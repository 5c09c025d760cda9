import { type DiffLine, followLine, readDiffLines } from '../diff-lines.ts'
import { readChanges } from '../history.ts'
import type { Pull, ReviewThread } from '../records.ts'
import type { Repository } from '../store.ts'

/** A place found in the diff of a pull request. */
export interface Place {
  readonly path: string
  readonly side: 'LEFT' | 'RIGHT'
  readonly line: number | null
  readonly startLine: number | null
  readonly commit: string
  readonly diffHunk: string
  readonly position: number | null
}

export interface PlaceRequest {
  readonly path: string
  readonly commit_id?: string
  readonly line?: number
  readonly side?: string
  readonly start_line?: number
  /** The older way to name a line. */
  readonly position?: number
  readonly subject_type?: 'line' | 'file'
}

/** Finds the line that a comment is for; otherwise names the part that is not in the diff. */
export async function findPlace(
  repository: Repository,
  pull: Pull,
  asked: PlaceRequest,
): Promise<Place | 'commit_id' | 'path' | 'line'> {
  const { git } = repository
  const commit = asked.commit_id ?? pull.headSha
  const from = (await git.mergeBase(pull.baseSha, pull.headSha)) ?? pull.baseSha
  if (!(await isCommitOf(repository, pull, commit))) return 'commit_id'
  const change = (await readChanges(git, from, commit)).find(({ path }) => path === asked.path)
  if (change === undefined) return 'path'
  const { path } = change
  const side = asked.side === 'LEFT' ? 'LEFT' : 'RIGHT'
  if (asked.subject_type === 'file') {
    return {
      path,
      side,
      line: null,
      startLine: null,
      commit,
      diffHunk: change.patch,
      position: null,
    }
  }
  const lines = readDiffLines(change.patch)
  const has = (number: number) => (line: DiffLine) => line[side] === number
  const at = lines.find((line) =>
    asked.line === undefined ? line.position === asked.position : has(asked.line)(line),
  )
  const number = at?.[side] ?? at?.LEFT ?? null
  if (at === undefined || number === null) return 'line'
  const startLine = asked.start_line ?? null
  if (startLine !== null && !lines.some(has(startLine))) return 'line'
  const { hunk: diffHunk, position } = at
  return { path, side, line: number, startLine, commit, diffHunk, position }
}

export async function isCommitOf(
  { git }: Repository,
  { baseSha, headSha }: Pull,
  commit: string,
): Promise<boolean> {
  if (commit === headSha) return true
  const shas = (await git.output('rev-list', `${baseSha}..${headSha}`)).split('\n')
  return shas.includes(commit)
}

/** Moves threads to their lines in the new head; a changed line has no place any more. */
export async function moveThreads({ git, threads }: Repository, pull: Pull): Promise<void> {
  for (const thread of threads.values()) {
    if (thread.pull !== pull.number || thread.outdated || thread.side === 'LEFT') continue
    const patch = await git.output('diff', '-U0', thread.commit, pull.headSha, '--', thread.path)
    moveThread(thread, patch, pull.headSha)
  }
}

function moveThread(thread: ReviewThread, patch: string, head: string): void {
  const { line, startLine } = thread
  const gone = /^deleted file mode/m.test(patch)
  const moved = line === null || gone ? null : followLine(patch, line)
  if (gone || (line !== null && moved === null)) {
    thread.outdated = true
    thread.line = null
    thread.startLine = null
    return
  }
  thread.line = moved
  thread.startLine = startLine === null ? null : followLine(patch, startLine)
  thread.commit = head
}
