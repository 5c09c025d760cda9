/** An issue as a forge lists it. */
export interface ListedIssue {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly status: 'pending' | 'done' | 'cancelled'
  readonly assignees: readonly string[]
  readonly milestone: string | null
}
