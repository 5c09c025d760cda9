/** Something that `executor doctor` asked GitHub. */
export interface GitHubCheck {
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** What to do; empty when there is nothing to do. */
  readonly next: string
}
