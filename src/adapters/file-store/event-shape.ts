/** What a line of a journal must look like: typed against the domain, as the state is. */
import { z } from 'zod'
import {
  commitShape,
  count,
  maybeText,
  nextNode,
  node,
  object,
  outcome,
  text,
  texts,
  usage,
} from '../../core/attempt-shape.ts'
import type { JournalEvent } from '../../core/domain/journal-event.ts'
import { errorTypes, remedies, severities } from '../../core/domain/step-error.ts'
import { parseJson } from '../../core/parse-json.ts'
import { recoveryShape, resultShape, stateShape } from './state-shape.ts'

const ordinal = z.int().nonnegative()
const where = { seq: ordinal, at: text, run: text }
const whose = { task: maybeText, attempt: count.nullable() }

const effect = z.enum([
  'branch',
  'pull_request',
  'comment',
  'review_comment',
  'label',
  'merge',
  'close',
  'retarget',
  'issue',
  'reaction',
  'people',
  'dispatch',
  'park',
  'state',
  'claim',
])

const event = <Shape extends z.ZodRawShape>(shape: Shape) => object({ ...where, ...shape })

const eventShape: z.ZodType<JournalEvent> = z.discriminatedUnion('kind', [
  event({
    kind: z.literal('started'),
    roadmap: text,
    base: commitShape,
    only: texts.nullable(),
    model: text,
    strategy: text,
    state: stateShape.optional(),
  }),
  event({
    kind: z.literal('surveyed'),
    forge: z.enum(['github', 'local']),
    stack: text,
    branches: z.record(text, text),
    pullRequests: z.array(
      object({
        number: count,
        author: text,
        head: text,
        headSha: text,
        base: text,
        state: z.enum(['open', 'closed', 'merged']),
        mergeSha: maybeText,
        body: text,
        labels: texts,
      }),
    ),
  }),
  event({ kind: z.literal('resumed'), next: nextNode, from: z.enum(['disk', 'repository']) }),
  event({
    kind: z.literal('stepped'),
    node,
    outcome,
    ...whose,
    seconds: count,
    usage,
    files: count.optional(),
    complexity: z.enum(['low', 'medium', 'high']).optional(),
  }),
  event({
    kind: z.literal('answered'),
    call: ordinal,
    hash: text,
    purpose: text,
    model: text,
    ...whose,
    text,
    finish: z.enum(['stop', 'length']),
    usage,
    seconds: count,
    exact: z.boolean(),
    outline: texts.optional(),
  }),
  event({
    kind: z.literal('too_large'),
    call: ordinal,
    hash: text,
    purpose: text,
    ...whose,
    reason: text,
    window: ordinal.nullable(),
    promptTokens: ordinal.nullable(),
  }),
  event({ kind: z.literal('intended'), effect, key: text, detail: text }),
  event({
    kind: z.literal('effected'),
    effect,
    key: text,
    outcome: z.enum(['done', 'known', 'refused', 'uncertain']),
    detail: text,
  }),
  event({ kind: z.literal('filed'), result: resultShape }),
  event({ kind: z.literal('reopened'), task: text }),
  event({ kind: z.literal('recovered'), record: recoveryShape }),
  event({
    kind: z.literal('failed'),
    ...whose,
    node,
    error: object({
      type: z.enum(errorTypes),
      severity: z.enum(severities),
      recoverable: z.boolean(),
    }),
    signature: text,
    message: text,
  }),
  event({
    kind: z.literal('remedied'),
    ...whose,
    node,
    type: z.enum(errorTypes),
    strategy: z.enum(remedies),
    signature: text,
    fix: text,
    worked: z.boolean(),
  }),
  event({
    kind: z.literal('undone'),
    task: text,
    operation: z.enum(['drop', 'unpark', 'close', 'revert', 'propose_revert']),
    key: text,
    outcome: z.enum(['done', 'left']),
    detail: text,
  }),
  event({
    kind: z.literal('ended'),
    stopped: z.enum(['limit', 'cancelled', 'unavailable']).nullable(),
  }),
])

/** One line of a journal; `null` for what is none. */
export const readStoredEvent = (line: string): JournalEvent | null =>
  eventShape.safeParse(parseJson(line)).data ?? null
