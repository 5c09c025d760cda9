import { z } from 'zod'
import type { ProblemRule } from './errors.ts'
import { count, maybeCount, maybeText, object, type Stored, text, texts } from './stored.ts'

/** A task's state as its check box says it. */
const statusSchema = z.enum(['pending', 'in_progress', 'done', 'cancelled', 'blocked'])

export type TaskStatus = z.infer<typeof statusSchema>

/**
 * A task of a document that has no check box for it: where it stands, and what it says. An `item`,
 * `line`, `row` or `heading` is one in its place; `prose` is a clause of the paragraph that ends at
 * this line.
 */
export const taskMarkSchema = object({
  kind: z.enum(['item', 'line', 'row', 'heading', 'prose']),
  /** 1-based. */
  line: count,
  /** The document's own words, without the sign of its status. */
  title: text,
  status: statusSchema,
  /** What it says of its status is no word that we know. */
  isUnclear: z.literal(true).exactOptional(),
})

export type TaskMark = Stored<typeof taskMarkSchema>

/** A task as a model lists it: words that should be the document's own. */
export type ListedTask = Pick<TaskMark, 'title' | 'status'>

const identity = {
  /** As `isTaskId` has it (`T-1`, `ENG-42`): safe as a git ref and as an argument. */
  id: text,
  /** SHA-256 hex over the normalised title and details; what stored work is bound to. */
  fingerprint: text,
}

/** One unit of work: one branch, one pull request. */
export const taskSchema = object({
  ...identity,
  /** What versions before called it, where that differs: work that they began keeps it. */
  former: object(identity).exactOptional(),
  title: text,
  /** Nested bullets and paragraphs, word for word. */
  details: text,
  status: statusSchema,
  /** 1-based, inclusive. */
  line: count,
  endLine: count,
  /** Titles of the headings above, outermost first. */
  headings: texts,
  phase: maybeText,
  section: maybeText,
  /** Back-ticked paths or globs of `**Files**:`: the write scope when not empty. */
  files: texts,
  /** Resolved ids of the tasks that must be done first. */
  dependsOn: texts,
  /** Commands that must pass. */
  accept: texts,
  /** Replaces the detected test command. */
  verify: maybeText,
  model: maybeText,
  /** Smaller is sooner; 0 when not given. */
  priority: count,
  /** Check boxes nested under it, each with its 1-based line: done and ticked with it. */
  subtasks: z.array(object({ title: text, status: statusSchema, line: count })),
  /** What it may spend, from its `**Budget**:` line. */
  budget: object({ tokens: maybeCount, dollars: maybeCount }).nullable(),
})

export type Task = Stored<typeof taskSchema>
export type TaskBudget = NonNullable<Task['budget']>

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
