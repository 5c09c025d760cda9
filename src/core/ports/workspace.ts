import type { ChangeSet, DiffEntry, Folder, Trees } from '../../../packages/change/change.ts'
import type { ChangedFile } from '../domain/overtaken.ts'
import type { CodeIndex } from './code-index.ts'

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
  /**
   * Present tips of `agent/*` and `executor/recovery/*` in the repository, and, under their full names, of the refs
   * that keep commits.
   */
  readonly branches: readonly BranchTip[]
}

export interface CommitRequest {
  /** The files at `parents[0]` with `changes` applied. Built from memory, never from a folder. */
  readonly parents: readonly string[]
  readonly changes: ChangeSet
  readonly message: string
}

export type PublishResult =
  | { readonly status: 'published' }
  /** The branch has moved: someone else's commit is on it. */
  | { readonly status: 'moved'; readonly sha: string }
  | {
      readonly status: 'refused'
      readonly code: 'branch_protected' | 'branch_refused' | 'forge_denied' | 'forge_unreachable'
      readonly detail: string
    }

/** git, as commits to read, folders to work in, and branches to publish. */
export interface Workspace extends Trees {
  /** Reads the base and our branches from the repository again. */
  refresh(): Promise<RepositoryView>
  /** Returns the result of the last refresh; refreshes when there was none. */
  view(): Promise<RepositoryView>
  /** True when `ancestor` is reachable from `sha`. */
  contains(sha: string, ancestor: string): Promise<boolean>
  /** The folder with this name that this process checked out and still has, or `null`. */
  folder(name: string): Folder | null
  /** The actual differences on disk from the folder's commit, according to git; a rename is two entries. */
  diff(folder: Folder): Promise<readonly DiffEntry[]>
  /** The unified diff between two commits. */
  patch(from: string, to: string): Promise<string>
  /** The actual differences between two commits. */
  changedBetween(from: string, to: string): Promise<readonly DiffEntry[]>
  /**
   * Searches the files of a commit with these changes on top, except those of `.executor/`, those that are not text,
   * and links. git searches, in a process with limits of time, memory and output.
   */
  grep(sha: string, changes: ChangeSet, query: GrepQuery): Promise<GrepResult>
  /**
   * Asks an index of these files of a commit; `null` when there is none. The index reads files that it has not seen
   * and is closed after `ask`.
   */
  lookUp?<T>(sha: string, paths: readonly string[], ask: (index: CodeIndex) => T): Promise<T | null>
  /** Creates a commit; deterministic for the same request, author and time. */
  commit(request: CommitRequest): Promise<string>
  /** Fast-forwards a branch under `agent/` or `executor/` only; `expected` is its present sha, `null` when absent. */
  publish(branch: string, sha: string, expected: string | null): Promise<PublishResult>
  /** Makes commits readable that none of our branches holds: heads of merged pull requests. Omits unknown ones. */
  fetch(wanted: { readonly pullRequests: readonly number[] }): Promise<ReadonlyMap<number, string>>
  /** Ancestors by first parent, `steps` back; `null` beyond the root. */
  ancestor(sha: string, steps: number): Promise<string | null>
  mergeBase(a: string, b: string): Promise<string | null>
  /** Creates a merge commit in memory; `resolve` gives the whole text of files that would conflict. */
  merge(request: MergeRequest): Promise<MergeOutcome>
  /** Commits of a line of work, newest first. */
  history(sha: string, request: HistoryRequest): Promise<readonly CommitRecord[]>
  /** Creates a commit in memory that reverts one against its first parent; `git revert`. */
  revert(request: RevertRequest): Promise<MergeOutcome>
  /** Keeps a commit under `keptRefOf(task, sha)`, which no clone fetches; `forget` removes that ref. */
  keep(task: string, sha: string, how?: 'forget'): Promise<PublishResult>
  /** What each of two commits has that the other and the base lack, and what a merge would give. Writes nothing. */
  compare(sides: ComparedSides): Promise<ComparedWork>
  /** Keeps a text under `refs/executor/parked/<name>`, which no clone fetches; `null` removes it. */
  park(name: string, text: string | null): Promise<PublishResult>
  /** The parked texts by name, read from the repository again. */
  parked(): Promise<ReadonlyMap<string, string>>
}

export interface GrepQuery {
  /** A line matches when it contains any of them. */
  readonly patterns: readonly string[]
  /** Fixed text, or a POSIX extended expression. */
  readonly kind: 'words' | 'expression'
  /** Of the letters A to Z. */
  readonly ignoresCase: boolean
  /** The path of a file or a folder; '' for all files. */
  readonly under: string
}

export type GrepResult =
  | {
      readonly status: 'found'
      /** By path; may be empty. */
      readonly lines: readonly GrepLine[]
      /** True if the search found more, or took too long to find all. */
      readonly isCut: boolean
    }
  /** A query that cannot be answered: a wrong expression, a path that does not exist. */
  | { readonly status: 'refused'; readonly reason: string }

export interface GrepLine {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** Without its line break; a long line ends in `…` after 300 characters. */
  readonly text: string
}

export interface MergeRequest {
  readonly ours: string
  readonly theirs: string
  readonly message: string
  /** `ours`: the tree stays, only the history is joined. */
  readonly strategy: 'merge' | 'ours'
  readonly resolve: ReadonlyMap<string, string>
}

export interface CommitRecord {
  readonly sha: string
  readonly parents: readonly string[]
  /** First line of the message. */
  readonly title: string
  /** The committer's address. */
  readonly committer: string
  /** ISO 8601, UTC, by the committer's clock. */
  readonly at: string
  readonly trailers: Readonly<Record<string, string>>
}

export interface HistoryRequest {
  /** Excludes this commit's history. */
  readonly without?: string
  /** All commits with this trailer; otherwise first parents only. */
  readonly having?: { readonly name: string; readonly value: string }
}

export interface RevertRequest {
  /** The first parent of the new commit. */
  readonly onto: string
  /** The commit to revert; `onto` contains it. */
  readonly commit: string
  /** Further parents, which do not affect the content. */
  readonly also: readonly string[]
  readonly message: string
}

export interface ComparedSides {
  readonly ours: string
  readonly theirs: string
  /** Its history is on neither side. */
  readonly base: string
}

/** Names and texts as they are in git. */
export interface ComparedWork {
  readonly ours: ComparedSide
  readonly theirs: ComparedSide
  readonly merge:
    | { readonly status: 'clean' | 'unrelated' }
    | {
        readonly status: 'conflict'
        readonly paths: readonly string[]
        /** Lines of the first file with markers, from 60 before its first conflict; `null` without such a file. */
        readonly hunk: { readonly path: string; readonly text: string } | null
      }
}

export interface ComparedSide {
  /** Newest first; at most 20 of `count`. */
  readonly commits: readonly {
    readonly sha: string
    readonly author: string
    readonly title: string
  }[]
  readonly count: number
  /** The most changed first; empty when git took too long. */
  readonly files: readonly ChangedFile[]
}

export type MergeOutcome =
  | { readonly status: 'merged'; readonly sha: string }
  /** The branch contains `theirs` already. */
  | { readonly status: 'nothing_to_merge' }
  /** Unresolved conflicting paths. */
  | { readonly status: 'conflict'; readonly paths: readonly string[] }

/** Methods that only read, on this machine. */
export const workspaceReads = [
  ...(['view', 'listFiles', 'readFiles', 'contains', 'checkOut', 'readFolder', 'parked'] as const),
  ...(['folder', 'diff', 'patch', 'changedBetween', 'discard', 'ancestor', 'mergeBase'] as const),
  ...(['grep', 'lookUp', 'compare'] as const),
] as const satisfies (keyof Workspace)[]
