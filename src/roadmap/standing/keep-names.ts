import type { StatePatch } from '../../core/domain/change-state.ts'
import { trailer } from '../../core/domain/identity.ts'
import type { Roadmap, Task } from '../../core/domain/task.ts'
import { branchOf, recoveryBranchOf } from '../../core/domain/task-id.ts'
import type { BranchTip } from '../../core/ports/workspace.ts'

/**
 * The roadmap with the ids and fingerprints under which versions before began its tasks, wherever a
 * branch or the run itself has such work; `null` where there is none. What was not begun has its id
 * by the rules of today.
 */
export function keepNames(
  { tasks, problems }: Roadmap,
  branches: readonly BranchTip[],
  state: StatePatch,
): Roadmap | null {
  const kept = new Map(
    tasks.flatMap(({ id, former }) =>
      former !== undefined && (isBegun(former, branches, state) || isAsked(former.id, tasks, state))
        ? [[id, former] as const]
        : [],
    ),
  )
  if (kept.size === 0) return null
  const named = (id: string): string => kept.get(id)?.id ?? id
  return {
    problems,
    tasks: tasks.map(({ former, ...task }) => {
      const dependsOn = task.dependsOn.map(named)
      const own = kept.get(task.id)
      if (own !== undefined) return { ...task, ...own, dependsOn }
      return former === undefined ? { ...task, dependsOn } : { ...task, former, dependsOn }
    }),
  }
}

function isBegun(
  former: NonNullable<Task['former']>,
  branches: readonly BranchTip[],
  { tasks: known, attempt }: StatePatch,
): boolean {
  const { id, fingerprint } = former
  const names = [branchOf(id), recoveryBranchOf(id)]
  const tips = branches.filter(({ name }) => names.includes(name))
  return (
    tips.some(({ trailers }) => trailers[trailer.fingerprint] === fingerprint) ||
    known?.results?.[id]?.fingerprint === fingerprint ||
    (attempt?.task.id === id && attempt.task.fingerprint === fingerprint)
  )
}

/** True for an old id that a person names, and that is nobody else's. */
function isAsked(id: string, tasks: readonly Task[], { run }: StatePatch): boolean {
  const bearers = tasks.filter((task) => task.id === id || task.former?.id === id)
  return (run?.only?.includes(id) ?? false) && bearers.length === 1 && bearers[0]?.id !== id
}
