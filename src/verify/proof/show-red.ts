import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../core/domain/change-set.ts'
import type { NewTest, TestReport } from '../../core/domain/test-report.ts'
import { importStatements } from '../../text/imports/import-statements.ts'
import { importedFiles, resolveImport } from '../../text/imports/imports.ts'
import { newLineNumbers } from '../../text/source/new-lines.ts'
import { isBesideTests, isTestFile } from '../../text/source/test-files.ts'
import { nameSome } from '../../text/words/words.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import { identity } from '../compare/read-outcome.ts'
import type { StartCommit } from '../run/baseline.ts'
import { reportOf, verifyCommit } from '../run/verify-folder.ts'
import type { TestOutline } from '../tampering/outline.ts'
import { readOutlines } from '../tampering/read-outlines.ts'
import { withOtherResults } from './other-results.ts'
import type { ProofPorts } from './see-canaries.ts'
import { withThrowingBodies } from './throwing-bodies.ts'

const mostNamed = 5
/** Only the first files of a larger change are checked. */
const mostFiles = 20
const readable = /\.(?:[cm]?[jt]sx?|py)$/

interface AddedTest {
  readonly path: string
  readonly title: string
  /** It is about errors, and not about results. */
  readonly isOfErrors: boolean
}

export interface ShownRed {
  /** Sentences on new tests that were not seen to fail; none when all were. */
  readonly notes: readonly string[]
  /** What a reviewer must see first: new tests that pass whatever the changed functions return. */
  readonly warnings: readonly string[]
  /** A test that the change adds or edits was red without its code, and is green with it. */
  readonly isShown: boolean
  /** The new tests that ran, each with its result without the change. */
  readonly tests: readonly NewTest[]
}

/**
 * Checks that the tests which a change adds can fail. Each must be red on the unchanged code or, if
 * it tests existing code, once the bodies of the changed functions throw (of the functions that it
 * imports, when the change has none). A file that imports a module created by the change is red
 * without it and needs no run.
 *
 * The run on the unchanged code starts before the project's tests have reported.
 *
 * @returns a judge of the tests' results, to be asked once all tests have passed
 */
export async function showRed(
  start: StartCommit,
  tree: ChangedTree,
  ports: ProofPorts,
  signal: AbortSignal,
): Promise<(after: TestReport) => Promise<ShownRed>> {
  // A setup command would run again for each tree, and may be slow.
  const isCostly = ports.settings.verify.setupCommand !== null
  const { added, unread } = await newTests(tree)
  const unseen = added.filter(({ path }) => !loadsNew(path, tree))
  const files = filesOf(unseen).slice(0, mostFiles)
  const run = async (name: string, changes: ChangeSet, tried: readonly string[] = files) =>
    isCostly || changes.length === 0 || tried.length === 0
      ? null
      : reportOf(await verifyCommit(name, start, changes, ports, { files: tried, signal }))
  const tests = tree.changes.filter(({ path }) => isTestFile(path) || isBesideTests(path))
  const named = filesOf(added).slice(0, mostFiles)
  // An existing test with one row more has no new name.
  const edited = tree.changes.flatMap((change) =>
    change.action === 'modify' && isTestFile(change.path, change.content) ? change.path : [],
  )
  const tried = [...new Set([...files, ...edited.filter((path) => !loadsNew(path, tree))])]
  const altered = await replacedChanges(tree, named, withOtherResults)
  const [without, otherwise] = await Promise.all([
    run('without', tests, tried.slice(0, mostFiles)),
    altered.length === 0 ? null : run('altered', withReplaced(tree.changes, altered), named),
  ])
  return async (after) => {
    const ran = new Set(after.commands.flatMap(({ titles = [] }) => titles))
    const blind = hasResults(otherwise)
      ? greenIn(otherwise, added).filter(({ title, isOfErrors }) => ran.has(title) && !isOfErrors)
      : []
    const warnings = blind.length === 0 ? [] : [describeBlind(blind)]
    const isShown = isRedOnlyWithout(without, after)
    const fresh = unseen.filter(({ title }) => ran.has(title))
    const shown = (green: readonly AddedTest[], left: readonly AddedTest[]) =>
      added
        .filter(({ title }) => ran.has(title))
        .map((test): NewTest => {
          const before = (() => {
            if (!fresh.includes(test)) return 'not_run'
            if (isCostly) return 'unknown'
            if (!green.includes(test)) return isRedIn(without, test) ? 'failed' : 'not_run'
            if (!left.includes(test)) return 'guards'
            return hasResults(without) ? 'passed' : 'unknown'
          })()
          return { test: test.title, file: test.path, before }
        })
    const notes = [
      ...unread.map((path) => notTried(path, 'that needs JavaScript, TypeScript or Python')),
      ...(isCostly ? filesOf(fresh) : []).map((path) =>
        notTried(path, 'the setup command would have to run again'),
      ),
    ]
    // Tests that did not run without the change may still fail with throwing bodies.
    const green = isCostly ? [] : greenIn(without, fresh)
    if (green.length === 0) return { notes, warnings, isShown, tests: shown([], []) }
    const throwing = await replacedChanges(tree, files, withThrowingBodies)
    const thrown =
      throwing.length === 0 ? null : await run('throwing', withReplaced(tree.changes, throwing))
    const left = greenIn(thrown, green)
    const tests = shown(green, left)
    if (left.length === 0) return { notes, warnings, isShown, tests }
    const how = hasResults(thrown)
      ? 'pass without this change, and even when the functions they test only throw'
      : 'were not seen to fail without this change'
    const unseenToFail = `New tests that ${how}: ${namesOf(left)}.`
    return { notes: [...notes, unseenToFail], warnings, isShown, tests }
  }
}

/** A test failed, or its file could not be loaded, without the change alone. */
function isRedOnlyWithout(without: TestReport | null, after: TestReport): boolean {
  const failuresIn = ({ commands }: TestReport) => commands.flatMap(({ failures }) => failures)
  const red = new Set(failuresIn(after).map(identity))
  return without !== null && failuresIn(without).some((failure) => !red.has(identity(failure)))
}

const notTried = (path: string, why: string): string =>
  `The new tests in ${path} were not tried without this change: ${why}.`

const filesOf = (tests: readonly AddedTest[]): readonly string[] => [
  ...new Set(tests.map(({ path }) => path)),
]

/** Lists new tests in readable languages, and new test files in others. */
async function newTests({ changes }: ChangedTree) {
  const added: AddedTest[] = []
  const unread: string[] = []
  for (const change of changes) {
    const { path } = change
    const text = contentAfter(change)
    if (text === undefined || !isTestFile(path, text)) continue
    const outlines = await readOutlines(path, [contentBefore(change) ?? '', text])
    const [had = [], has = []] = outlines.map(({ tests }) => tests)
    const known = new Set(had.map(({ title }) => title))
    const own = has.filter(({ title, state }) => state === 'runs' && !known.has(title))
    if (readable.test(path)) {
      const isOfErrors = (each: TestOutline) =>
        each.assertions.some(({ name }) => /throw|raise|reject/i.test(name))
      added.push(...own.map((each) => ({ path, title: each.title, isOfErrors: isOfErrors(each) })))
    } else if (own.length > 0) unread.push(path)
  }
  return { added, unread }
}

/** Returns true when a top-level import loads a module that did not exist before. */
function loadsNew(path: string, { changes, paths }: ChangedTree): boolean {
  const known = new Set(paths)
  const created = new Set(changes.flatMap((each) => (each.action === 'create' ? each.path : [])))
  const change = changes.find((each) => each.path === path)
  const text = (change && contentAfter(change)) ?? ''
  const lines = text.split('\n')
  return importStatements(path, text).some(({ specifier, line }) => {
    // A nested import may never run, and a type-only import loads nothing.
    if (/^(?:\s|import\s+type\b|export\s+type\b)/.test(lines[line - 1] ?? '')) return false
    const found = resolveImport(path, specifier, (each) => known.has(each))
    const older = resolveImport(path, specifier, (each) => known.has(each) && !created.has(each))
    return found !== null && older === null
  })
}

const hasResults = (report: TestReport | null): report is TestReport =>
  (report?.commands ?? []).some(
    ({ timedOut, titles = [], failures }) => !timedOut && titles.length + failures.length > 0,
  )

/** Returns the tests reported as passed; all of them when the report has no tests. */
function greenIn(report: TestReport | null, tests: readonly AddedTest[]): readonly AddedTest[] {
  if (!hasResults(report)) return tests
  const ran = new Set(report.commands.flatMap(({ titles = [] }) => titles))
  return tests.filter((test) => ran.has(test.title) && !isRedIn(report, test))
}

const isRedIn = (report: TestReport | null, { title }: AddedTest): boolean =>
  (report?.commands ?? []).some(({ failures }) =>
    failures.some(({ test }) => test === title || test.endsWith(` > ${title}`)),
  )

const describeBlind = (tests: readonly AddedTest[]): string =>
  `new tests that pass whatever the changed functions return: ${namesOf(tests)}`

const namesOf = (tests: readonly AddedTest[]): string =>
  nameSome(
    tests.map(({ path, title }) => `${title} (${path})`),
    mostNamed,
  )

const withReplaced = (changes: ChangeSet, replaced: ChangeSet): ChangeSet => {
  const paths = new Set(replaced.map(({ path }) => path))
  return [...changes.filter(({ path }) => !paths.has(path)), ...replaced]
}

/** Replaces the code of the change's sources, else of the sources that its tests import. */
async function replacedChanges(
  { changes, paths, read }: ChangedTree,
  files: readonly string[],
  replace: typeof withThrowingBodies,
): Promise<ChangeSet> {
  const isSource = (path: string) => !isTestFile(path) && readable.test(path)
  const replacedIn = async (change: FileChange): Promise<ChangeSet> => {
    const text = contentAfter(change)
    if (text === undefined || !isSource(change.path)) return []
    const lines = change.action === 'create' ? null : newLineNumbers(change.before, text)
    const content = await replace(change.path, text, lines)
    return content === null ? [] : [{ ...change, content } as FileChange]
  }
  const changed = (await Promise.all(changes.map(replacedIn))).flat()
  if (changed.length > 0) return changed
  const known = new Set(paths)
  const imported = [...(await read(files))].flatMap(([path, text]) =>
    importedFiles(path, text, (each) => known.has(each)),
  )
  const sources = await read([...new Set(imported)].filter(isSource))
  const others = [...sources].map(async ([path, before]): Promise<ChangeSet> => {
    const content = await replace(path, before, null)
    return content === null ? [] : [{ action: 'modify', path, before, content }]
  })
  return (await Promise.all(others)).flat()
}
