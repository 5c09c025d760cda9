import { z } from 'zod'
import { readStored } from '../parse-json.ts'
import { attemptSchema } from './attempt.ts'
import { recoveryRecordSchema, runStateSchema, storedState } from './run-state.ts'
import { stepErrorSchema, triedRemedySchema } from './step-error.ts'
import { nextNodeSchema, nodeSchema, outcomeSchema } from './steps.ts'
import {
  commitSchema,
  count,
  maybeCount,
  maybeText,
  object,
  type Stored,
  text,
  texts,
} from './stored.ts'
import { usageSchema } from './usage.ts'
import { taskResultSchema } from './verdict.ts'

/** What is written outside this machine. */
const effectKindSchema = z.enum([
  ...['branch', 'pull_request', 'comment', 'review_comment', 'label', 'merge', 'close', 'retarget'],
  ...['issue', 'reaction', 'people', 'dispatch', 'park', 'state', 'claim'],
] as const)

export type EffectKind = z.infer<typeof effectKindSchema>

/** A pull request of ours; of its body, the hidden lines. */
const surveyedPullRequestSchema = object({
  number: count,
  author: text,
  head: text,
  headSha: text,
  base: text,
  state: z.enum(['open', 'closed', 'merged']),
  mergeSha: maybeText,
  body: text,
  labels: texts,
})

/** Of every line. Their order is that of `seq`: clocks go back. */
const place = {
  /** 0, 1, 2, … within the run. */
  seq: z.int().nonnegative(),
  /** ISO 8601, UTC. */
  at: text,
  run: text,
}

const whose = { task: maybeText, attempt: maybeCount }

/** A question to the model. */
const question = {
  /** The ordinal of the answer in the run: 0 for the first. One that brought no answer has that of the next. */
  call: z.int().nonnegative(),
  /** SHA-256 of what was asked, in hex. */
  hash: text,
  purpose: text,
  ...whose,
}

const { node, signature, fix, type } = triedRemedySchema.shape

const eventSchema = z.discriminatedUnion('kind', [
  object({
    ...place,
    kind: z.literal('started'),
    roadmap: text,
    base: commitSchema,
    only: runStateSchema.shape.run.shape.only,
    model: text,
    strategy: text,
    /** What the run knew before its first step, for a replay; not where an older version wrote it. */
    state: storedState(z.record(text, taskResultSchema).default({})).optional().catch(undefined),
  }),
  /** What the outside looked like to `parse_roadmap`: of tasks that are open, and no more. */
  object({
    ...place,
    kind: z.literal('surveyed'),
    forge: z.enum(['github', 'local']),
    stack: text,
    /** Shas by name. */
    branches: z.record(text, text),
    pullRequests: z.array(surveyedPullRequestSchema),
  }),
  /** `repository`: from what another machine left in the repository. */
  object({
    ...place,
    kind: z.literal('resumed'),
    next: nextNodeSchema,
    from: z.enum(['disk', 'repository']),
  }),
  object({
    ...place,
    ...whose,
    kind: z.literal('stepped'),
    node: nodeSchema,
    outcome: outcomeSchema,
    seconds: count,
    /** What the model calls of this step used. */
    usage: usageSchema,
    /** How many files the change touches that this step came to. */
    files: count.optional(),
    /** What the plan that this step came to says of the task. */
    complexity: attemptSchema.shape.plan.unwrap().shape.complexity.optional(),
  }),
  object({
    ...place,
    ...question,
    kind: z.literal('answered'),
    model: text,
    text,
    finish: z.enum(['stop', 'length']),
    usage: usageSchema,
    seconds: count,
    /** False when a secret was masked in the text: such an answer is for reading, never used again. */
    exact: z.boolean(),
    /** What was asked, told by `outlineRequest`: enough to say where another request differs. */
    outline: texts.optional(),
  }),
  /** A question that was more than the model can read, as an endpoint said: in tokens, `null` where it did not say. */
  object({
    ...place,
    ...question,
    kind: z.literal('too_large'),
    reason: text,
    window: z.int().nonnegative().nullable(),
    promptTokens: z.int().nonnegative().nullable(),
  }),
  /** Something is about to be written outside; what identifies it there is `key`. */
  object({
    ...place,
    kind: z.literal('intended'),
    effect: effectKindSchema,
    key: text,
    detail: text,
  }),
  /** `known`: it was there already. `uncertain`: whether it took effect could not be seen. */
  object({
    ...place,
    kind: z.literal('effected'),
    effect: effectKindSchema,
    key: text,
    outcome: z.enum(['done', 'known', 'refused', 'uncertain']),
    detail: text,
  }),
  /** An installer of what the tests need has ended; `tool` is what a person would call it, `npm ci`. */
  object({
    ...place,
    kind: z.literal('installed'),
    tool: text,
    exitCode: maybeCount,
    seconds: count,
  }),
  object({ ...place, kind: z.literal('filed'), result: taskResultSchema }),
  /** A verdict was taken back: the task has another turn. */
  object({ ...place, kind: z.literal('reopened'), task: text }),
  object({ ...place, kind: z.literal('recovered'), record: recoveryRecordSchema }),
  /** A step failed: what of, in a shortened message, and the signature by which the same is known again. */
  object({
    ...place,
    ...whose,
    kind: z.literal('failed'),
    node,
    error: stepErrorSchema.omit({ strategy: true }),
    signature,
    message: text,
  }),
  /** What was tried against it: `fix` is the command, or the line of advice. */
  object({
    ...place,
    ...whose,
    kind: z.literal('remedied'),
    node,
    type,
    strategy: triedRemedySchema.shape.strategy,
    signature,
    fix,
    worked: z.boolean(),
  }),
  /** A rollback took something back; `key` is the commit, the number, the branch or the task. */
  object({
    ...place,
    kind: z.literal('undone'),
    task: text,
    operation: z.enum(['drop', 'unpark', 'close', 'revert', 'propose_revert']),
    key: text,
    /** `left`: it could not be; `detail` says why. */
    outcome: z.enum(['done', 'left']),
    detail: text,
  }),
  object({
    ...place,
    kind: z.literal('ended'),
    stopped: runStateSchema.shape.progress.shape.stopped,
  }),
])

/** A line of a run's journal. */
export type JournalEvent = Stored<typeof eventSchema>

/** One thing that happened in a run. */
export type JournalEntry = WithoutPlace<JournalEvent>

type WithoutPlace<Event> = Event extends JournalEvent ? Omit<Event, keyof typeof place> : never

/** The events of one kind. */
export type Recorded<Kind extends JournalEvent['kind']> = Extract<
  JournalEvent,
  { readonly kind: Kind }
>

/** A model's answer, found again by the ordinal of its call in the run and the hash of its request. */
export type RecordedAnswer = Pick<
  Recorded<'answered'>,
  'call' | 'hash' | 'text' | 'finish' | 'usage' | 'exact'
>

/** The event in a line of a journal; `null` for a line that holds none. */
export const readJournalLine = (line: string): JournalEvent | null => readStored(eventSchema, line)

/** The same without what a model said: that it did, and what it took, stays. */
export function withoutAnswerText<Event extends JournalEntry>(event: Event): Event {
  return event.kind === 'answered' ? { ...event, text: '', exact: false } : event
}
