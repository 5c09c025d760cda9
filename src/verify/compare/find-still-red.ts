import type { ChangeSet } from '../../core/domain/change-set.ts'
import type { TestFailure, TestReport } from '../../core/domain/test-report.ts'
import { localImports, resolveImport } from '../../text/imports/imports.ts'
import { counterparts } from '../../text/imports/related-tests.ts'

/**
 * Failing tests of the very files this change wrote. That they were red before excuses
 * nothing: a task whose own test still fails is not done, whoever wrote the test first.
 *
 * @param read texts of the tree with the change in it
 * @param paths every path of that tree
 */
export async function findStillRed(
  report: TestReport,
  changes: ChangeSet,
  paths: readonly string[],
  read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<readonly TestFailure[]> {
  const failures = report.commands.flatMap((command) => command.failures)
  const files = [...new Set(failures.flatMap(({ file }) => (file === null ? [] : [file])))]
  const changed = new Set(changes.map(({ path }) => path))
  const named = new Set([...changed].flatMap((path) => counterparts(path, paths)))
  const texts = await read(files)
  const known = new Set(paths)
  const importsChanged = (path: string) =>
    localImports(path, texts.get(path) ?? '')
      .map((specifier) => resolveImport(path, specifier, (each) => known.has(each)))
      .some((target) => target !== null && changed.has(target))
  const own = new Set(files.filter((path) => named.has(path) || importsChanged(path)))
  return failures.filter(({ file }) => file !== null && own.has(file))
}
