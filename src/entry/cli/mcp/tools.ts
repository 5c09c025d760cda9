import { z } from 'zod'
import { count, maybeText, object, text } from '../../../../packages/text/text.ts'

/** A tool as a client lists it. Its answer has more fields than its output names, and may get new ones. */
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

const define = <Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> => tool

const dollars = count.nullable().describe('`null` when the price of the model is unknown.')
const given = z.string().min(1).optional()
const taskId = z.string().min(1).max(200).describe('The id of a task, as `plan` lists it.')

const reads = {
  ...{ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
}

const standing = {
  status: text.describe('`pending`, `done`, `waiting` (for a person), `failed`, `running`, …'),
  reason: text.describe('Why; empty when the status says it all.'),
  next: text.describe('What to do next; empty when there is nothing to do.'),
}

export const tools = {
  plan: define({
    title: 'Plan of the roadmap',
    description:
      'Shows what a run would do: the open tasks of the roadmap in order, what each waits for, how it stands, and a forecast of tokens and cost. Calls no model.',
    input: z.strictObject({}),
    output: object({
      tasks: z.array(
        object({
          ...{ id: text, title: text, dependsOn: z.array(text), tokens: count, dollars },
          ...standing,
        }),
      ),
      groups: z
        .array(z.array(text))
        .describe('Ids: each group can start when those before it are done.'),
      forecast: object({ tokens: count, dollars, pastTasks: count }),
    }),
    annotations: reads,
  }),
  status: define({
    title: 'Status of the tasks',
    description:
      'Shows the status of each task of the roadmap, why, its branch, and what to do about those that need a person; and the run that is in progress or was the last.',
    input: z.strictObject({}),
    output: object({
      base: object({ branch: text, sha: text }),
      run: z
        .looseObject({ id: text, startedAt: text, completedAt: maybeText, state: text })
        .nullable(),
      tasks: z.array(object({ id: text, title: text, branch: maybeText, ...standing })),
    }),
    annotations: reads,
  }),
  context: define({
    title: 'Context of a task',
    description:
      'Shows which files, and which parts of them, the first request for a task would hold, why, and their tokens. Calls no model.',
    input: z.strictObject({
      id: taskId,
      include_code: z
        .boolean()
        .default(false)
        .describe('Also give the map of the project and the code itself.'),
    }),
    output: object({
      task: text,
      status: z.enum(['built', 'too_large']),
      tokens: count,
      parts: z
        .array(
          object({
            part: text,
            path: maybeText,
            whole: z.boolean(),
            tokens: count,
            why: text,
          }),
        )
        .optional(),
    }),
    annotations: reads,
  }),
  check: define({
    title: 'Check a change',
    description:
      'Judges a change that anyone made: the rules for paths and secrets, the syntax, the imports, and the tests before and after it in a sandbox. Gives findings with their places and a receipt. Changes nothing in the repository and calls no model; it may take minutes.',
    input: z.strictObject({
      change: given.describe(
        'A branch, a commit, or `A..B` and `A...B` as for `git diff`. Instead of a patch.',
      ),
      patch: given.describe(
        "The text of a patch, like that of `git diff`; it applies to the base's tip.",
      ),
      base: given.describe('The branch or commit that it changes; by default the default branch.'),
      task: taskId.optional().describe('Judge scope and accept commands by this task.'),
      strict: z.boolean().default(false).describe('A warning is enough to fail.'),
    }),
    output: object({
      passed: z.boolean(),
      result: z.enum(['passed', 'unverified', 'failed']),
      findings: z.array(
        object({
          ...{ rule: text, severity: text, path: text, line: count, column: count, message: text },
        }),
      ),
      receipt: object({ result: text, notes: z.array(text) })
        .nullable()
        .describe('What ran, before and after; `null` when nothing could.'),
    }),
    annotations: { ...reads, readOnlyHint: false, openWorldHint: true },
  }),
  run_task: define({
    title: 'Run a task',
    description:
      'Works on one task of the roadmap with the configured model: asks for a change, checks it, tests it in a sandbox, and commits it to a branch `agent/<id>`. Never touches the checkout. May take minutes; a cancelled task resumes at the next call. When a person must decide, `approval` says about what and how; no argument decides in their place.',
    input: z.strictObject({
      id: taskId,
      max_tokens: z
        .int()
        .min(1)
        .optional()
        .describe('Stop at this many tokens. Only lowers the limit of the configuration.'),
      max_cost: z
        .number()
        .positive()
        .optional()
        .describe('Stop at this many dollars. Only lowers the limit of the configuration.'),
    }),
    output: object({
      task: text,
      outcome: maybeText.describe(
        '`done`, `unverified`, `waiting` (for a person), `failed`, …; `null` without a verdict yet.',
      ),
      reason: text,
      branch: maybeText,
      sha: maybeText,
      approval: z
        .looseObject({
          question: text.describe('The question that a person reads.'),
          how: text.describe('How a person answers.'),
        })
        .nullable(),
      stopped: maybeText.describe(
        'Why the run ended early: `limit`, `cancelled` or `unavailable`.',
      ),
      limits: z.array(text),
      tokens: count,
      cost: dollars,
      seconds: count,
      next: text,
      report: text.describe('Path of the whole report.'),
    }),
    annotations: { ...reads, readOnlyHint: false, openWorldHint: true },
  }),
}
