import { type ChangeSet, contentAfter, type FileChange } from '../../core/domain/change-set.ts'
import type { CodeProblem } from '../../core/domain/problem.ts'
import { unresolvedImports } from '../../text/imports/imports.ts'

/** A relative import that the change brought in and that leads to no file. */
export interface BrokenImport extends CodeProblem {
  readonly specifier: string
  /** The specifier that would lead to a file of the same name, if there is one. */
  readonly suggestion: string | null
}

/**
 * Imports of local files that will not be there once the change set is written.
 *
 * @param paths every path of the repository at the start commit
 */
export function findBrokenImports(
  changes: ChangeSet,
  paths: ReadonlySet<string>,
): readonly BrokenImport[] {
  const gone = new Set(changes.filter(({ action }) => action === 'delete').map(({ path }) => path))
  const written = new Set(
    changes.filter(({ action }) => action !== 'delete').map(({ path }) => path),
  )
  const exists = (path: string) => written.has(path) || (paths.has(path) && !gone.has(path))
  return changes.flatMap((change) => brokenIn(change, exists, [...paths, ...written]))
}

function brokenIn(
  change: FileChange,
  exists: (path: string) => boolean,
  paths: readonly string[],
): readonly BrokenImport[] {
  const text = contentAfter(change)
  if (text === undefined) return []
  const before = change.action === 'modify' ? change.before : ''
  const known = new Set(
    unresolvedImports(change.path, before, exists, paths).map((found) => found.specifier),
  )
  return unresolvedImports(change.path, text, exists, paths)
    .filter(({ specifier }) => !known.has(specifier))
    .map(({ specifier, suggestion, line }) => ({
      path: change.path,
      type: 'import',
      message: explain(specifier, suggestion),
      line,
      column: 1,
      specifier,
      suggestion,
    }))
}

function explain(specifier: string, suggestion: string | null): string {
  const missing = `Cannot find module '${specifier}': there is no such file.`
  return suggestion === null ? missing : `${missing} The file is at '${suggestion}'.`
}
