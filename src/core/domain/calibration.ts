import { z } from 'zod'
import { count, object, type Stored, text } from '../../../packages/text/text.ts'
import { answerFormSchema } from './answer-form.ts'

/** How many of the answers were as asked, or did the thing that is counted. */
const shareSchema = object({ good: count.int().min(0), of: count.int().min(0).max(1_000) })

export type Share = Stored<typeof shareSchema>

/** Usable answers by the form that was asked for. A form that was not measured is absent. */
export const measuredFormsSchema = z.partialRecord(answerFormSchema, shareSchema)

export type MeasuredForms = Stored<typeof measuredFormsSchema>

/** What `executor calibrate` found about one model at one address. */
export const calibrationSchema = object({
  model: text.min(1).max(300),
  /** Without a password, as `endpointAddress` writes it. */
  baseUrl: text.min(1).max(2_000),
  /** ISO 8601, UTC. */
  at: z.iso.datetime(),
  forms: measuredFormsSchema,
  /** Answers that repeated a test that was shown. */
  echoes: shareSchema,
  /** Answers that called an unfinished task done. */
  claims: shareSchema,
  json: shareSchema,
  tools: shareSchema,
  /** Syntax errors that one more request repaired. */
  repairs: shareSchema,
})

export type Calibration = Stored<typeof calibrationSchema>

/** An endpoint's address without a password and a slash at the end; two spellings of one address are equal. */
export function endpointAddress(baseUrl: string): string {
  const url = URL.parse(baseUrl)
  if (url === null) return baseUrl
  url.username = ''
  url.password = ''
  return url.href.replace(/\/+$/, '')
}
