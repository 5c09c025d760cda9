import { z } from 'zod'
import { object, type Stored, text } from '../../../packages/text/text.ts'

/** What the model may use in the loop of tools. */
export const toolNames = [
  ...(['read_file', 'list_files', 'grep', 'search'] as const),
  ...(['write_diff', 'run_tests', 'static_analyze', 'done'] as const),
] as const

export type ToolName = (typeof toolNames)[number]

/** One use of a tool that an answer asks for. `tool` is empty where the answer named none. */
export const toolCallSchema = object({
  tool: text,
  /** The arguments as JSON; for `write_diff`, the changes as the model wrote them. */
  input: text,
  /** The model's words before it, shortened. */
  thought: text,
  /** True when the answer was truncated at its length limit, and has no call. */
  isCut: z.boolean().optional(),
})

export type ToolCall = Stored<typeof toolCallSchema>
