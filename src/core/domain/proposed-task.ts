/** A task that is proposed in place of one that failed; checked before anybody sees it. */
export interface ProposedTask {
  readonly id: string
  /** One line, without Markdown's marks of structure. */
  readonly title: string
  /** What else to say, a line each. */
  readonly details: readonly string[]
  readonly files: readonly string[]
}
