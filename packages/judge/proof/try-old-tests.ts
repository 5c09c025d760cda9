import { posix } from 'node:path'
import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../change/change.ts'
import { codeFile, importedFiles, isBesideTests, isTestFile } from '../../source/source.ts'
import { nameSome } from '../../text/text.ts'
import { baseOf, type ChangedTree } from '../compare/find-unrun.ts'
import { identity } from '../compare/read-outcome.ts'
import type { TestFailure, TestReport } from '../results/test-report.ts'
import { baselineOn, type StartCommit } from '../run/baseline.ts'
import { reportOf } from '../run/verify-folder.ts'
import { readOutline } from '../tampering/read-outlines.ts'
import { findCandidates } from './choose-tests.ts'
import type { ProofPorts, RunChanged } from './run-changed.ts'
import { withTestsOf } from './rust-tests.ts'

const mostNamed = 5
/** Only the first files are tried. */
const mostFiles = 20

/** What the tests of the start commit say of the change without its own tests. */
export interface OldTests {
  /** Green with all of the change, red with its product alone. */
  readonly failed: readonly TestFailure[]
  /** The change edits no test, nor what tests load: then what it adds beside the tests turns them green. */
  readonly isAdded: boolean
}

const none = async (): Promise<OldTests> => ({ failed: [], isAdded: false })

/**
 * Runs the start commit's tests on what users get of a change: without its tests and the files next to them. Its own may
 * have been made to fit, and a new file that only tests load may swap in other code. In any language whose runner takes
 * files.
 *
 * @returns a judge of the tests' report: which of the tests that ran with all of the change fail there, and did not at
 *   the start commit
 */
export async function tryOldTests(
  start: StartCommit,
  tree: ChangedTree,
  ports: ProofPorts,
  run: RunChanged,
): Promise<(after: TestReport) => Promise<OldTests>> {
  const { product, side } = await partOf(tree)
  // A setup command would run again; and without code there is nothing to try them on.
  const isCostly = ports.settings.verify.setupCommand !== null
  if (side.length === 0 || product.length === 0 || isCostly) return none
  const files = await testsOn(product, side, tree)
  if (files.length === 0) return none
  const [before, now] = await Promise.all([
    baselineOn(start, ports),
    run('old-tests', product, { files }),
  ])
  const red = new Set(failuresIn(reportOf(before)).map(identity))
  const fresh = failuresIn(now).filter((failure) => !red.has(identity(failure)))
  const isAdded = side.every(({ action }) => action === 'create')
  return async (after) => ({ failed: await thatRan(fresh, after, tree), isAdded })
}

/** Leaves out what the project's own command does not run: files of a folder of tests that hold none. */
async function thatRan(
  failures: readonly TestFailure[],
  { commands }: TestReport,
  { read }: ChangedTree,
): Promise<readonly TestFailure[]> {
  // Where tests have no names, nothing can be left out.
  if (commands.some(({ titles }) => titles === undefined)) return failures
  const ran = new Set(commands.flatMap(({ titles = [] }) => titles.map(baseOf)))
  const texts = await read(failures.flatMap(({ file }) => file ?? []))
  const found = await Promise.all(
    failures.map(async (failure) => {
      const text = failure.file === null ? undefined : texts.get(failure.file)
      const isOwn = ran.has(baseOf(failure.test.split(' > ').at(-1) ?? ''))
      if (isOwn || failure.file === null || text === undefined) return isOwn ? [failure] : []
      // A file that cannot be loaded fails as a whole.
      const { tests } = await readOutline(failure.file, text)
      return tests.some(({ title }) => ran.has(title)) ? [failure] : []
    }),
  )
  return found.flat()
}

/**
 * True for what only tests load. Go and Rust find their tests by name and place; a folder of another name holds product
 * code. A new file of data swaps in no code, and the product may read it.
 */
const isSide = ({ action, path }: FileChange): boolean => {
  if (path.endsWith('.go')) return path.endsWith('_test.go')
  if (path.endsWith('.rs'))
    return /(?:^|\/)(?:tests|benches)\//.test(path) && !/(?:^|\/)src\//.test(path)
  return isTestFile(path) || (isBesideTests(path) && (action !== 'create' || codeFile.test(path)))
}

/** Divides a change into what users get and what only tests load. A file that the product imports is part of it. */
async function partOf({ changes, paths }: ChangedTree) {
  const known = new Set(paths)
  const product: FileChange[] = []
  const side = new Set(changes.filter(isSide))
  for (const change of changes) if (!side.has(change)) product.push(change)
  // Iterating an array also visits elements that are added meanwhile.
  for (const change of product) {
    const imported = importedFiles(change.path, contentAfter(change) ?? '', (path) =>
      known.has(path),
    )
    for (const each of side) {
      if (!imported.includes(each.path) || isTestFile(posix.basename(each.path))) continue
      side.delete(each)
      product.push(each)
    }
  }
  const inline = product.map((each) => (each.path.endsWith('.rs') ? withTestsOf(each) : each))
  const own = changes.filter((change) => !inline.includes(change) && product.includes(change))
  return { product: inline, side: [...side, ...own] }
}

/** Tests of the start commit that reach the product, or name an edited file: `golden.json`, `a.test.js.snap`. */
async function testsOn(
  product: ChangeSet,
  side: readonly FileChange[],
  tree: ChangedTree,
): Promise<readonly string[]> {
  const old = side.filter(({ action }) => action !== 'create')
  const edited = old.flatMap((change) =>
    isTestFile(change.path, contentBefore(change) ?? '') ? [change.path] : [],
  )
  const created = new Set(side.flatMap(({ action, path }) => (action === 'create' ? path : [])))
  const { reaching, others } = await findCandidates({ ...tree, changes: product })
  const names = old.map(({ path }) => posix.basename(path))
  const naming = others.filter(
    ({ path, text }) =>
      names.some((name) => text.includes(name) || name.startsWith(posix.basename(path))) ||
      isWith(path, product),
  )
  const found = [...edited, ...reaching.map(({ path }) => path), ...naming.map(({ path }) => path)]
  return [...new Set(found)].filter((path) => !created.has(path)).slice(0, mostFiles)
}

/** Go builds the tests of a folder with its code, and Cargo those of a package. */
function isWith(path: string, product: ChangeSet): boolean {
  const folder = posix.dirname(path)
  return product.some(({ path: changed }) =>
    path.endsWith('.go')
      ? changed.endsWith('.go') && posix.dirname(changed) === folder
      : path.endsWith('.rs') && changed.startsWith(posix.join(folder, '../src/')),
  )
}

const failuresIn = (report: TestReport | null): readonly TestFailure[] =>
  (report?.commands ?? []).flatMap(({ failures, flaky = [] }) => [...failures, ...flaky])

/** Tells that the change passes the old tests only with what it adds beside them. */
export const describeAdded = (failed: readonly TestFailure[]): string =>
  `Tests of the start commit pass only with the tests that this change adds, or with files next to them: ${namesOf(failed)}. A person has to look at it.`

/** Tells a person which of their tests the change makes red, and edits. */
export const describeOldTests = (failed: readonly TestFailure[]): string =>
  `edits tests that otherwise fail with this change: ${namesOf(failed)}`

const namesOf = (failed: readonly TestFailure[]): string =>
  nameSome(
    failed.map(({ test, file }) => (file === null || test === file ? test : `${test} (${file})`)),
    mostNamed,
  )
