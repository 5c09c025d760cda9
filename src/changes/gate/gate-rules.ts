import type { Attempt } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { TreeEntry } from '../../core/ports/workspace.ts'
import { closestPath } from '../../text/paths/named-files.ts'
import type { GateRules } from './gate.ts'

/**
 * What this task may change in the repository as it is at its start commit. Where the roadmap
 * names a file that is not there, the one that was most likely meant is in scope as well; what a
 * writer granted is besides.
 */
export function gateRules(
  { task, grants }: Pick<Attempt, 'task' | 'grants'>,
  files: readonly TreeEntry[],
  settings: Pick<Settings, 'roadmap' | 'protectedPaths'>,
): GateRules {
  const paths = files.map(({ path }) => path)
  const known = new Set(paths)
  const meant = task.files
    .filter((path) => !known.has(path))
    .flatMap((path) => closestPath(path, paths) ?? [])
  return {
    scope: task.files.length === 0 ? [] : [...task.files, ...meant],
    roadmap: settings.roadmap,
    protectedPaths: settings.protectedPaths,
    allowed: grants.map(({ path }) => path),
    modes: new Map(files.map((file) => [file.path, file.mode])),
  }
}
