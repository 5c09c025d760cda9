import type { Trees } from '../change/change.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { SyntaxChecker } from '../source/source.ts'

/** The request that a change answers, as far as judging needs it; a task is one. */
export interface Scope {
  readonly title: string
  /** Markdown. */
  readonly details: string
  /** Paths or globs that may be changed; everything where empty. */
  readonly files: readonly string[]
  /** Commands that must pass. */
  readonly accept: readonly string[]
  /** Replaces the detected test command. */
  readonly verify: string | null
}

/** Its words alone. */
export type Words = Pick<Scope, 'title' | 'details'>

/** Limits of a change, and how it is tested; the settings of a run are such rules. */
export interface Rules {
  /** Path of the roadmap, which no change edits. */
  readonly roadmap: string
  /** Globs. */
  readonly protectedPaths: readonly string[]
  readonly verify: {
    readonly mode: 'auto' | 'agent' | 'skip'
    readonly requireTests: boolean
    readonly setupCommand: string | null
    readonly testCommand: string | null
    readonly lintCommand: string | null
    /** For one run of tests; `null` stands for 600, or what they need by the start commit's run. */
    readonly timeoutSeconds: number | null
    readonly installScripts: boolean
    readonly registries: readonly string[]
  }
  readonly sandbox: { readonly network: boolean }
}

/** A source of randomness; a test passes a fixed one. */
interface Random {
  /** Lower-case hex of this many characters. */
  hex(length: number): string
  /** In [0, 1). */
  fraction(): number
}

/** What judging a change needs from outside; the ports of a run offer it. */
export interface JudgePorts {
  readonly workspace: Trees
  readonly sandbox: Sandbox
  readonly syntax: SyntaxChecker
  readonly clock: { sleep(seconds: number, signal?: AbortSignal): Promise<void> }
  readonly random: Random
  readonly settings: Rules
}
