import { z } from 'zod'
import { count, object, type Stored, text } from './stored.ts'

/** What the model may use in the loop of tools. */
export const toolNames = [
  ...(['read_file', 'list_files', 'grep', 'search'] as const),
  ...(['write_diff', 'run_tests', 'static_analyze', 'done'] as const),
] as const
export type ToolName = (typeof toolNames)[number]

/** One use of a tool that an answer asks for. `tool` is empty where the answer named none. */
const toolCallSchema = object({
  tool: text,
  /** The arguments as JSON; for `write_diff`, the changes as the model wrote them. */
  input: text,
  /** The model's words before it, shortened. */
  thought: text,
  /** True when the answer was truncated at its length limit, and has no call. */
  isCut: z.boolean().optional(),
})

export type ToolCall = Stored<typeof toolCallSchema>

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
