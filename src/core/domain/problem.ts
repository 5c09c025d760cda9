/** One problem in one file. Lines and columns are 1-based; 0 when the whole file is meant. */
export interface CodeProblem {
  readonly path: string
  /** `syntax`, `scope`, `protected`, `size`, `reply`, `elision`, … */
  readonly type: string
  /** Plain words: what is wrong, and what was expected. */
  readonly message: string
  readonly line: number
  readonly column: number
}
