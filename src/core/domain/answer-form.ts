import { z } from 'zod'
import { count, object, type Stored, text } from '../../../packages/text/text.ts'

/** How a model sends the change of an existing file: all of it, SEARCH/REPLACE blocks, or the changed functions alone. */
export const answerForms = ['whole', 'edits', 'function'] as const

export const answerFormSchema = z.enum(answerForms)

export type AnswerForm = z.infer<typeof answerFormSchema>

/**
 * Ways to ask for a change: the first request, the same with the red tests that refute a claim, with another form
 * after an answer that cannot be used, and the first one again as a new sample.
 */
const rungs = ['first', 'red_tests', 'other_form', 'sample'] as const

/** One request for a change, as far as it differs from the first. */
export const triedRequestSchema = object({
  rung: z.enum(rungs),
  form: answerFormSchema,
  /** 0 is the configured temperature; each further number is another draw at a higher one. */
  sample: count,
  /** Why the answer before could not serve, in a sentence; empty for the first. */
  why: text,
})

export type TriedRequest = Stored<typeof triedRequestSchema>
