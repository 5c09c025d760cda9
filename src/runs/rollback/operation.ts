/** One thing that a rollback takes back. */
export type Operation =
  /** An attempt that is under way, or kept by an unfinished run. */
  | { readonly kind: 'drop'; readonly task: string }
  /** An attempt kept under `refs/executor/parked`. */
  | { readonly kind: 'unpark'; readonly task: string }
  /** A pull request that was not merged. */
  | {
      readonly kind: 'close'
      readonly task: string
      readonly number: number
      readonly url: string
      readonly branch: string
    }
  /** A commit on a branch of ours. */
  | ({ readonly kind: 'revert'; readonly branch: string } & UndoneCommit)
  /** Work that is in the base: taking it back is put before people, on its branch. */
  | ({
      readonly kind: 'propose_revert'
      readonly branch: string
      /** Of the pull request that was merged; `null` without a forge. */
      readonly number: number | null
    } & UndoneCommit)

export interface UndoneCommit {
  readonly task: string
  readonly sha: string
  readonly title: string
  /** What its trailers say. */
  readonly run: string | null
  readonly attempt: string | null
}

/** What identifies it, in a journal and in words. */
export function keyOf(operation: Operation): string {
  switch (operation.kind) {
    case 'drop':
    case 'unpark':
      return operation.task
    case 'close':
      return `#${operation.number}`
    default:
      return operation.sha
  }
}
