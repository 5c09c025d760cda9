import { type ChangeSet, contentAfter, type FileChange } from '../../core/domain/change-set.ts'
import type { CodeProblem } from '../../core/domain/problem.ts'
import { type UnresolvedImport, unresolvedImports } from '../../text/imports/imports.ts'
import { type IsKnown, misplacedImports } from '../../text/imports/misplaced-imports.ts'

/** An import of a local file that the change brought in and that leads to no file. */
export interface BrokenImport extends CodeProblem {
  readonly specifier: string
  /** The specifier that would lead to a file of the same name, if there is one. */
  readonly suggestion: string | null
}

/**
 * Imports of local files that will not be there once the change set is written.
 *
 * @param paths every path of the repository at the start commit
 * @param isKnown what the project says of imports that are not relative; left out: they are not judged
 */
export function findBrokenImports(
  changes: ChangeSet,
  paths: ReadonlySet<string>,
  isKnown: IsKnown = () => true,
): readonly BrokenImport[] {
  const gone = new Set(changes.filter(({ action }) => action === 'delete').map(({ path }) => path))
  const written = new Set(
    changes.filter(({ action }) => action !== 'delete').map(({ path }) => path),
  )
  const exists = (path: string) => written.has(path) || (paths.has(path) && !gone.has(path))
  const there = [...new Set([...paths, ...written])].filter(exists)
  return changes.flatMap((change) =>
    brokenIn(change, (text) => [
      ...unresolvedImports(change.path, text, exists, [...paths, ...written]),
      ...misplacedImports(change.path, text, there, isKnown),
    ]),
  )
}

function brokenIn(
  change: FileChange,
  find: (text: string) => readonly UnresolvedImport[],
): readonly BrokenImport[] {
  const text = contentAfter(change)
  if (text === undefined) return []
  const before = change.action === 'modify' ? change.before : ''
  const known = new Set(find(before).map((found) => found.specifier))
  return find(text)
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
