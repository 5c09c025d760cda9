/** The state of a task of another repository. */
export type TaskElsewhere =
  /** Its work is verified, merged or not. */
  | { readonly status: 'done' }
  /** `reason` says why it will not be done without a person. */
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'open' }
  /** No repository of the workspace has it. */
  | { readonly status: 'unknown' }

/** The tasks of the other repositories of a workspace. */
export interface Elsewhere {
  /** @param name `api:T-1` */
  look(name: string): Promise<TaskElsewhere>
}
