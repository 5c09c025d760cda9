import type { FindNested, Harm } from '../finding.ts'
import { judgeArguments } from '../shell/find-in-shell.ts'
import { entry, isList, textsOf, type Value, valueText } from './value.ts'

/** A call, with what is known of it. */
export interface ApiCall {
  /** Module the called function comes from; empty for a global, `null` when not known. */
  readonly module: string | null
  /** Names from the module, global or local name to the function: `['promises', 'rm']`. */
  readonly path: readonly string[]
  /** The last name. */
  readonly name: string
  /** The text before the last dot, as written and shortened; empty for a bare name. */
  readonly receiver: string
  readonly args: readonly Value[]
  /** How many arguments are written, spread ones counted once. */
  readonly count: number
}

/** A command line, and arguments beside it, as most ways to start a process take them. */
export function judgeProcess(
  command: Value,
  args: Value,
  isShell: boolean,
  look: FindNested,
): readonly Harm[] {
  const program = valueText(command)
  const words = isList(args) ? textsOf(args) : []
  if (isShell) return harmsOf(look('shell', [program, ...words].join(' ')))
  return judgeArguments([program, ...words], look)
}

/** A list as a call of a program, a text as a command line. */
export function judgeListOrText(value: Value, look: FindNested): readonly Harm[] {
  if (isList(value)) return judgeArguments(textsOf(value), look)
  return typeof value === 'string' ? harmsOf(look('shell', value)) : []
}

export function judgeSql(value: Value, look: FindNested): readonly Harm[] {
  const text = typeof value === 'string' ? value : entry(value, 'text', 'sql', 'query', 'statement')
  return typeof text === 'string' ? harmsOf(look('sql', text)) : []
}

export const harmsOf = (found: readonly Harm[]): readonly Harm[] =>
  found.map(({ category, why }) => ({ category, why }))
