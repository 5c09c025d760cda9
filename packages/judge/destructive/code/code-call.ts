import { isList, textsOf, type Value } from '../../../source/source.ts'
import { type FindNested, type Harm, harmsOf } from '../finding.ts'
import { judgeArguments } from '../shell/find-in-shell.ts'

/** A call in code, however its language is read. */
export interface CodeCall {
  /**
   * Names by which rules may match it, the most exact first: `fs.rmSync` of a module or a type,
   * `fs.*` for each of its functions, `global.exec` for a bare name.
   */
  readonly keys: readonly string[]
  readonly name: string
  /** The text before the last dot, as written and shortened; empty for a bare name. */
  readonly receiver: string
  readonly args: readonly Value[]
  readonly keywords: ReadonlyMap<string, Value>
  /** The number of written arguments; a spread one counts once. */
  readonly count: number
  readonly isTagged: boolean
  /** Calls on its result. */
  readonly chained: readonly { readonly name: string; readonly args: readonly Value[] }[]
  /** The value that it is called on. */
  readonly held: Value
}

/** Judges a list as a call of a program, and a text as a command line. */
export function judgeLine(value: Value, look: FindNested): readonly Harm[] {
  if (isList(value)) return judgeArguments(textsOf(value), look)
  return typeof value === 'string' ? harmsOf(look('shell', value)) : []
}
