import { z } from 'zod'
import { count, maybeCount, maybeText, object, type Stored, text, texts } from '../text/text.ts'

/** A task's state according to its check box. */
const statusSchema = z.enum(['pending', 'in_progress', 'done', 'cancelled', 'blocked'])

export type TaskStatus = z.infer<typeof statusSchema>

/**
 * A task without a check box: its place and its words. An `item`, `line`, `row` or `heading` is a task in its place;
 * `prose` is a clause of the paragraph that ends at this line.
 */
export const taskMarkSchema = object({
  kind: z.enum(['item', 'line', 'row', 'heading', 'prose']),
  /** 1-based. */
  line: count,
  /** The document's own words, without the status sign. */
  title: text,
  status: statusSchema,
  /** Its status is a word that we do not know. */
  isUnclear: z.literal(true).exactOptional(),
})

export type TaskMark = Stored<typeof taskMarkSchema>

/** A task as a model lists it, in words that should be the document's own. */
export type ListedTask = Pick<TaskMark, 'title' | 'status'>

const identity = {
  /** Valid for `isTaskId` (`T-1`, `ENG-42`): safe as a git ref and as an argument. */
  id: text,
  /** SHA-256 hex over the normalised title and details; stored work is bound to it. */
  fingerprint: text,
}

/** A task as the roadmap has it. */
const memberSchema = object({
  ...identity,
  /** Its identity in earlier versions, where it differs: work begun under it keeps it. */
  former: object(identity).exactOptional(),
  title: text,
  /** Nested bullets and paragraphs, verbatim. */
  details: text,
  status: statusSchema,
  /** 1-based, inclusive. */
  line: count,
  endLine: count,
  /** Titles of the enclosing headings, outermost first. */
  headings: texts,
  /** The text above the tasks of the nearest section that has some, as their purpose or a sample. */
  about: text.exactOptional(),
  phase: maybeText,
  section: maybeText,
  /** Paths or globs in backticks from `**Files**:`: the write scope when not empty. */
  files: texts,
  /** Resolved ids of the tasks that must be done first. */
  dependsOn: texts,
  /** Commands that must pass. */
  accept: texts,
  /** Replaces the detected test command. */
  verify: maybeText,
  model: maybeText,
  /** The group of tasks that are wanted only together; one that fails for good rolls the others back. */
  together: text.exactOptional(),
  /** The name on its `**Group**:` line: small tasks with one name may be done in one request. */
  group: text.exactOptional(),
  /** Who does it, where that is not the executor: left alone unless a person names it. */
  owner: text.exactOptional(),
  /** Tasks of other repositories that must be done first, `api:T-1`. */
  elsewhere: texts.exactOptional(),
  /** Smaller runs sooner; defaults to 0. */
  priority: count,
  /** Nested check boxes, each with its 1-based line: done and ticked together with the task. */
  subtasks: z.array(object({ title: text, status: statusSchema, line: count })),
  /** Spending limits from its `**Budget**:` line. */
  budget: object({ tokens: maybeCount, dollars: maybeCount }).nullable(),
})

/**
 * One unit of work: one branch, one pull request. A group of small tasks has `members`, and the identity of the first
 * of them.
 */
export const taskSchema = memberSchema.extend({
  /** The tasks of a group, in order; absent for a task alone. */
  members: z.array(memberSchema).exactOptional(),
})

export type Task = Stored<typeof taskSchema>
export type TaskBudget = NonNullable<Task['budget']>

/** `20,000 tokens`, `$0.10`. */
export const amountOf = (unit: keyof TaskBudget, value: number): string =>
  unit === 'tokens'
    ? `${Math.round(value).toLocaleString('en')} tokens`
    : `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`

/** A task proposed in place of a failed one; checked before any person sees it. */
export const proposedTaskSchema = object({
  id: text,
  /** One line, without structural Markdown. */
  title: text,
  /** Further sentences, one per line. */
  details: texts,
  files: texts,
  /** It is the old task with this model, and nothing else changed. */
  model: text.exactOptional(),
  /** It belongs together with the other tasks of its proposal: all of them, or none. */
  together: z.literal(true).exactOptional(),
})

export type ProposedTask = Stored<typeof proposedTaskSchema>

/** The tasks of a unit of work: the members of a group, else the task itself. */
export const membersOf = (task: Task): readonly Task[] => task.members ?? [task]

/** `T-1, T-2`: how commits and pull requests name a unit of work. */
export const idsOf = ({ id, members }: Pick<Task, 'id' | 'members'>): string =>
  (members ?? [{ id }]).map((each) => each.id).join(', ')

/** Nothing remains to be done. */
export const isSettled = ({ status }: Pick<Task, 'status'>): boolean =>
  status === 'done' || status === 'cancelled'

/** A run works on it. */
export const isToDo = ({ status }: Pick<Task, 'status'>): boolean =>
  status === 'pending' || status === 'in_progress'

/** Rules that a roadmap's text can break. */
export const problemRules = [
  'invalid-id',
  'duplicate-id',
  'same-task',
  'unknown-dependency',
  'unread-dependency',
  'dependency-cycle',
  'invalid-path',
  'unread-text',
  'unread-box',
  'unread-value',
  'left-out-task',
  'unread-status',
  'unsandboxed-commands',
  'edited-since',
  'issue',
] as const

/** A fault of a roadmap, worded so that a person can fix it. */
export interface RoadmapProblem {
  readonly rule: (typeof problemRules)[number]
  /** An `error` refuses the run; a `warning` is only shown; a `note` may be intended. */
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

const grammar = /^[A-Za-z][A-Za-z0-9]{0,15}-[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
/** Prefixes of remarks, issues and runs, which are leased, stored and named beside tasks. */
const reserved = /^(?:comment|issue|run)-\d|^checks-(?:[\da-f]{40}|[\da-f]{64})$/

/** True for an id that is safe as a part of a git ref and as one argument of a command. */
export const isTaskId = (text: string): boolean =>
  grammar.test(text) &&
  !reserved.test(text) &&
  !text.includes('..') &&
  !text.endsWith('.') &&
  !text.toLowerCase().includes('.lock')
