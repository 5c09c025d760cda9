import { resolve } from 'node:path'
import { untilInterrupted } from '../interrupt.ts'
import { serveMcp } from '../mcp/serve-mcp.ts'
import type { Terminal } from '../terminal.ts'

/** `executor mcp`: serves the Model Context Protocol until its client leaves. */
export async function mcp(
  { repo }: { readonly repo: string },
  terminal: Terminal,
): Promise<number> {
  const directory = resolve(terminal.directory, repo)
  await untilInterrupted(terminal, (signal) => serveMcp({ ...terminal, directory }, signal))
  return 0
}
