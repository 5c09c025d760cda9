import { isTaskId } from '../../../packages/task/task.ts'

const taskBranch = 'agent/'
const recoveryBranch = 'executor/recovery/'
const kept = 'refs/executor/kept/'

/** `agent/T-1`: where the work on this task is published. */
export const branchOf = (id: string): string => taskBranch + trusted(id)

/** `executor/recovery/T-1`: where a proposal about this task is published. */
export const recoveryBranchOf = (id: string): string => recoveryBranch + trusted(id)

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

/** `refs/executor/kept/T-1/1a2b3c4`: a finished commit that its branch lacks. */
export const keptRefOf = (id: string, sha: string): string =>
  `${kept}${trusted(id)}/${sha.slice(0, 7)}`

/** The id in the name of such a ref, or `null` for any other. */
export function taskIdOfKeptRef(ref: string): string | null {
  const [id = '', sha = ''] = ref.startsWith(kept) ? ref.slice(kept.length).split('/') : []
  return isTaskId(id) && /^[0-9a-f]{7}$/.test(sha) ? id : null
}

// Every id was checked where it was read; an unsafe one here is a bug, and must not reach git.
function trusted(id: string): string {
  if (!isTaskId(id)) throw new Error(`not a task id: ${JSON.stringify(id)}`)
  return id
}
