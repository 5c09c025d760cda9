import { readContext } from '../documents/context.ts'
import { printable } from '../show-history.ts'
import type { Terminal } from '../terminal.ts'

/** `executor context`. Returns 0, or 1 when the code does not fit. */
export async function context(
  id: string,
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<number> {
  const read = await readContext(id, flags, terminal)
  if (read.status === 'too_large') {
    const { why, ...shown } = read
    if (flags.json) terminal.print(JSON.stringify(shown))
    else terminal.say(printable(why))
    return 1
  }
  if (flags.json) {
    terminal.print(JSON.stringify(read, null, 2))
    return 0
  }
  const { title, tokens, budgetTokens, parts } = read
  terminal.print(`${terminal.paint('bold', id)}  ${printable(title)}`)
  for (const { part, path, whole, tokens: some, why } of parts) {
    const what = path === null ? part : `${printable(path)}${whole ? '' : ' (in part)'}`
    terminal.print(`${String(some).padStart(7)}  ${what}  ${terminal.paint('dim', printable(why))}`)
  }
  terminal.say(
    `About ${tokens.toLocaleString('en')} tokens; the context may hold ${budgetTokens.toLocaleString('en')}.`,
  )
  return 0
}
