/** Line and column are 1-based; 0 when the whole file is meant. */
export interface FileProblem {
  /**
   * `syntax`, `encoding`, `stray_fence`, `leading_prose`, `trailing_prose`, `placeholder`, `conflict_marker` or
   * `edit_marker`; of hints also `unclosed_fence` and `example`.
   */
  readonly type: string
  readonly message: string
  readonly line: number
  readonly column: number
}
