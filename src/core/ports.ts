import type { Sandbox } from '../../packages/sandbox/sandbox.ts'
import type { SyntaxChecker } from '../../packages/source/source.ts'
import type { ProposedTask } from '../../packages/task/task.ts'
import type { Answer, AskedChoice } from './domain/answer.ts'
import type { Settings } from './domain/settings.ts'
import type { Clock, Random } from './ports/clock.ts'
import type { Elsewhere } from './ports/elsewhere.ts'
import type { Forge } from './ports/forge.ts'
import type { Leases } from './ports/leases.ts'
import type { Ledger } from './ports/ledger.ts'
import type { Memory } from './ports/memory.ts'
import type { Model } from './ports/model.ts'
import type { Relay } from './ports/relay.ts'
import type { RouteBook } from './ports/routes.ts'
import type { Store } from './ports/store.ts'
import type { Workspace } from './ports/workspace.ts'

/** The program's access to the outside. Nodes take only the ports they use: `Pick<Ports, 'model' | 'clock'>`. */
export interface Ports {
  readonly model: Model
  readonly relay: Relay
  readonly forge: Forge
  readonly workspace: Workspace
  readonly sandbox: Sandbox
  readonly store: Store
  readonly memory: Memory
  readonly leases: Leases
  readonly routes: RouteBook
  readonly person: Person
  readonly syntax: SyntaxChecker
  readonly clock: Clock
  readonly random: Random
  /** Not a port, but passed with them: the settings of the run. */
  readonly settings: Settings
  /** Not a port either: the budget, where lanes share it. */
  readonly ledger?: Ledger | undefined
  /** The other repositories, in a workspace of several. */
  readonly elsewhere?: Elsewhere | undefined
}

export interface Question {
  readonly taskId: string
  readonly title: string
  /** Markdown that a person reads before answering. */
  readonly body: string
  readonly choices: readonly AskedChoice[]
  /** Set where the person may write other tasks instead. */
  readonly edit?: {
    /** The list to start from. */
    readonly text: string
    read(text: string): EditedTasks
  }
}

/** Tasks that a person wrote in place of a proposal, or why they cannot be used. */
export type EditedTasks =
  | { readonly status: 'ok'; readonly tasks: readonly ProposedTask[] }
  | { readonly status: 'refused'; readonly reason: string }

export interface Person {
  /** False where no person can answer: a pipe, a nightly run. */
  readonly present: boolean
  /** The answer, or `null` when no one can give one now. */
  ask(question: Question): Promise<Answer | null>
}
