import type { ChangeSet } from '../domain/change-set.ts'

export interface TreeEntry {
  readonly path: string
  readonly mode: '100644' | '100755' | '120000' | '160000'
  /** Bytes; 0 for links to other repositories. */
  readonly size: number
}

export interface BranchTip {
  readonly name: string
  readonly sha: string
  /** First parent of the head commit; `null` for a root. */
  readonly parent: string | null
  /** Trailers of the head commit, `Executor-Task` and so on. */
  readonly trailers: Readonly<Record<string, string>>
}

export interface RepositoryView {
  readonly base: { readonly branch: string; readonly sha: string }
  /** `agent/*` and `executor/recovery/*` as they are in the repository now. */
  readonly branches: readonly BranchTip[]
}

/** A plain folder without `.git` that holds one commit's files, and later a change set. */
export interface Folder {
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** The commit it was made from. */
  readonly sha: string
}

export interface DiffEntry {
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type_changed'
  readonly path: string
  /** Of a rename; otherwise equal to `path`. */
  readonly oldPath: string
  readonly oldMode: string
  readonly newMode: string
}

export type WriteResult =
  | { readonly status: 'written' }
  | { readonly status: 'refused'; readonly path: string; readonly reason: string }

export interface CommitRequest {
  /** The files at `parents[0]`, changed by `changes`. Taken from memory, never from a folder. */
  readonly parents: readonly string[]
  readonly changes: ChangeSet
  readonly message: string
}

export type PublishResult =
  | { readonly status: 'published' }
  /** The branch is not where it was expected: someone else's commit is on it. */
  | { readonly status: 'moved'; readonly sha: string }
  | {
      readonly status: 'refused'
      readonly code: 'branch_protected' | 'forge_denied' | 'forge_unreachable'
      readonly detail: string
    }

/** git, seen as commits to read, folders to work in, and branches to publish. */
export interface Workspace {
  /** Reads base and our branches anew from the repository. */
  refresh(): Promise<RepositoryView>
  /** As the last refresh saw it; refreshes when there was none. */
  view(): Promise<RepositoryView>
  listFiles(sha: string): Promise<readonly TreeEntry[]>
  /** UTF-8 text of those paths that exist at the commit, are regular files, and are text of at most 1 MB. */
  readFiles(sha: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** True when `ancestor` is reachable from `sha`. */
  contains(sha: string, ancestor: string): Promise<boolean>
  /** The folder of this name, holding exactly this commit's files and nothing else. */
  checkOut(name: string, sha: string): Promise<Folder>
  /** Reads text files of a folder as they are on disk. */
  readFolder(folder: Folder, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** All or nothing; follows no symlink, and leaves the folder as it was on a refusal. */
  write(folder: Folder, changes: ChangeSet): Promise<WriteResult>
  /** The folder of this name that this process checked out and still has, or `null`. */
  folder(name: string): Folder | null
  /** What really differs on disk from the folder's commit, as git sees it; a renaming is two entries. */
  diff(folder: Folder): Promise<readonly DiffEntry[]>
  /** The unified diff between two commits. */
  patch(from: string, to: string): Promise<string>
  /** What really differs between two commits. */
  changedBetween(from: string, to: string): Promise<readonly DiffEntry[]>
  /** A new commit; deterministic for the same request, author and time. */
  commit(request: CommitRequest): Promise<string>
  /** Fast-forwards a branch under `agent/` or `executor/`, nothing else; `expected` is its sha now, `null` when absent. */
  publish(branch: string, sha: string, expected: string | null): Promise<PublishResult>
  /** Removes a folder of this name, if there is one. */
  discard(name: string): Promise<void>
  /** Makes commits readable that no branch of ours holds: heads of merged pull requests. Unknown ones are left out. */
  fetch(wanted: { readonly pullRequests: readonly number[] }): Promise<ReadonlyMap<number, string>>
  /** Ancestors by first parent, `steps` back; `null` beyond the root. */
  ancestor(sha: string, steps: number): Promise<string | null>
  mergeBase(a: string, b: string): Promise<string | null>
  /** A merge commit in memory; `resolve` gives the whole text of files that would conflict. */
  merge(request: MergeRequest): Promise<MergeOutcome>
  /** Commits of a line of work, newest first. */
  history(sha: string, request: HistoryRequest): Promise<readonly CommitRecord[]>
  /** A commit in memory that takes back what one changed against its first parent; `git revert`. */
  revert(request: RevertRequest): Promise<MergeOutcome>
  /** Keeps a text under `refs/executor/parked/<name>`, where nobody's clone fetches it; `null` takes it away. */
  park(name: string, text: string | null): Promise<PublishResult>
  /** What is kept there, by name; read anew from the repository. */
  parked(): Promise<ReadonlyMap<string, string>>
}

export interface MergeRequest {
  readonly ours: string
  readonly theirs: string
  readonly message: string
  /** `ours`: the tree stays as it is, only the history is joined. */
  readonly strategy: 'merge' | 'ours'
  readonly resolve: ReadonlyMap<string, string>
}

export interface CommitRecord {
  readonly sha: string
  readonly parents: readonly string[]
  /** First line of the message. */
  readonly title: string
  /** Address of whoever committed it. */
  readonly committer: string
  /** ISO 8601, UTC, by the committer's clock. */
  readonly at: string
  readonly trailers: Readonly<Record<string, string>>
}

export interface HistoryRequest {
  /** What this commit has is left out. */
  readonly without?: string
  /** All commits with this trailer; when not given, first parents alone. */
  readonly having?: { readonly name: string; readonly value: string }
}

export interface RevertRequest {
  /** The first parent of the new commit. */
  readonly onto: string
  /** What is taken back; `onto` contains it. */
  readonly commit: string
  /** Further parents, whose content has no say. */
  readonly also: readonly string[]
  readonly message: string
}

export type MergeOutcome =
  | { readonly status: 'merged'; readonly sha: string }
  /** `theirs` is contained already. */
  | { readonly status: 'nothing_to_merge' }
  /** Paths that conflict and were not resolved. */
  | { readonly status: 'conflict'; readonly paths: readonly string[] }

/** Methods that only look, on this machine. */
export const workspaceReads = [
  ...(['view', 'listFiles', 'readFiles', 'contains', 'checkOut', 'readFolder', 'parked'] as const),
  ...(['folder', 'diff', 'patch', 'changedBetween', 'discard', 'ancestor', 'mergeBase'] as const),
] as const satisfies (keyof Workspace)[]
