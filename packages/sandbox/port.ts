/** How strongly a command is isolated from this machine, strongest first. */
export type SandboxKind = 'bubblewrap' | 'other-user' | 'unshare' | 'unsandboxed'

export type Command = { readonly shell: string } | { readonly argv: readonly string[] }

/** The network of an installation: package registries only, or all of this machine's. */
export type InstallNetwork = 'registries' | 'machine'

/** Report file of a test runner, hidden from the tests themselves: `.executor-results-1.xml`. */
export const reportName = /^\.executor-results-\d+\.\w+$/

export interface SandboxRequest {
  readonly command: Command
  /** What a person would call it, `npm ci`: the name that progress shows. */
  readonly name?: string
  /** Absolute; the only place that the command may write. */
  readonly folder: string
  /** Working directory inside the folder, `.` for its root. */
  readonly directory: string
  /** Added to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>
  readonly network: boolean
  /** For `prepare`: the registries that it may reach, when this machine's network is denied. */
  readonly registries?: {
    /** Installers whose configured registries are allowed, or `all` installed ones. */
    readonly of: readonly string[] | 'all'
    /** URLs in the start commit: those that a change adds do not count. */
    readonly named: readonly string[]
  }
  /**
   * Host paths mounted read-only inside the folder. No link may lead out of `within`, when untrusted code could write
   * there; `null` when it never could.
   */
  readonly mounts: readonly {
    readonly from: string
    readonly within: string | null
    readonly to: string
  }[]
  readonly timeoutSeconds: number
  /**
   * Files (relative to the folder) to take out after the run, each of at most 64 MB. A file whose name matches
   * `reportName` gets another name in each run, in the command too.
   */
  readonly collect: readonly string[]
  /** Stops a command that is no longer needed. */
  readonly signal?: AbortSignal | undefined
  /** Receives output while the command runs, in arbitrary pieces and not redacted; the result does not depend on it. */
  readonly heard?: ((piece: Uint8Array, from: 'stdout' | 'stderr') => void) | undefined
}

export interface SandboxRun {
  /** As of a shell: 127 if there is no such program. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  /** Why it was killed: "used more than 4,096 MB of memory". */
  readonly ended?: string
  /** Standard output, capped: keeps head and tail, and notes the omitted middle. */
  readonly stdout: string
  readonly stderr: string
  readonly collected: ReadonlyMap<string, string>
  readonly seconds: number
  readonly sandbox: SandboxKind
  /** For an installation. */
  readonly network?: InstallNetwork
}

/** Result of the sandbox check, which runs once per run. */
export interface SandboxAbility {
  readonly kind: SandboxKind
  readonly network: 'none' | 'host'
  /** Why no stronger kind was chosen. */
  readonly reason: string
}

/** The only ways out of a command's own network. */
export interface NetworkReach {
  /** A port of this machine's loopback, which the command finds at the same address. */
  readonly port: number
  /** Hosts that it may reach besides, with an optional port; `*` is all of the internet. */
  readonly hosts: readonly string[]
}

export interface ReachedRun extends SandboxRun {
  /** The first addresses that it tried in vain, `host:port`. */
  readonly refused: readonly string[]
  /** `machine` where `sandbox: off` gives it the whole network of this machine. */
  readonly reached: 'allowed' | 'machine'
}

export interface Sandbox {
  /** The strongest kind available here; checked once. */
  ability(): Promise<SandboxAbility>
  /** The network that `prepare` can offer here; checked once, at the first call. */
  installNetwork(): Promise<InstallNetwork>
  /** Never throws for a failing command; its whole process group is dead when this returns. */
  run(request: SandboxRequest): Promise<SandboxRun>
  /**
   * Like `run`, with a way out of the command's own network.
   * @throws SandboxError `network` where no sandbox can give it such a network, unless `sandbox: off` asks for none
   */
  runReaching(request: SandboxRequest, reach: NetworkReach): Promise<ReachedRun>
  /**
   * Like `run`, but for preparing dependencies: with a writable cache, still without credentials, and, when it needs
   * network, with one that reaches registries only, if available here.
   */
  prepare(request: SandboxRequest): Promise<SandboxRun>
  /** True when a sandbox can start this program (`npm`, `pytest`). */
  has(program: string): Promise<boolean>
  /** The folder with the dependencies of this key, or (`ready` false, and empty) for installing them. */
  dependencyCache(key: string): Promise<{ readonly path: string; readonly ready: boolean }>
  /**
   * Declares this key's cache complete and moves it into place: ask for its path again. Returns false and discards it
   * when one of the mounted paths leads out of it.
   */
  completeCache(key: string, shown: readonly string[]): Promise<boolean>
  /** The `node_modules` of the user's checkout, when it was installed from exactly this lock file. */
  installed(lockPath: string, lockText: string): Promise<string | null>
}
