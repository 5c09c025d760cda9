/** One thing wrong with the settings. Line and column are 1-based; 0 for what is not in a file. */
export interface ConfigProblem {
  /** The file, the environment variable, or the setting's key when a flag or an input gave it. */
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
  /** What to do about it. */
  readonly fix: string
}
