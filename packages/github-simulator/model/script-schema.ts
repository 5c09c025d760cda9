import { z } from 'zod'

const count = z.int().min(0)

const fault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('truncate'), after: count.exactOptional() }),
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    message: z.string().exactOptional(),
    code: z.string().exactOptional(),
    retryAfter: z.union([z.number(), z.string()]).exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('slow'),
    seconds: z.number().min(0),
    after: count.exactOptional(),
  }),
  z.strictObject({ kind: z.enum(['garbage', 'html', 'drop', 'empty', 'endless']) }),
])

/** `ScriptedReply`, without functions: what a file can say. */
export const reply = z.strictObject({
  text: z.string().exactOptional(),
  toolCalls: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        arguments: z.union([z.record(z.string(), z.unknown()), z.string()]),
      }),
    )
    .exactOptional(),
  finish: z.enum(['stop', 'length']).exactOptional(),
  fault: fault.exactOptional(),
  usage: z.strictObject({ promptTokens: count, completionTokens: count }).exactOptional(),
})

/** Text alone becomes a reply. */
export const answer = z.preprocess(
  (given) => (typeof given === 'string' ? { text: given } : given),
  reply,
)

/** `/…/` and `/…/i` are regular expressions, anything else is text to be found. */
const pattern = z.string().transform((given, context) => {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(given) ?? []
  if (source === undefined) return given
  try {
    return new RegExp(source, flags)
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : 'not a regular expression')
    return z.NEVER
  }
})

export const rule = z.strictObject({
  when: z.strictObject({
    purpose: z.string().exactOptional(),
    model: z.string().exactOptional(),
    contains: pattern.exactOptional(),
    task: z.string().exactOptional(),
    hash: z.string().exactOptional(),
  }),
  answers: z.array(answer).min(1),
  usedUp: z.enum(['repeat', 'error']).exactOptional(),
})
