import type { Plan, PlanPart } from '../../core/domain/attempt.ts'

/** A change of more files than this is not one task. */
const mostFiles = 12
/** A plan with this many steps that share no file and need no other is a list of tasks. */
const mostAlone = 6

/**
 * Returns why a plan is more than one task, or `null`. Only a plan of high complexity is: one that changes more than
 * 12 files, or that has 6 steps or more which share no file with another and need none.
 */
export function whyTooComplex({ complexity, files, parts = [] }: Plan): string | null {
  if (complexity !== 'high') return null
  if (files.length > mostFiles) {
    return `the plan changes ${files.length} files, more than ${mostFiles}`
  }
  const alone = parts.filter((part) => standsAlone(part, parts)).length
  return alone >= mostAlone
    ? `the plan has ${alone} steps that share no file and do not need each other`
    : null
}

const standsAlone = ({ id, files, needs }: PlanPart, parts: readonly PlanPart[]): boolean =>
  files.length > 0 &&
  needs.length === 0 &&
  parts.every(
    (other) =>
      other.id === id ||
      (!other.needs.includes(id) && !other.files.some((file) => files.includes(file))),
  )
