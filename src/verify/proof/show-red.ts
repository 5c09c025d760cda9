import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../core/domain/change-set.ts'
import type { TestReport } from '../../core/domain/test-report.ts'
import { importStatements } from '../../text/imports/import-statements.ts'
import { localImports, resolveImport } from '../../text/imports/imports.ts'
import { codeFile, isTestFile } from '../../text/source/is-test-file.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import type { StartCommit } from '../run/baseline.ts'
import { readOutlines } from '../tampering/read-outlines.ts'
import { runTree, type TreePorts } from './run-tree.ts'
import { withThrowingBodies } from './throwing-bodies.ts'

const mostNamed = 5
/** Of more test files in one change, the first ones. */
const mostFiles = 20
const readable = /\.(?:[cm]?[jt]sx?|py)$/
/** What tests need beside themselves. */
const besideTests =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|__snapshots__|__mocks__)\//i

/** A test that a change brings in. */
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
  ports: TreePorts,
  signal: AbortSignal,
): Promise<(after: TestReport) => Promise<readonly string[]>> {
  // Each tree would be set up anew, by a command that may take its time.
  const isDear = ports.settings.verify.setupCommand !== null
  const run = (name: string, files: readonly string[], changes: ChangeSet) =>
    runTree({ name: `${name}-${start.sha.slice(0, 12)}`, start, files, signal }, changes, ports)
  const { added, unread } = await newTests(tree)
  const unseen = added.filter(({ path }) => !loadsNew(path, tree))
  const files = filesOf(unseen).slice(0, mostFiles)
  const tests = tree.changes.filter(({ path }) => isTestFile(path) || besideTests.test(path))
  const without = isDear || files.length === 0 ? null : await run('without', files, tests)
  return async (after) => {
    const ran = new Set(after.commands.flatMap(({ titles = [] }) => titles))
    const fresh = unseen.filter(({ title }) => ran.has(title))
    const notes = [...unread, ...(isDear ? filesOf(fresh) : [])].map(
      (path) => `Whether the new tests in ${path} fail without this change was not looked at.`,
    )
    if (fresh.length === 0 || isDear) return notes
    // Where nothing runs them without the change, the other way shows it.
    const green = hasTold(without) ? greenIn(without, fresh) : fresh
    if (green.length === 0) return notes
    const throwing = await throwingChanges(tree, files)
    const over = withChanges(tree, throwing)
    const thrown = throwing.length === 0 ? null : await run('throwing', files, over)
    const left = hasTold(thrown) ? greenIn(thrown, green) : green
    if (left.length === 0) return notes
    const how = hasTold(thrown)
      ? 'pass without this change, and where the functions that they test only throw'
      : 'nothing shows to fail without this change'
    return [...notes, `New tests that ${how}: ${nameSome(left)}.`]
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
    if (text === undefined || !codeFile.test(path) || !isTestFile(path, text)) continue
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

/** Those that were told as passed. */
function greenIn({ commands }: TestReport, tests: readonly NewTest[]): readonly NewTest[] {
  const ran = new Set(commands.flatMap(({ titles = [] }) => titles))
  const red = commands.flatMap(({ failures }) => failures.map(({ test }) => test))
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
  const changed: FileChange[] = []
  for (const change of changes) {
    const text = contentAfter(change)
    if (text === undefined || !isSource(change.path)) continue
    const lines = change.action === 'create' ? null : changedLines(change.before, text)
    const content = await withThrowingBodies(change.path, text, lines)
    if (content !== null) changed.push({ ...change, content } as FileChange)
  }
  if (changed.length > 0) return changed
  const known = new Set(paths)
  const texts = await read(files)
  const imported = [...texts].flatMap(([path, text]) =>
    localImports(path, text).flatMap(
      (specifier) => resolveImport(path, specifier, (each) => known.has(each)) ?? [],
    ),
  )
  const sources = await read([...new Set(imported)].filter(isSource))
  const thrown: FileChange[] = []
  for (const [path, before] of sources) {
    const content = await withThrowingBodies(path, before, null)
    if (content !== null) thrown.push({ action: 'modify', path, before, content })
  }
  return thrown
}

/** Lines of the text after that the text before has not. */
function changedLines(before: string, after: string): ReadonlySet<number> {
  const left = Map.groupBy(before.split('\n'), (line) => line.trim())
  const changed = after.split('\n').flatMap((line, index) => {
    return left.get(line.trim())?.pop() === undefined ? [index + 1] : []
  })
  return new Set(changed)
}

function withChanges({ changes }: ChangedTree, others: ChangeSet): ChangeSet {
  const replaced = new Set(others.map(({ path }) => path))
  return [...changes.filter(({ path }) => !replaced.has(path)), ...others]
}

function nameSome(tests: readonly NewTest[]): string {
  const names = tests.slice(0, mostNamed).map(({ path, title }) => `${title} (${path})`)
  const more = tests.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
