const grammar = /^[A-Za-z][A-Za-z0-9]{0,15}-[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
/** Prefixes of remarks, issues and runs, which are leased, stored and named beside tasks. */
const reserved = /^(?:comment|issue|run)-\d/
const taskBranch = 'agent/'
const recoveryBranch = 'executor/recovery/'

/** True for an id that is safe as a part of a git ref and as one argument of a command. */
export function isTaskId(text: string): boolean {
  return (
    grammar.test(text) &&
    !reserved.test(text) &&
    !text.includes('..') &&
    !text.endsWith('.') &&
    !text.toLowerCase().includes('.lock')
  )
}

/** `agent/T-1`: where the work on this task is published. */
export function branchOf(id: string): string {
  return taskBranch + trusted(id)
}

/** `executor/recovery/T-1`: where a proposal about this task is published. */
export function recoveryBranchOf(id: string): string {
  return recoveryBranch + trusted(id)
}

/** The id in `agent/T-1`, or `null` for any other branch. */
export function taskIdOfBranch(branch: string): string | null {
  const id = branch.startsWith(taskBranch) ? branch.slice(taskBranch.length) : ''
  return isTaskId(id) ? id : null
}

/** The id in `executor/recovery/T-1`, or `null` for any other branch. */
export function taskIdOfRecoveryBranch(branch: string): string | null {
  const id = branch.startsWith(recoveryBranch) ? branch.slice(recoveryBranch.length) : ''
  return isTaskId(id) ? id : null
}

// Every id was checked where it was read; an unsafe one here is a bug, and must not reach git.
function trusted(id: string): string {
  if (!isTaskId(id)) throw new Error(`not a task id: ${JSON.stringify(id)}`)
  return id
}
