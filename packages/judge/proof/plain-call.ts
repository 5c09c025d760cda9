/** A program that makes calls of a test, and compares what they return. */
export interface PlainCalls {
  readonly path: string
  readonly text: string
  readonly argv: readonly string[]
  /** It prints `<mark>:<index>` for a call that returns another value, and `<mark>:end`. */
  readonly calls: readonly PlainCall[]
}

/** As the test has them: `add(1, 2)`, `3`. */
export type PlainCall = readonly [actual: string, expected: string]

/** A test file in its tree. */
export interface TestInTree {
  readonly path: string
  readonly text: string
  readonly exists: (path: string) => boolean
  readonly read: (path: string) => Promise<string | undefined>
}

/** Unguessable words of letters: for the program's file, and for what it prints. */
export type PlainNames = readonly [name: string, mark: string]

/** More calls of one file are not made. */
export const mostCalls = 20
