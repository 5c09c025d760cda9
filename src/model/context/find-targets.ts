import { findNamedFiles, followsVerb, isTestFile } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import type { Plan } from '../../core/domain/attempt.ts'

/** A file named after these is read, not written. */
const readAfter =
  /\b(?:from|like|see|as in|similar to|us(?:e|es|ing)|imports?|importing|calls?|calling|reads?|according to|per|following|(?:is|are|described|defined|specified|explained|given) (?:in|by)|for|with|of)\s+(?:the\s+)?(?:[\w-]+\s+)?[`"'([]*$/i

/** So is one of which a clause says what it has: "as `spec.md` describes". */
const sourceBefore = /\b(?:as|what|which|that|whatever|how)\s+(?:the\s+)?(?:file\s+)?[`"'([]*$/i
const sourceAfter =
  /^[`"')\]]*\s+(?:says?|does|describes?|defines?|explains?|specifies|shows?|lists?|states?|requires?|expects?|wants?|demands?|prescribes?|documents?)\b/i

const isRead = (path: string, prose: string): boolean =>
  followsVerb(path, prose, readAfter) || followsVerb(path, prose, sourceBefore, sourceAfter)

/**
 * The files that an answer has to write, where that is certain: those of the `**Files**` line or of the plan, or the only
 * one that the task's words name. Empty where the words leave it open.
 */
export function findTargets(
  task: Task,
  plan: Plan | null,
  paths: readonly string[],
): readonly string[] {
  const judged = { ...task, accept: [], verify: null }
  const { scope, mentioned, fresh } = findNamedFiles(judged, [], paths)
  if (task.files.length > 0) {
    const named = [
      ...scope,
      ...fresh.filter((path) => task.files.some((file) => file.endsWith(path))),
    ]
    return task.files.some((file) => /[*?{}[\]!]|\/$/.test(file)) ? [] : [...new Set(named)]
  }
  if (plan !== null && plan.files.length > 0) return plan.files
  const prose = `${task.title}\n${task.details}`
  const isShort = (path: string) => mentioned.some((other) => other.startsWith(`${path}.`))
  const named = [...mentioned, ...fresh.filter((path) => !isShort(path))].filter(
    (path) => !isRead(path, prose),
  )
  const code = named.filter((path) => !isTestFile(path))
  const [only, ...others] = code.length > 0 ? code : named
  return only !== undefined && others.length === 0 ? [only] : []
}
