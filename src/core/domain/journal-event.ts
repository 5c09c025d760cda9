import type { Plan, RecoveryRecord, RunState } from './run-state.ts'
import type { ErrorType, Remedy, StepError } from './step-error.ts'
import type { NodeName, OutcomeOf } from './steps.ts'
import type { Usage } from './usage.ts'
import type { TaskResult } from './verdict.ts'

/** What is written outside this machine. */
export type EffectKind =
  | 'branch'
  | 'pull_request'
  | 'comment'
  | 'review_comment'
  | 'label'
  | 'merge'
  | 'close'
  | 'retarget'
  | 'issue'
  | 'reaction'
  | 'people'
  | 'dispatch'
  | 'park'
  | 'state'
  | 'claim'

/** A pull request of ours; of its body, the hidden lines. */
export interface SurveyedPullRequest {
  readonly number: number
  readonly author: string
  readonly head: string
  readonly headSha: string
  readonly base: string
  readonly state: 'open' | 'closed' | 'merged'
  readonly mergeSha: string | null
  readonly body: string
  readonly labels: readonly string[]
}

/** What a rollback can take back. */
export type UndoneOperation = 'drop' | 'unpark' | 'close' | 'revert' | 'propose_revert'

/** A model's answer, found again by the ordinal of its call in the run and the hash of its request. */
export interface RecordedAnswer {
  /** 0 for the first answered call of the run. */
  readonly call: number
  /** SHA-256 of what was asked, in hex. */
  readonly hash: string
  readonly text: string
  readonly finish: 'stop' | 'length'
  readonly usage: Usage
  /** False when a secret was masked in the text: such an answer is for reading, never used again. */
  readonly exact: boolean
}

/** What an endpoint said of a question that is more than its model can read. */
export interface RecordedRefusal {
  readonly call: number
  /** As an answer has it. */
  readonly hash: string
  readonly reason: string
  /** Tokens; `null` where it did not say. */
  readonly window: number | null
  readonly promptTokens: number | null
}

/** One thing that happened in a run. */
export type JournalEntry =
  | {
      readonly kind: 'started'
      readonly roadmap: string
      readonly base: RunState['base']
      readonly only: RunState['only']
      readonly model: string
      readonly strategy: string
      /** What the run knew before its first step, for a replay; results come later. */
      readonly state?: Omit<RunState, 'results'> | undefined
    }
  /** What the outside looked like to `parse_roadmap`: of tasks that are open, and no more. */
  | {
      readonly kind: 'surveyed'
      readonly forge: 'github' | 'local'
      readonly stack: string
      /** Shas by name. */
      readonly branches: Readonly<Record<string, string>>
      readonly pullRequests: readonly SurveyedPullRequest[]
    }
  /** `repository`: from what another machine left in the repository. */
  | {
      readonly kind: 'resumed'
      readonly next: RunState['next']
      readonly from: 'disk' | 'repository'
    }
  | {
      readonly kind: 'stepped'
      readonly node: NodeName
      readonly outcome: OutcomeOf<NodeName>
      readonly task: string | null
      readonly attempt: number | null
      readonly seconds: number
      /** What the model calls of this step used. */
      readonly usage: Usage
      /** How many files the change touches that this step came to. */
      readonly files?: number | undefined
      /** What the plan that this step came to says of the task. */
      readonly complexity?: Plan['complexity'] | undefined
    }
  | ({
      readonly kind: 'answered'
      readonly purpose: string
      readonly model: string
      readonly task: string | null
      readonly attempt: number | null
      readonly seconds: number
      /** What was asked, told by `outlineRequest`: enough to say where another request differs. */
      readonly outline?: readonly string[] | undefined
    } & RecordedAnswer)
  /** A question that was more than the model can read; `call` is the ordinal of the answer that it did not bring. */
  | ({
      readonly kind: 'too_large'
      readonly purpose: string
      readonly task: string | null
      readonly attempt: number | null
    } & RecordedRefusal)
  /** Something is about to be written outside; what identifies it there is `key`. */
  | {
      readonly kind: 'intended'
      readonly effect: EffectKind
      readonly key: string
      readonly detail: string
    }
  /** `known`: it was there already. `uncertain`: whether it took effect could not be seen. */
  | {
      readonly kind: 'effected'
      readonly effect: EffectKind
      readonly key: string
      readonly outcome: 'done' | 'known' | 'refused' | 'uncertain'
      readonly detail: string
    }
  | { readonly kind: 'filed'; readonly result: TaskResult }
  /** A verdict was taken back: the task has another turn. */
  | { readonly kind: 'reopened'; readonly task: string }
  | { readonly kind: 'recovered'; readonly record: RecoveryRecord }
  /** A step failed: what of, in a shortened message, and the signature by which the same is known again. */
  | {
      readonly kind: 'failed'
      readonly task: string | null
      readonly attempt: number | null
      readonly node: NodeName
      readonly error: Omit<StepError, 'strategy'>
      readonly signature: string
      readonly message: string
    }
  /** What was tried against it: `fix` is the command, or the line of advice. */
  | {
      readonly kind: 'remedied'
      readonly task: string | null
      readonly attempt: number | null
      readonly node: NodeName
      readonly type: ErrorType
      readonly strategy: Remedy
      readonly signature: string
      readonly fix: string
      readonly worked: boolean
    }
  /** A rollback took something back; `key` is the commit, the number, the branch or the task. */
  | {
      readonly kind: 'undone'
      readonly task: string
      readonly operation: UndoneOperation
      readonly key: string
      /** `left`: it could not be; `detail` says why. */
      readonly outcome: 'done' | 'left'
      readonly detail: string
    }
  | { readonly kind: 'ended'; readonly stopped: RunState['stopped'] }

/** The same without what a model said: that it did, and what it took, stays. */
export function withoutAnswerText<Event extends JournalEntry>(event: Event): Event {
  return event.kind === 'answered' ? { ...event, text: '', exact: false } : event
}

/** A line of a run's journal. Their order is that of `seq`: clocks go back. */
export type JournalEvent = JournalEntry & {
  /** 0, 1, 2, … within the run. */
  readonly seq: number
  /** ISO 8601, UTC. */
  readonly at: string
  readonly run: string
}
