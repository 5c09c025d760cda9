import { isList, textsOf, type Value } from '../../../text/syntax/value.ts'
import { type FindNested, type Harm, harmsOf } from '../finding.ts'
import { judgeArguments } from '../shell/find-in-shell.ts'

/** A call in code, whatever its language is read by. */
export interface CodeCall {
  /**
   * How rules may name what is called, the most exact first: `fs.rmSync` of a module or a type,
   * `fs.*` for each of its functions, `global.exec` for what nothing stands before.
   */
  readonly keys: readonly string[]
  readonly name: string
  /** The text before the last dot, as written and shortened; empty for a bare name. */
  readonly receiver: string
  readonly args: readonly Value[]
  /** Arguments that are given by name. */
  readonly keywords: ReadonlyMap<string, Value>
  /** How many arguments are written, spread ones counted once. */
  readonly count: number
  /** A template behind a name. */
  readonly isTagged: boolean
  /** Calls on what this one answers. */
  readonly chained: readonly { readonly name: string; readonly args: readonly Value[] }[]
  /** What it is called on. */
  readonly held: Value
}

/** Most calls match no rule, and nothing asks for their arguments. */
export function lazily<T>(work: () => T): () => T {
  let result: { readonly value: T } | null = null
  return () => {
    result ??= { value: work() }
    return result.value
  }
}

/** A list as a call of a program, a text as a command line. */
export function judgeLine(value: Value, look: FindNested): readonly Harm[] {
  if (isList(value)) return judgeArguments(textsOf(value), look)
  return typeof value === 'string' ? harmsOf(look('shell', value)) : []
}
