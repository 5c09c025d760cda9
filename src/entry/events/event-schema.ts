import { z } from 'zod'

const text = z.string()
const maybeText = text.nullable()
const count = z.int().nonnegative()
const seconds = z.number().nonnegative()
const task = text.describe('The id of the task; the first id of a group.')
const attempt = count.describe('Counts the attempts at the task, from 1.')
const tokens = count.describe('Tokens of prompts and answers together.')
const cost = z
  .number()
  .nonnegative()
  .nullable()
  .describe('Dollars; `null` when the price of the model is unknown.')

const place = {
  v: z
    .literal(1)
    .describe('The version of this schema: within it, types and fields are only added.'),
  at: z.iso.datetime().describe('The time of the event: ISO 8601, UTC.'),
  run: text.describe('The id of the run.'),
}

const ofRun = { ...place, task: z.null().describe('An event of the run, not of a task.') }
const ofTask = { ...place, task }
const ofStep = {
  ...place,
  task: task.nullable().describe('`null` for a step of the run.'),
  attempt: attempt.nullable(),
}

const totalsSchema = z.object({
  ...{ done: count, unverified: count, failed: count, deferred: count },
  ...{ waiting: count, skipped: count, rolledBack: count, replaced: count },
})

const event = <Type extends string, Base extends z.ZodRawShape, Facts extends z.ZodRawShape>(
  type: Type,
  base: Base,
  meaning: string,
  facts: Facts,
) => z.object({ ...base, type: z.literal(type), ...facts }).describe(meaning)

/** The events that `run --events` writes and the library's `onEvent` receives. */
export const eventSchema = z.discriminatedUnion('type', [
  event('run_started', ofRun, 'A run begins or resumes.', {
    resumed: z.boolean().describe('True when it continues a run that was interrupted.'),
    roadmap: text.describe('Path of the roadmap.'),
    branch: text.describe('The base branch.'),
    sha: text.describe('The commit of the base branch that the run works from.'),
    model: text,
    strategy: text,
  }),
  event('task_started', ofTask, 'An attempt at a task begins. A resumed run tells it again.', {
    attempt,
    title: text,
  }),
  event('step_started', ofStep, 'A step begins. One that a cancel interrupts has no `step`.', {
    step: text.describe('A step of docs/graph.md.'),
  }),
  event('step', ofStep, 'A step has ended, and its result is saved.', {
    step: text.describe('A step of docs/graph.md.'),
    outcome: text.describe('Its outcome, which decides about the next step.'),
    ...{ seconds, tokens, cost },
  }),
  event('model_call', ofStep, 'The model answered a request, or did not.', {
    purpose: text.describe('What was asked for: `plan`, `draft`, `repair_test`, …'),
    outcome: z.enum(['answered', 'silent', 'too_large', 'refused']),
    ...{ tokens, cost },
  }),
  event('question', ofTask, 'The run asks a person and waits for the answer.', {
    title: text,
    text: text.describe('Markdown that the person reads.'),
    choices: z.array(text),
  }),
  event('answer', ofTask, 'The answer to the last question about this task.', {
    choice: maybeText.describe('`null` when no one answered.'),
  }),
  event(
    'verdict',
    ofTask,
    'A task has ended. A later verdict about the same task replaces this one.',
    {
      title: text,
      outcome: z.enum([
        ...(['done', 'in_review', 'unverified', 'replaced', 'deferred', 'skipped'] as const),
        ...(['failed', 'waiting', 'rejected', 'rolled_back', 'budget_exceeded'] as const),
        'planned',
      ]),
      reason: text.describe('One sentence; empty when the outcome says it all.'),
      branch: maybeText,
      sha: maybeText.describe('The head of the branch.'),
      pr: z.object({ number: count, url: text }).nullable(),
      ...{ attempts: count, repairs: count, tokens, cost },
      seconds: seconds.describe('Of work on the task until this verdict.'),
    },
  ),
  event('run_ended', ofRun, 'The run has ended; no other event of it follows.', {
    exitCode: count.describe('The exit code of `executor run`.'),
    stopped: maybeText.describe('Why it ended early, so that it can be resumed.'),
    totals: totalsSchema,
    limits: z.array(text).describe('Limits that were reached.'),
    errors: z.array(z.object({ code: text, message: text, next: text })),
    ...{ tokens, cost, seconds },
  }),
])

export type RunEvent = z.infer<typeof eventSchema>

/** The published JSON Schema. It allows unknown fields: a later version may add some. */
export const describeEvents = () => ({
  ...z.toJSONSchema(eventSchema, { io: 'input', target: 'draft-7' }),
  $id: 'events.schema.json',
  title: 'Events of a run of roadmap-executor',
})
