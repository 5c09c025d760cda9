import { z } from 'zod'
import { stepErrorSchema } from '../../../packages/diagnosis/diagnosis.ts'
import {
  commitSchema,
  count,
  maybeCount,
  maybeText,
  object,
  readStored,
  type Stored,
  text,
  texts,
} from '../../../packages/text/text.ts'
import { triedRequestSchema } from './answer-form.ts'
import { attemptSchema, triedRemedySchema } from './attempt.ts'
import { knownFixSchema } from './known-fix.ts'
import { complexitySchema, refinementSchema, shapeSchema, waySchema } from './route.ts'
import { recoveryRecordSchema, runStateSchema, storedState } from './run-state.ts'
import { nextNodeSchema, nodeSchema, outcomeSchema } from './steps.ts'
import { toolNames } from './tool-call.ts'
import { toolLoopSchema } from './tool-loop.ts'
import { usageSchema } from './usage.ts'
import { taskResultSchema } from './verdict.ts'

/** Kinds of writes outside this machine. */
const effectKindSchema = z.enum([
  ...['branch', 'pull_request', 'comment', 'review_comment', 'label', 'merge', 'close', 'retarget'],
  ...['issue', 'reaction', 'people', 'dispatch', 'park', 'state', 'claim', 'check_run'],
] as const)

export type EffectKind = z.infer<typeof effectKindSchema>

/** One of our pull requests; of its body, only the hidden lines. */
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

/** Fields of every line, ordered by `seq`: clocks can go back. */
const place = {
  /** 0, 1, 2, … within the run. */
  seq: z.int().nonnegative(),
  /** ISO 8601, UTC. */
  at: text,
  run: text,
}

const ofRun = {}
const ofTask = { task: maybeText, attempt: maybeCount }

/** A question to the model. */
const ofQuestion = {
  /** Ordinal of the answer in the run, from 0. A question without an answer has the ordinal of the next. */
  call: z.int().nonnegative(),
  /** SHA-256 of the request, in hex. */
  hash: text,
  purpose: text,
  ...ofTask,
}

const { node, signature, fix, type } = triedRemedySchema.shape

/** What a test run of `use_tool` left in its attempt. */
const testedSchema = object({
  fault: z.enum(['change', 'tests']).optional(),
  ends: outcomeSchema.optional(),
  /** False when more happened than these facts say: a question to the model, a renewed lock file. */
  isWhole: z.boolean(),
  attempt: attemptSchema.pick({
    ...{ tests: true, receipt: true, broken: true, failure: true, remedies: true },
  }),
  loop: toolLoopSchema.pick({ testRuns: true, hasPassed: true }),
})

/** Settings that decide which requests a run makes: of a loop of tools, of reflections, of groups. */
const rulesSchema = object({
  reflectAfter: count,
  tools: object({ allowed: z.array(z.enum(toolNames)), native: z.boolean(), summariseOver: count }),
  limits: object({
    reflections: count,
    toolCalls: count,
    failingChanges: count,
    toolTestRuns: count,
  }),
  /** Absent when each task goes alone. */
  group: text.exactOptional(),
})

/** A kind of line: its subject, and its facts. */
const event = <Kind extends string, About extends z.ZodRawShape, Facts extends z.ZodRawShape>(
  kind: Kind,
  about: About,
  facts: Facts,
) => object({ ...place, ...about, kind: z.literal(kind), ...facts })

const eventSchema = z.discriminatedUnion('kind', [
  event('started', ofRun, {
    roadmap: text,
    base: commitSchema,
    only: runStateSchema.shape.run.shape.only,
    model: text,
    strategy: text,
    /** Whether prompts say what earlier tasks made; absent in journals of older versions, whose prompts do not. */
    memory: z.boolean().optional(),
    /** A replay asks the same after a change of the configuration; absent in journals of older versions. */
    rules: rulesSchema.optional().catch(undefined),
    /** The run's knowledge before its first step, for a replay; absent in journals of older versions. */
    state: storedState(z.record(text, taskResultSchema).default({})).optional().catch(undefined),
  }),
  /** The outside as `parse_roadmap` saw it, for open tasks only. */
  event('surveyed', ofRun, {
    forge: z.enum(['github', 'local']),
    stack: text,
    /** Shas by name. */
    branches: z.record(text, text),
    pullRequests: z.array(surveyedPullRequestSchema),
  }),
  /** `repository`: from state that another machine left in the repository. */
  event('resumed', ofRun, {
    next: nextNodeSchema,
    from: z.enum(['disk', 'repository']),
    /** Where its lanes resume; absent in a run without lanes. */
    lanes: z.array(object({ lane: count, task: text, next: nextNodeSchema })).optional(),
  }),
  event('stepped', ofTask, {
    /** The lane that took the step; absent for the walk between tasks, and in a run without lanes. */
    lane: count.optional(),
    node: nodeSchema,
    outcome: outcomeSchema,
    seconds: count,
    /** Usage of this step's model calls. */
    usage: usageSchema,
    /** Number of files that the change of this step touches. */
    files: count.optional(),
    /** Complexity of the task, by its words when the attempt begins, then by the plan of this step. */
    complexity: complexitySchema.optional(),
    /** Of the task, when this step began its attempt. */
    shape: shapeSchema.optional(),
    refinement: refinementSchema.optional(),
    /** What the first request for code showed: its worked example, and the tokens of its map and files. */
    lesson: text.optional(),
    contextTokens: count.optional(),
    /** How the answer of this step was asked for, where it is all of a change. */
    request: triedRequestSchema.exactOptional(),
  }),
  event('answered', ofQuestion, {
    model: text,
    text,
    finish: z.enum(['stop', 'length']),
    /** Why the text is empty or a part, where the endpoint said. */
    why: text.exactOptional(),
    /** The answer repeated itself or was far too long, and was cut off: it cannot be used. */
    runaway: z.literal(true).exactOptional(),
    /** Tokens of a prompt that a server nearby reads in a second, as measured by then. */
    promptSpeed: count.exactOptional(),
    usage: usageSchema,
    seconds: count,
    /** False when a secret was masked in the text: such an answer can be read, but never reused. */
    exact: z.boolean(),
    /** The request as `outlineRequest` encodes it: enough to say where another request differs. */
    outline: texts.optional(),
  }),
  /** A request of an agent to the model; `call` is that of the agent's answer, which may never come. */
  event('relayed', ofTask, {
    call: z.int().nonnegative(),
    model: text,
    /** The HTTP status; 0 where the endpoint did not answer. */
    status: count,
    usage: usageSchema,
    seconds: count,
  }),
  /** A tool was used: what the model was shown, and what a person reads of it. */
  event('observed', ofTask, {
    /** Ordinal in the attempt, from 0. */
    turn: count,
    tool: text,
    /** The arguments as JSON, or the start of a change. */
    input: text,
    /** SHA-256 of the draft's changes before it, in hex: a test result belongs to one draft. */
    hash: text,
    thought: text,
    observation: text,
    summary: text,
    isOk: z.boolean(),
    /** Facts of a test run, so that a killed run does not repeat it. */
    tested: testedSchema.optional(),
  }),
  /** `strategy: auto` chose a way. A resumed or replayed run does not choose again. */
  event('routed', ofTask, {
    way: waySchema,
    reason: text,
    /** The attempt that failed before it in this run, and its task's text; `null` for the first. */
    after: object({ attempt: count, fingerprint: text, reason: text }).nullable(),
  }),
  /** The model's plan. */
  event('planned', ofTask, {
    complexity: complexitySchema,
    files: texts,
    steps: texts,
  }),
  /** Why a change failed, in the model's words: at most three lines. */
  event('reflected', ofTask, { lines: texts }),
  /** A question that exceeds the model's window, as an endpoint reported: in tokens, `null` when it gave no number. */
  event('too_large', ofQuestion, {
    reason: text,
    window: z.int().nonnegative().nullable(),
    promptTokens: z.int().nonnegative().nullable(),
  }),
  /** No data came for a question before the timeout; it is asked again with less context. */
  event('silent', ofQuestion, {
    model: text,
    seconds: count,
    reason: text,
    usage: usageSchema,
  }),
  /** The endpoint refused a question, and no retry could help. */
  event('refused', ofQuestion, { model: text, reason: text }),
  /** A write outside is about to happen; `key` identifies it there. */
  event('intended', ofRun, {
    effect: effectKindSchema,
    key: text,
    detail: text,
  }),
  /** `known`: it existed already. `uncertain`: no read could show whether it took effect. */
  event('effected', ofRun, {
    effect: effectKindSchema,
    key: text,
    outcome: z.enum(['done', 'known', 'refused', 'uncertain']),
    detail: text,
  }),
  /** An installer of what the tests need has ended; `tool` is what a person would call it, `npm ci`. */
  event('installed', ofRun, {
    tool: text,
    exitCode: maybeCount,
    seconds: count,
  }),
  event('filed', ofRun, { result: taskResultSchema }),
  /** A verdict was withdrawn: the task gets another turn. */
  event('reopened', ofRun, { task: text }),
  event('recovered', ofRun, { record: recoveryRecordSchema }),
  /** A step failed: a shortened message, and the signature that identifies the same error. */
  event('failed', ofTask, {
    node,
    error: stepErrorSchema.omit({ strategy: true }),
    signature,
    message: text,
  }),
  /** A remedy against it: `fix` is the command, or the line of advice. */
  event('remedied', ofTask, {
    node,
    type,
    strategy: triedRemedySchema.shape.strategy,
    signature,
    fix,
    worked: z.boolean(),
  }),
  /** The memory offered a fix: what a replay offers, too. */
  event('recalled', ofRun, { fix: knownFixSchema }),
  /** A rollback reverted something; `key` is the commit, the number, the branch or the task. */
  event('undone', ofRun, {
    task: text,
    operation: z.enum(['drop', 'unpark', 'close', 'revert', 'propose_revert']),
    key: text,
    /** `left`: it could not be reverted; `detail` says why. */
    outcome: z.enum(['done', 'left']),
    detail: text,
  }),
  event('ended', ofRun, {
    stopped: runStateSchema.shape.progress.shape.stopped,
  }),
])

/** A line of a run's journal. */
export type JournalEvent = Stored<typeof eventSchema>

/** One event of a run. */
export type JournalEntry = WithoutPlace<JournalEvent>

type WithoutPlace<Event> = Event extends JournalEvent ? Omit<Event, keyof typeof place> : never

/** The events of one kind. */
export type Recorded<Kind extends JournalEvent['kind']> = Extract<
  JournalEvent,
  { readonly kind: Kind }
>

/** A model's answer, identified by the ordinal of its call in the run and the hash of its request. */
export type RecordedAnswer = Pick<
  Recorded<'answered'>,
  'call' | 'hash' | 'text' | 'finish' | 'why' | 'runaway' | 'promptSpeed' | 'usage' | 'exact'
>

/** A question that got no data, identified in the same way. */
export type RecordedSilence = Pick<Recorded<'silent'>, 'reason' | 'usage'>

/** The event in a line of a journal; `null` for any other line. */
export const readJournalLine = (line: string): JournalEvent | null => readStored(eventSchema, line)

/** Drops the model's words and what its tools showed; the fact, its usage and its summary stay. */
export function withoutAnswerText<Event extends JournalEntry>(event: Event): Event {
  switch (event.kind) {
    case 'answered':
      return { ...event, text: '', exact: false }
    case 'observed':
      return { ...event, input: '', thought: '', observation: '', tested: undefined }
    case 'planned':
      return { ...event, files: [], steps: [] }
    case 'reflected':
      return { ...event, lines: [] }
    default:
      return event
  }
}
