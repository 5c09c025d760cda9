import { findNamedFiles, followsVerb, isTestFile } from '../../../packages/source/source.ts'
import type { Plan } from '../../core/domain/attempt.ts'
import type { Task } from '../../core/domain/task.ts'
import { isDocument } from './similar-files.ts'

/** A file named after these is read, not written. */
const onlyRead =
  /\b(?:from|like|see|as in|similar to|us(?:e|es|ing)|imports?|importing|calls?|calling|reads?|according to|described in|for|with|of)\s+(?:the\s+)?(?:[\w-]+\s+)?[`"'([]*$/i

/** Words of a task that has documentation written. */
const writesDocs =
  /\b(?:document(?:s|ed|ing)?|describ\w+|explain\w*|mention\w*|list(?:s|ed)?|note[sd]?|readme|changelog|docs?)\b/i

/** Documents beside code, of which a task says no more than where they are, are read: `a.py` as `spec.md` says. */
function withoutRead(named: readonly string[], prose: string): readonly string[] {
  const code = named.filter((path) => !isDocument(path))
  const words = named.reduce((said, path) => said.replaceAll(path, ''), prose)
  return code.length === 0 || writesDocs.test(words) ? named : code
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
  const written = [...mentioned, ...fresh.filter((path) => !isShort(path))].filter(
    (path) => !followsVerb(path, prose, onlyRead),
  )
  const named = withoutRead(written, prose)
  const code = named.filter((path) => !isTestFile(path))
  const [only, ...others] = code.length > 0 ? code : named
  return only !== undefined && others.length === 0 ? [only] : []
}
