/** The command line with a git that fails, loses its answer, or takes the process with it, at one call. */
import { openCliWorld } from './cli-world.ts'
import { type Course, goOn } from './kill-cases.ts'
import type { GitFault } from './strike-git.ts'

export interface GitCase {
  readonly at: number
  readonly fault: GitFault
  /** What git was asked to do there when nothing was disturbed. */
  readonly call: string
}

/** What changes a repository or an index, or carries objects from one to another. */
const writers: readonly string[] = [
  ...['add', 'fast-import', 'pack-objects', 'read-tree', 'unpack-objects', 'update-ref'],
]

const ofWriters: readonly GitFault[] = [
  ...(['fails', 'lost', 'killed before', 'killed after', 'killed, locks stay'] as const),
]

/** Every call fails once; what writes meets every fault. */
export const gitCasesOf = ({ calls }: Course): readonly GitCase[] =>
  calls.git.flatMap((call, at) =>
    (writers.includes(call) ? ofWriters : (['fails'] as const)).map((fault) => ({
      ...{ at, fault, call },
    })),
  )

export const describeGit = ({ at, fault, call }: GitCase): string =>
  `git ${call} (call ${at}): ${fault}`

export async function checkGit(given: GitCase, course: Course): Promise<readonly string[]> {
  await using world = await openCliWorld()
  const ended = await world.start({ git: given }).ended
  const wrong = judgeEnd(ended, given.fault)
  if (ended.calls.git.length <= given.at) wrong.push('git was not called so often')
  return [...wrong, ...(await goOn(world, course, 0))]
}

/** Killed, or over as if nothing were, or ended with what happened and what to do: never with a bug of ours. */
export function judgeEnd(
  { code, said }: { readonly code: number; readonly said: string },
  fault: string,
): string[] {
  if (fault.startsWith('killed')) return code === -1 ? [] : [`it ended with ${code}: ${said}`]
  if (/internal error/.test(said)) return [`a bug of ours: ${said}`]
  const isSaid = code === 3 || code === 1 || /\nnext {2}\S/.test(said)
  return isSaid && code > 0 ? [] : [`it ended with ${code}, and says too little: ${said}`]
}
