import { z } from 'zod'
import { count, object, type Stored, text } from '../../../packages/text/text.ts'
import { toolCallSchema } from './tool-call.ts'

/** A call and its result. */
const toolTurnSchema = object({
  ...toolCallSchema.shape,
  /** As the model reads it: without hidden text and keys, bounded. */
  observation: text,
  /** As a person reads it, in a few words: `3 in 2 files`. */
  summary: text,
  isOk: z.boolean(),
})

export type ToolTurn = Stored<typeof toolTurnSchema>

/** The position of an attempt in its loop of tools; kept with the attempt, so that a killed run resumes in it. */
export const toolLoopSchema = object({
  turns: z.array(toolTurnSchema),
  /** Calls of the last answer that have not run yet. */
  pending: z.array(toolCallSchema),
  /** Changes in a row that failed their checks. */
  failingChanges: count,
  /** Test runs in a row that failed. */
  failedRuns: count,
  /** Changes and test runs that failed. */
  failures: count,
  testRuns: count,
  /** False once the draft continued to the checks of every strategy. */
  isOpen: z.boolean(),
  /** True while the draft is exactly the one whose tests passed. */
  hasPassed: z.boolean(),
})

export type ToolLoop = Stored<typeof toolLoopSchema>

export const newLoop: ToolLoop = {
  turns: [],
  pending: [],
  failingChanges: 0,
  failedRuns: 0,
  failures: 0,
  testRuns: 0,
  isOpen: true,
  hasPassed: false,
}

/** Drops what the tools showed, once a pull request or a question is open; the summaries stay. */
export const withoutObservations = <Looping extends { readonly loop: ToolLoop | null }>(
  attempt: Looping,
): Looping => ({
  ...attempt,
  loop: attempt.loop && {
    ...attempt.loop,
    turns: attempt.loop.turns.map((turn) => ({ ...turn, observation: '' })),
  },
})
