import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../core/domain/change-set.ts'
import type { TestReport } from '../../core/domain/test-report.ts'
import { importStatements } from '../../text/imports/import-statements.ts'
import { importedFiles, resolveImport } from '../../text/imports/imports.ts'
import { isTestFile } from '../../text/source/test-files.ts'
import { nameSome } from '../../text/words/words.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import type { StartCommit } from '../run/baseline.ts'
import { reportOf, verifyCommit } from '../run/verify-folder.ts'
import { readOutlines } from '../tampering/read-outlines.ts'
import type { ProofPorts } from './see-canaries.ts'
import { withThrowingBodies } from './throwing-bodies.ts'

const mostNamed = 5
/** Of more test files in one change, the first ones. */
const mostFiles = 20
const readable = /\.(?:[cm]?[jt]sx?|py)$/
/** What tests need beside themselves. */
const besideTests =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|__snapshots__|__mocks__)\//i

interface NewTest {
  readonly path: string
  readonly title: string
}

/**
 * Whether the tests that a change brings in can fail at all: each is to be red on the unchanged code, or, where it
 * tests what was there, with the bodies of the changed functions (of those that it imports, where the change
 * has none) replaced by a throw. A file that loads a module which comes with the change is red without it, and needs
 * no run.
 *
 * The look at the unchanged code does not need to know what the project's tests say.
 *
 * @returns what judges them: plain sentences on those that cannot be shown so, none where all were seen red
 */
export async function showRed(
  start: StartCommit,
  tree: ChangedTree,
  ports: ProofPorts,
  signal: AbortSignal,
): Promise<(after: TestReport) => Promise<readonly string[]>> {
  // Each tree would be set up anew, by a command that may take its time.
  const isDear = ports.settings.verify.setupCommand !== null
  const { added, unread } = await newTests(tree)
  const unseen = added.filter(({ path }) => !loadsNew(path, tree))
  const files = filesOf(unseen).slice(0, mostFiles)
  const run = async (name: string, changes: ChangeSet) =>
    isDear || changes.length === 0 || files.length === 0
      ? null
      : reportOf(await verifyCommit(name, start, changes, ports, { files, signal }))
  const tests = tree.changes.filter(({ path }) => isTestFile(path) || besideTests.test(path))
  const without = await run('without', tests)
  return async (after) => {
    const ran = new Set(after.commands.flatMap(({ titles = [] }) => titles))
    const fresh = unseen.filter(({ title }) => ran.has(title))
    const notes = [...unread, ...(isDear ? filesOf(fresh) : [])].map(
      (path) => `Whether the new tests in ${path} fail without this change was not looked at.`,
    )
    // Where nothing runs them without the change, the other way shows it.
    const green = isDear ? [] : greenIn(without, fresh)
    if (green.length === 0) return notes
    const throwing = await throwingChanges(tree, files)
    const replaced = new Set(throwing.map(({ path }) => path))
    const kept = tree.changes.filter(({ path }) => !replaced.has(path))
    const thrown = throwing.length === 0 ? null : await run('throwing', [...kept, ...throwing])
    const left = greenIn(thrown, green)
    if (left.length === 0) return notes
    const how = hasTold(thrown)
      ? 'pass without this change, and where the functions that they test only throw'
      : 'nothing shows to fail without this change'
    const names = left.map(({ path, title }) => `${title} (${path})`)
    return [...notes, `New tests that ${how}: ${nameSome(names, mostNamed)}.`]
  }
}

const filesOf = (tests: readonly NewTest[]): readonly string[] => [
  ...new Set(tests.map(({ path }) => path)),
]

/** Those of a language that can be looked at, and files of others. */
async function newTests({ changes }: ChangedTree) {
  const added: NewTest[] = []
  const unread: string[] = []
  for (const change of changes) {
    const { path } = change
    const text = contentAfter(change)
    if (text === undefined || !isTestFile(path, text)) continue
    const outlines = await readOutlines(path, [contentBefore(change) ?? '', text])
    const [had = [], has = []] = outlines.map(({ tests }) => tests)
    const known = new Set(had.map(({ title }) => title))
    const own = has.filter(({ title, state }) => state === 'runs' && !known.has(title))
    if (readable.test(path)) added.push(...own.map(({ title }) => ({ path, title })))
    else if (own.length > 0) unread.push(path)
  }
  return { added, unread }
}

/** Whether one of its statements outside of every block imports what was not there before. */
function loadsNew(path: string, { changes, paths }: ChangedTree): boolean {
  const known = new Set(paths)
  const created = new Set(changes.flatMap((each) => (each.action === 'create' ? each.path : [])))
  const change = changes.find((each) => each.path === path)
  const text = (change && contentAfter(change)) ?? ''
  const lines = text.split('\n')
  return importStatements(path, text).some(({ specifier, line }) => {
    // Within a block it may never run, and what only types need is not loaded.
    if (/^(?:\s|import\s+type\b|export\s+type\b)/.test(lines[line - 1] ?? '')) return false
    const found = resolveImport(path, specifier, (each) => known.has(each))
    const older = resolveImport(path, specifier, (each) => known.has(each) && !created.has(each))
    return found !== null && older === null
  })
}

const hasTold = (report: TestReport | null): report is TestReport =>
  (report?.commands ?? []).some(
    ({ timedOut, titles = [], failures }) => !timedOut && titles.length + failures.length > 0,
  )

/** Those that were told as passed; all, where no test was told of. */
function greenIn(report: TestReport | null, tests: readonly NewTest[]): readonly NewTest[] {
  if (!hasTold(report)) return tests
  const ran = new Set(report.commands.flatMap(({ titles = [] }) => titles))
  const red = report.commands.flatMap(({ failures }) => failures.map(({ test }) => test))
  const isRed = (title: string) =>
    red.some((test) => test === title || test.endsWith(` > ${title}`))
  return tests.filter(({ title }) => ran.has(title) && !isRed(title))
}

/** The sources that the change brings in, else those that its tests import, with throwing bodies. */
async function throwingChanges(
  { changes, paths, read }: ChangedTree,
  files: readonly string[],
): Promise<ChangeSet> {
  const isSource = (path: string) => !isTestFile(path) && readable.test(path)
  const throwing = async (change: FileChange): Promise<ChangeSet> => {
    const text = contentAfter(change)
    if (text === undefined || !isSource(change.path)) return []
    const lines = change.action === 'create' ? null : changedLines(change.before, text)
    const content = await withThrowingBodies(change.path, text, lines)
    return content === null ? [] : [{ ...change, content } as FileChange]
  }
  const changed = (await Promise.all(changes.map(throwing))).flat()
  if (changed.length > 0) return changed
  const known = new Set(paths)
  const imported = [...(await read(files))].flatMap(([path, text]) =>
    importedFiles(path, text, (each) => known.has(each)),
  )
  const sources = await read([...new Set(imported)].filter(isSource))
  const thrown = [...sources].map(async ([path, before]): Promise<ChangeSet> => {
    const content = await withThrowingBodies(path, before, null)
    return content === null ? [] : [{ action: 'modify', path, before, content }]
  })
  return (await Promise.all(thrown)).flat()
}

/** Lines of the text after that the text before has not. */
function changedLines(before: string, after: string): ReadonlySet<number> {
  const left = Map.groupBy(before.split('\n'), (line) => line.trim())
  const changed = after.split('\n').flatMap((line, index) => {
    return left.get(line.trim())?.pop() === undefined ? [index + 1] : []
  })
  return new Set(changed)
}
