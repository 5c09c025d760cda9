import { findNamedFiles, followsVerb, isTestFile } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import type { Plan } from '../../core/domain/attempt.ts'
import { isDocument } from './similar-files.ts'

/** A file named after these is read, not written. */
const readAfter =
  /\b(?:from|like|see|as in|similar to|us(?:e|es|ing)|imports?|importing|calls?|calling|reads?|according to|per|following|(?:described|defined|specified|explained|given) (?:in|by)|for|with|of)\s+(?:the\s+)?(?:[\w-]+\s+)?[`"'([]*$/i

/** So is one that a clause with "as" refers to: "as `spec.md` says", "as `price.js` does". */
const asBefore = /\bas\s+(?:the\s+)?(?:file\s+)?[`"'([]*$/i
const asAfter =
  /^[`"')\]]*\s+(?:says?|does|describes?|defines?|explains?|specifies|shows?|lists?|states?|requires?|expects?|prescribes?)\b/i

/** And a document beside code that has the rules: "what `spec.md` requires", "the rules are in `spec.md`". */
const rulesBefore = /\b(?:what|whatever|which|how)\s+(?:the\s+)?(?:file\s+)?[`"'([]*$/i
const rulesIn = /\b(?:is|are)\s+in\s+(?:the\s+)?(?:file\s+)?[`"'([]*$/i

function isRead(path: string, prose: string, isBesideCode: boolean): boolean {
  if (followsVerb(path, prose, readAfter) || followsVerb(path, prose, asBefore, asAfter))
    return true
  if (!isBesideCode || !isDocument(path)) return false
  return followsVerb(path, prose, rulesIn) || followsVerb(path, prose, rulesBefore, asAfter)
}

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
  const all = [...mentioned, ...fresh.filter((path) => !isShort(path))]
  const namesCode = all.some((path) => !isDocument(path))
  const named = all.filter((path) => !isRead(path, prose, namesCode))
  const code = named.filter((path) => !isTestFile(path))
  const [only, ...others] = code.length > 0 ? code : named
  return only !== undefined && others.length === 0 ? [only] : []
}
