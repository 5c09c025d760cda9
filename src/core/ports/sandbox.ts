import type { SandboxAbility } from '../domain/settings.ts'
import type { SandboxKind } from '../domain/test-report.ts'

export type Command = { readonly shell: string } | { readonly argv: readonly string[] }

/** What an installation can reach: registries alone, or whatever this machine reaches. */
export type InstallNetwork = 'registries' | 'machine'

/** What a runner of tests is asked to write, and nobody else is to know: `.executor-results-1.xml`. */
export const reportName = /^\.executor-results-\d+\.\w+$/

/** Of a shell: what it found cannot be run; it found nothing of the name. */
export const notRunnable = 126
export const notFound = 127

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
  /** For `prepare`: whose registries it may reach, where it cannot have the network of this machine. */
  readonly registries?: {
    /** Programs that install, or all that are here: wherever the operator's settings of theirs lead. */
    readonly of: readonly string[] | 'all'
    /** URLs of the start commit: what a change brings in does not count. */
    readonly named: readonly string[]
  }
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
  /**
   * Files (relative to the folder) to take out of it after the run, each of at most 64 MB. One that is called as
   * `reportName` says goes by another name in each run, in the command too.
   */
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
  /** Of an installation. */
  readonly network?: InstallNetwork
}

export interface Sandbox {
  /** What can be had here; probed once. */
  ability(): Promise<SandboxAbility>
  /** What network `prepare` can offer here; probed once, when first asked for. */
  installNetwork(): Promise<InstallNetwork>
  /** Never throws for what the command does; the whole process group is dead when it returns. */
  run(request: SandboxRequest): Promise<SandboxRun>
  /**
   * Like `run`, but for preparing dependencies: with a writable cache, still without credentials, and where it asks for
   * network with one that leads to registries alone, if that can be had here.
   */
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
