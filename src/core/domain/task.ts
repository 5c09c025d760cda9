/** A task's state as its check box says it. */
export type TaskStatus = 'pending' | 'in_progress' | 'done' | 'cancelled' | 'blocked'

/** A check box nested under a task: done and ticked with its parent. */
export interface Subtask {
  readonly title: string
  readonly status: TaskStatus
  /** 1-based line of the check box. */
  readonly line: number
}

/** What a task may spend, from its `**Budget**:` line. */
export interface TaskBudget {
  readonly tokens: number | null
  readonly dollars: number | null
}

/**
 * A task of a document that has no check box for it: where it stands, and what it says. An `item`,
 * `line`, `row` or `heading` is one in its place; `prose` is a clause of the paragraph that ends at
 * this line.
 */
export interface TaskMark {
  readonly kind: 'item' | 'line' | 'row' | 'heading' | 'prose'
  /** 1-based. */
  readonly line: number
  /** The document's own words, without the sign of its status. */
  readonly title: string
  readonly status: TaskStatus
  /** What it says of its status is no word that we know. */
  readonly isUnclear?: true
}

/** A task as a model lists it: words that should be the document's own. */
export interface ListedTask {
  readonly title: string
  readonly status: TaskStatus
}

/** One unit of work: one branch, one pull request. */
export interface Task {
  /** As `isTaskId` has it (`T-1`, `ENG-42`): safe as a git ref and as an argument. */
  readonly id: string
  /** SHA-256 hex over the normalised title and details; what stored work is bound to. */
  readonly fingerprint: string
  /** What versions before called it, where that differs: work that they began keeps it. */
  readonly former?: Pick<Task, 'id' | 'fingerprint'>
  readonly title: string
  /** Nested bullets and paragraphs, word for word. */
  readonly details: string
  readonly status: TaskStatus
  /** 1-based, inclusive. */
  readonly line: number
  readonly endLine: number
  /** Titles of the headings above, outermost first. */
  readonly headings: readonly string[]
  readonly phase: string | null
  readonly section: string | null
  /** Back-ticked paths or globs of `**Files**:`: the write scope when not empty. */
  readonly files: readonly string[]
  /** Resolved ids of the tasks that must be done first. */
  readonly dependsOn: readonly string[]
  /** Commands that must pass. */
  readonly accept: readonly string[]
  /** Replaces the detected test command. */
  readonly verify: string | null
  readonly model: string | null
  /** Smaller is sooner; 0 when not given. */
  readonly priority: number
  readonly subtasks: readonly Subtask[]
  readonly budget: TaskBudget | null
}

/** Nothing is left to do for it. */
export const isSettled = ({ status }: Pick<Task, 'status'>): boolean =>
  status === 'done' || status === 'cancelled'

/** A run works on it. */
export const isToDo = ({ status }: Pick<Task, 'status'>): boolean =>
  status === 'pending' || status === 'in_progress'

/** Something wrong with a roadmap, said so that a person can mend it. */
export interface RoadmapProblem {
  readonly rule: ProblemRule
  /** An `error` refuses the run; a `warning` is only shown, and a `note` may be as it is meant. */
  readonly severity: 'error' | 'warning' | 'note'
  readonly line: number
  readonly column: number
  readonly message: string
  readonly fix: string
}

export interface Roadmap {
  readonly tasks: readonly Task[]
  readonly problems: readonly RoadmapProblem[]
}

export const problemRules = [
  'invalid-id',
  'duplicate-id',
  'same-task',
  'unknown-dependency',
  'unread-dependency',
  'dependency-cycle',
  'invalid-path',
  'unread-text',
  'unread-status',
  'unsandboxed-commands',
  'edited-since',
  'issue',
] as const

type ProblemRule = (typeof problemRules)[number]
