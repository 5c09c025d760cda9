import { type ChangeSet, openTree } from '../../../packages/change/change.ts'
import { openPolicyGate } from '../../../packages/judge/judge.ts'
import { isAboutTests, isTestFile } from '../../../packages/source/source.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Ports } from '../../core/ports.ts'
import { findMissingFiles } from '../../model/context/expected-files.ts'

/** True when it is certain which files the task needs and the answer changes none of them. A reviewer may ask for others. */
export function isElsewhere({ task, draft, targets, feedback }: Attempt): boolean {
  const changed = (draft?.changes ?? []).map(({ path }) => path)
  // A change of tests alone may be all of a task that speaks of them.
  const mayBeTests = isAboutTests(`${task.title}\n${task.details}`)
  if (mayBeTests && changed.every((path) => isTestFile(path))) return false
  return feedback === null && targets.length > 0 && !targets.some((path) => changed.includes(path))
}

/**
 * The files of the task as they are, for an answer that changes none of them: it claims that there is nothing to do, or
 * does something else. Their red tests are still the task's.
 */
export async function unchangedTargets(
  attempt: Attempt,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<ChangeSet> {
  const { draft, targets, context, start } = attempt
  if (draft?.claimsDone !== true && !isElsewhere(attempt)) return []
  const shown = context.map(({ path }) => path).filter((path) => !isTestFile(path))
  const texts = await workspace.readFiles(start.sha, targets.length > 0 ? targets : shown)
  return [...texts].map(([path, text]) => ({ action: 'modify', path, before: text, content: text }))
}

/** What an agent could reach besides the model: a reviewer should know. */
export const reachOf = ({ draft }: Attempt): readonly string[] =>
  draft?.reached === undefined ? [] : [`the agent that wrote this could reach ${draft.reached}`]

/** Files that the answer promised, that were requested again, and that never arrived. */
export async function missingFiles(
  attempt: Attempt,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<readonly string[]> {
  const start = await openTree(attempt.start.sha, ports.workspace)
  const isMissing = (mayCreate: (path: string) => boolean) =>
    findMissingFiles(attempt, start.paths, mayCreate)
  if (isMissing(() => true).length === 0) return []
  return isMissing(openPolicyGate(start, attempt, ports.settings).mayCreate).map(({ path, by }) =>
    by === 'answer'
      ? `the model says it wrote ${path}, and did not`
      : `the task asks for ${path}, which is missing`,
  )
}
