import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Terminal } from '../terminal.ts'

/** What a tool answers: the document, and the same in a few lines. */
export interface McpAnswer<Value> {
  readonly text: string
  readonly value: Value
}

/** A call of a tool. */
export interface McpCall {
  /** What it says is logged, and told to the client with an error. */
  readonly terminal: Terminal
  /** Aborted when the client cancels or leaves. */
  readonly signal: AbortSignal
  /** Tells the client how far the work is. */
  heard(line: string): void
}

/** An error whose message already says what to do next. */
export class ToolError extends Error {}

/** What happened and what to do next, as on a terminal. The trace of a bug goes to the log. */
export function describeFailure(error: unknown, { say }: Pick<Terminal, 'say'>): string {
  if (error instanceof ExecutorError) return `${error.message}\nnext: ${error.next}`
  if (error instanceof ToolError) return error.message
  const what = error instanceof Error ? error.message : String(error)
  say(error instanceof Error ? (error.stack ?? what) : what)
  return `Internal error: ${what}\nnext: This is a bug in the executor. Report it with the log on standard error.`
}
