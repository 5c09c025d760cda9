import { posix } from 'node:path'
import type { FileChange } from '../../core/domain/change-set.ts'
import type { TestFailure, TestReport } from '../../core/domain/test-report.ts'
import { isBesideTests, isTestFile, sharedFolders } from '../../text/source/test-files.ts'
import { nameSome } from '../../text/words/words.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import { identity } from '../compare/read-outcome.ts'
import { baselineOn, type StartCommit } from '../run/baseline.ts'
import { reportOf, verifyCommit } from '../run/verify-folder.ts'
import type { ProofPorts } from './see-canaries.ts'

const mostNamed = 5
/** Only the first files of a larger change are tried. */
const mostFiles = 20

/** How many test files to read for the names of what they load. */
const mostRead = 300

/**
 * Runs the start commit's tests on the new code, where a change edits or deletes tests or what they load: its own may
 * have been made to fit. In any language whose runner takes files.
 *
 * @returns the tests that fail there and did not at the start commit
 */
export async function tryOldTests(
  start: StartCommit,
  tree: ChangedTree,
  ports: ProofPorts,
  signal: AbortSignal,
): Promise<readonly TestFailure[]> {
  const edited = tree.changes.filter(
    ({ action, path }) => action !== 'create' && (isTestFile(path) || isBesideTests(path)),
  )
  const code = tree.changes.filter((change) => !edited.includes(change))
  // A setup command would run again; and without code there is nothing to try them on.
  const isCostly = ports.settings.verify.setupCommand !== null
  if (edited.length === 0 || code.length === 0 || isCostly) return []
  const files = await testsOf(edited, tree)
  if (files.length === 0) return []
  const [before, now] = await Promise.all([
    baselineOn(start, ports),
    verifyCommit('old-tests', start, code, ports, { files, signal }),
  ])
  const red = new Set(failuresIn(reportOf(before)).map(identity))
  return failuresIn(reportOf(now)).filter((failure) => !red.has(identity(failure)))
}

/** The edited tests, and those that name an edited file which they load: `golden.json`, `a.test.js.snap`. */
async function testsOf(
  edited: readonly FileChange[],
  { paths, read }: ChangedTree,
): Promise<readonly string[]> {
  const [tests, others] = [true, false].map((wanted) =>
    edited.map(({ path }) => path).filter((path) => isTestFile(path) === wanted),
  )
  if (others === undefined || others.length === 0) return (tests ?? []).slice(0, mostFiles)
  const near = paths
    .filter((path) => isTestFile(path))
    .map((path) => ({ path, near: Math.max(...others.map((each) => sharedFolders(path, each))) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, mostRead)
  const texts = await read(near.map(({ path }) => path))
  const names = others.map((path) => posix.basename(path))
  const loading = [...texts]
    .filter(([path, text]) =>
      names.some((name) => text.includes(name) || name.startsWith(posix.basename(path))),
    )
    .map(([path]) => path)
  return [...new Set([...(tests ?? []), ...loading])].slice(0, mostFiles)
}

const failuresIn = (report: TestReport | null): readonly TestFailure[] =>
  (report?.commands ?? []).flatMap(({ failures, flaky = [] }) => [...failures, ...flaky])

/** Tells a person which of their tests the change made red, and then edited. */
export function describeOldTests(failed: readonly TestFailure[]): string {
  const names = failed.map(({ test, file }) =>
    file === null || test === file ? test : `${test} (${file})`,
  )
  return `tests edited to fit: as they were before, these fail with this change: ${nameSome(names, mostNamed)}`
}
