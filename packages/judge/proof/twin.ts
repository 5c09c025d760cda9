/** A copy of a test file in which one assertion of each test is altered. */
export interface Twin {
  readonly text: string
  /** What must fail in it. */
  readonly altered: readonly AlteredTest[]
}

export interface AlteredTest {
  /** Part of the test's name in this copy, and of no other. */
  readonly mark: string
  readonly title: string
  /** Of the altered assertion in the file, from 1. */
  readonly line: number
}
