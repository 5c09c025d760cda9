import type { Answer, AskedChoice } from './domain/answer.ts'
import type { ChangeSet } from './domain/change-set.ts'
import type { JournalEntry, JournalEvent, RecordedAnswer } from './domain/journal-event.ts'
import type { RunState } from './domain/run-state.ts'
import type { SandboxAbility, Settings } from './domain/settings.ts'
import type { SandboxKind } from './domain/test-report.ts'
import type { Usage } from './domain/usage.ts'
import type { Claims } from './ports/claims.ts'
import type { Forge } from './ports/forge.ts'
import type { Memory } from './ports/memory.ts'
import type { SyntaxChecker } from './ports/syntax-checker.ts'

/** The doors to the outside. Nodes take only those they use: `Pick<Ports, 'model' | 'clock'>`. */
export interface Ports {
  readonly model: Model
  readonly forge: Forge
  readonly workspace: Workspace
  readonly sandbox: Sandbox
  readonly store: Store
  readonly memory: Memory
  readonly claims: Claims
  readonly person: Person
  readonly syntax: SyntaxChecker
  readonly clock: Clock
  readonly random: Random
  /** Not a door, but given with them: what the run was asked to be. */
  readonly settings: Settings
}

// ---------------------------------------------------------------- model

export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface ModelRequest {
  /** What the answer is for; shows in metrics and lets a scripted model tell calls apart. */
  readonly purpose:
    | 'normalize'
    | 'plan'
    | 'draft'
    | 'repair_code'
    | 'repair_test'
    | 'classify'
    | 'recover'
    | 'correct'
  readonly model: string
  readonly messages: readonly Message[]
  readonly maxOutputTokens: number
  /** How often an answer cut at that length may be continued, for another such answer each; 2 when not said. */
  readonly continuations?: number
  /** Ask for one JSON object where the endpoint can; the caller validates in any case. */
  readonly json: boolean
}

export type ModelReply =
  | {
      readonly status: 'answered'
      /** May be empty. A cut answer was already continued as far as the limit allows. */
      readonly text: string
      readonly finish: 'stop' | 'length'
      readonly usage: Usage
      /** Why the endpoint had to be asked again before it answered: overload, silence, a broken answer. */
      readonly setbacks?: readonly string[]
    }
  /** For now: rate limit, overload, network. `retryAt` is ISO time when the endpoint named one. */
  | {
      readonly status: 'unavailable'
      readonly reason: string
      readonly retryAt: string | null
      readonly usage: Usage
      /** Reasons before this one. */
      readonly setbacks?: readonly string[]
    }
  /**
   * More than the model can read. `window`: tokens that a request may have with its answer;
   * `promptTokens`: those of this request. Each `null` where the endpoint does not say.
   */
  | {
      readonly status: 'too_large'
      readonly reason: string
      readonly window: number | null
      readonly promptTokens: number | null
      readonly usage: Usage
    }
  /** A dry run's answer: what the call would have cost. */
  | { readonly status: 'withheld'; readonly usage: Usage }

export interface Model {
  /** @throws ExecutorError `model_rejected` when no retry can help (401, 404, 400). */
  complete(request: ModelRequest): Promise<ModelReply>
}

// ---------------------------------------------------------------- workspace

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
  /** The branch is not where it was expected: somebody else's commit is on it. */
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

// ---------------------------------------------------------------- sandbox

export type Command = { readonly shell: string } | { readonly argv: readonly string[] }

export interface SandboxRequest {
  readonly command: Command
  /** What a person would call it, `npm ci`, where somebody waits for it. */
  readonly name?: string
  /** Absolute; the only place the command may write. */
  readonly folder: string
  /** Working directory inside the folder, `.` for its root. */
  readonly directory: string
  /** Added to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>
  readonly network: boolean
  /**
   * Host paths shown read-only at places inside the folder. `within` is what no link may lead out of, where code that
   * is not ours could write there; `null` where it never could.
   */
  readonly mounts: readonly {
    readonly from: string
    readonly within: string | null
    readonly to: string
  }[]
  readonly timeoutSeconds: number
  /** Files (relative to the folder) to take out of it after the run, each of at most 64 MB. */
  readonly collect: readonly string[]
  /** Ends it when nobody needs it any more. */
  readonly signal?: AbortSignal | undefined
}

export interface SandboxRun {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  /** What it did to be ended before its time: "used more than 4,096 MB of memory". */
  readonly ended?: string
  /** Standard output, capped: head and tail are kept, the middle is named. */
  readonly stdout: string
  readonly stderr: string
  readonly collected: ReadonlyMap<string, string>
  readonly seconds: number
  readonly sandbox: SandboxKind
}

export interface Sandbox {
  /** What can be had here; probed once. */
  ability(): Promise<SandboxAbility>
  /** Never throws for what the command does; the whole process group is dead when it returns. */
  run(request: SandboxRequest): Promise<SandboxRun>
  /** Like `run`, but for preparing dependencies: with network and a writable cache, still without credentials. */
  prepare(request: SandboxRequest): Promise<SandboxRun>
  /** True where this program can be started from a sandbox (`npm`, `pytest`). */
  has(program: string): Promise<boolean>
  /** Where the dependencies of this key are, or (`ready` false, and empty) are to be installed. */
  dependencyCache(key: string): Promise<{ readonly path: string; readonly ready: boolean }>
  /**
   * Declares this key's cache complete and moves it to its place: ask for its path again. False, and nothing is kept,
   * where one of the paths that are to be shown leads out of it.
   */
  completeCache(key: string, shown: readonly string[]): Promise<boolean>
  /** The `node_modules` of the user's checkout, when it was installed from exactly this lock. */
  installed(lockPath: string, lockText: string): Promise<string | null>
}

// ---------------------------------------------------------------- store, person, clock, random

export type LoadResult =
  /** `restored` says what was wrong with the newest state, when `state` is the one before it. */
  | {
      readonly status: 'loaded'
      readonly state: RunState
      readonly restored?: string
      /** Where another machine left it; from this disk when not given. */
      readonly from?: 'repository'
    }
  | { readonly status: 'none' }
  /** The file was kept aside; `detail` says where and what was wrong. */
  | { readonly status: 'corrupt'; readonly detail: string }

/** What one model call used, and when (ISO 8601, UTC). */
export interface Spending {
  /** Tells it from an equal one on another machine, where there are others. */
  readonly id?: string | undefined
  readonly at: string
  readonly tokens: number
  readonly dollars: number
}

/** What the model calls of one day (UTC) used, those of earlier runs included. */
export interface DaySpending {
  readonly tokens: number
  readonly dollars: number
  /** What of the record cannot be read, and so is not counted; `null`: nothing. */
  readonly unreadable: string | null
}

/** A task some run has finished: what it took, and what its forecast without history was. */
export interface PastTask {
  readonly tokens: number
  readonly forecastTokens: number
}

export interface Store {
  /** The unfinished run of this request, where one is known; else the newest state. */
  load(request?: string): Promise<LoadResult>
  /**
   * Old state or new state on disk, never a torn one. The entries are in the journal before the state
   * is: a kill in between leaves what happened twice in it, never too little.
   */
  save(state: RunState, entries?: readonly JournalEntry[]): Promise<void>
  /** Appends to the journal of a run; on disk when this returns. */
  record(run: string, entries: readonly JournalEntry[]): Promise<void>
  /** All that is known of a run, in order; what is damaged is left out. Empty for one that is not known. */
  journal(run: string): Promise<readonly JournalEvent[]>
  /** Runs with a journal here, oldest first. */
  runs(): Promise<readonly string[]>
  /** What the model answered at this call of a run, if it was asked just this and all of it was kept. */
  answer(run: string, call: number, hash: string): Promise<RecordedAnswer | null>
  /** Writes `.executor/<name>`, replacing it whole; answers its path. */
  writeReport(name: string, text: string): Promise<string>
  /** Books a model call for the limits per day; it is on disk when this returns. */
  recordSpending(spending: Spending): Promise<void>
  /** The day is `2026-01-31`. What is damaged is left out and said, never thrown. */
  spendingOn(day: string): Promise<DaySpending>
  /** Finished tasks of this run and earlier ones, as far as this store still knows them. */
  pastTasks(): Promise<readonly PastTask[]>
}

export interface Question {
  readonly taskId: string
  readonly title: string
  /** Markdown a person reads before answering. */
  readonly body: string
  readonly choices: readonly AskedChoice[]
}

export interface Person {
  /** False where nobody can be asked: a pipe, a nightly run. */
  readonly present: boolean
  /** The answer, or `null` when nobody is there to give one now. */
  ask(question: Question): Promise<Answer | null>
}

export interface Clock {
  /** Wall time, ISO 8601 in UTC. For people, never for measuring. */
  now(): string
  /** Seconds from an arbitrary start; never goes back. */
  monotonic(): number
  /** Rejects with the signal's reason when aborted. */
  sleep(seconds: number, signal?: AbortSignal): Promise<void>
}

export interface Random {
  /** Lower-case hex of this many characters. */
  hex(length: number): string
  /** In [0, 1). */
  fraction(): number
}
