import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../change/change.ts'
import {
  importedFiles,
  importStatements,
  isBesideTests,
  isTestFile,
  newLineNumbers,
  resolveImport,
} from '../../source/source.ts'
import { nameSome } from '../../text/text.ts'
import { baseOf, type ChangedTree } from '../compare/find-unrun.ts'
import { identity } from '../compare/read-outcome.ts'
import type { NewTest, TestFailure, TestReport } from '../results/test-report.ts'
import type { TestOutline } from '../tampering/outline.ts'
import { readOutlines } from '../tampering/read-outlines.ts'
import { withEmptyBodies, withOtherResults, withThrowingBodies } from './altered-functions.ts'
import type { ProofPorts, RunChanged } from './run-changed.ts'
import { withCodeOf } from './rust-tests.ts'

const mostNamed = 5
/** Only the first files of a larger change are checked. */
const mostFiles = 20
/** Code whose functions can be made to throw, or to return something else. */
const readable = /\.(?:[cm]?[jt]sx?|py|go|rs|java)$/

interface AddedTest {
  readonly path: string
  /** As its source has it. */
  readonly title: string
  /** It is about errors, and not about results. */
  readonly isOfErrors: boolean
  readonly state: TestOutline['state']
}

export interface ShownRed {
  /** Sentences on new tests that were not seen to fail; none when all were. */
  readonly notes: readonly string[]
  /** What a reviewer must see first: new tests that pass whatever the changed functions return. */
  readonly warnings: readonly string[]
  /** A test that the change adds or edits was red without its code, is green with it, and checks its results. */
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
  tree: ChangedTree,
  ports: ProofPorts,
  run: RunChanged,
): Promise<(after: TestReport) => Promise<ShownRed>> {
  const tried = await tryNewTests(tree, ports, run)
  return (after) => judgeNewTests(tried, tree, after)
}

type Replace = typeof withThrowingBodies

type Run = (
  name: string,
  changes: ChangeSet,
  files: readonly string[],
) => Promise<TestReport | null>

interface TriedTests {
  readonly added: readonly AddedTest[]
  /** New tests that are skipped, or expected to fail. */
  readonly idle: readonly AddedTest[]
  /** Those that can be loaded without the change. */
  readonly unseen: readonly AddedTest[]
  /** The change's tests on the code before, and on code that returns something else; `null` where nothing ran. */
  readonly without: TestReport | null
  readonly otherwise: TestReport | null
  readonly isEdited: boolean
  /** Nothing is tried: a setup command would run again for each tree, and may be slow. */
  readonly isCostly: boolean
  readonly run: Run
}

async function tryNewTests(
  tree: ChangedTree,
  ports: ProofPorts,
  runOn: RunChanged,
): Promise<TriedTests> {
  const isCostly = ports.settings.verify.setupCommand !== null
  const all = await newTests(tree)
  const added = all.filter(({ state }) => state === 'runs')
  const idle = all.filter(({ state }) => state !== 'runs')
  const unseen = added.filter(({ path }) => !loadsNew(path, tree))
  const run: Run = async (name, changes, files) =>
    isCostly || changes.length === 0 || files.length === 0 ? null : runOn(name, changes, { files })
  // An existing test with one row more has no new name.
  const edited = tree.changes.flatMap((change) =>
    change.action === 'modify' && isTestFile(change.path, change.content) ? change.path : [],
  )
  const tried = [...filesOf(unseen), ...edited.filter((path) => !loadsNew(path, tree))]
  const named = filesOf(added).slice(0, mostFiles)
  const altered = await replacedChanges(tree, named, withOtherResults)
  const [without, otherwise] = await Promise.all([
    run('without', tree.changes.flatMap(testsOf), [...new Set(tried)].slice(0, mostFiles)),
    altered.length === 0 ? null : run('altered', withReplaced(tree.changes, altered), named),
  ])
  return { added, idle, unseen, without, otherwise, isEdited: edited.length > 0, isCostly, run }
}

async function judgeNewTests(
  { added, idle, unseen, without, otherwise, isEdited, isCostly, run }: TriedTests,
  tree: ChangedTree,
  after: TestReport,
): Promise<ShownRed> {
  const ran = titlesIn(after)
  const fresh = unseen.filter(({ title }) => ran(title))
  // A test that was seen red checks something: an effect, if not a result.
  const mayBeBlind = added.filter(
    (test) => ran(test.title) && !test.isOfErrors && !isRedIn(without, test),
  )
  const blind = hasResults(otherwise)
    ? await findBlind(greenIn(otherwise, mayBeBlind), tree, run)
    : []
  // What skips itself only in other circumstances has run.
  const unable = idle.filter(({ title, state }) => state === 'may fail' || !ran(title))
  const warnings = [
    ...(blind.length === 0 ? [] : [describeBlind(blind)]),
    ...(unable.length === 0 ? [] : [describeUnable(unable)]),
  ]
  const notes = (isCostly ? filesOf(fresh) : []).map(
    (path) =>
      `The new tests in ${path} were not tried without this change: the setup command would have to run again.`,
  )
  // Tests that did not run without the change may still fail with throwing bodies.
  const green = isCostly ? [] : greenIn(without, fresh)
  const files = filesOf(unseen).slice(0, mostFiles)
  const throwing = green.length === 0 ? [] : await replacedChanges(tree, files, withThrowingBodies)
  const thrown =
    throwing.length === 0
      ? null
      : await run('throwing', withReplaced(tree.changes, throwing), files)
  const left = greenIn(thrown, green)
  const beforeOf = (test: AddedTest): NewTest['before'] => {
    if (!fresh.includes(test)) return 'not_run'
    if (isCostly) return 'unknown'
    if (!green.includes(test)) return isRedIn(without, test) ? 'failed' : 'not_run'
    if (!left.includes(test)) return 'guards'
    return hasResults(without) ? 'passed' : 'unknown'
  }
  const seen = added
    .filter(({ title }) => ran(title))
    .map((test) => ({ test, before: beforeOf(test) }))
  const isShown =
    (isEdited && isRedOnlyWithout(without, after, blind)) ||
    seen.some(({ test, before }) => /failed|not_run/.test(before) && !blind.includes(test))
  const tests = seen.map(({ test: { path, title }, before }) => ({
    ...{ test: title, file: path, before },
  }))
  if (left.length === 0) return { notes, warnings, isShown, tests }
  const passed = 'pass without this change'
  const untold = hasResults(without) ? passed : 'could not be tried without this change'
  const how = hasResults(thrown)
    ? `${passed}, and even when the functions they test only throw`
    : untold
  const unseenToFail = `New tests that ${how}: ${namesOf(left)}.`
  return { notes: [...notes, unseenToFail], warnings, isShown, tests }
}

/** A test that is green with other results may still check what a function does; one that sees nothing needs neither. */
async function findBlind(
  green: readonly AddedTest[],
  tree: ChangedTree,
  run: Run,
): Promise<readonly AddedTest[]> {
  const files = filesOf(green).slice(0, mostFiles)
  const empty = await replacedChanges(tree, files, withEmptyBodies)
  const report =
    empty.length === 0 ? null : await run('empty', withReplaced(tree.changes, empty), files)
  return greenIn(report, green)
}

/**
 * A test failed, or its file could not be loaded, without the change alone.
 *
 * @param blind tests that do not check results: neither they nor a file with one shows anything by that
 */
function isRedOnlyWithout(
  without: TestReport | null,
  after: TestReport,
  blind: readonly AddedTest[],
): boolean {
  const failuresIn = ({ commands }: TestReport) => commands.flatMap(({ failures }) => failures)
  const ran = titlesIn(after)
  const red = new Set(failuresIn(after).map(identity))
  const isProof = (failure: TestFailure): boolean => {
    const names = namesIn(failure.test).filter(ran)
    const isBlind = ({ title, path }: AddedTest) =>
      names.length === 0 ? path === failure.file : names.some((name) => isNameOf(title, name))
    return !red.has(identity(failure)) && !blind.some(isBlind)
  }
  return hasResults(without) && failuresIn(without).some(isProof)
}

const filesOf = (tests: readonly AddedTest[]): readonly string[] => [
  ...new Set(tests.map(({ path }) => path)),
]

/** The change's part that only tests load. A file of Rust holds both: its tests go into the code as it was. */
function testsOf(change: FileChange): ChangeSet {
  const { path } = change
  if (isTestFile(path) || isBesideTests(path)) return [change]
  const own = path.endsWith('.rs') ? withCodeOf(change) : null
  return own === null ? [] : [own]
}

/** Lists new tests, in every language whose tests are recognized. */
async function newTests({ changes }: ChangedTree): Promise<readonly AddedTest[]> {
  const added: AddedTest[] = []
  for (const change of changes) {
    const { path } = change
    const text = contentAfter(change)
    if (text === undefined || !isTestFile(path, text)) continue
    const outlines = await readOutlines(path, [contentBefore(change) ?? '', text])
    const [had = [], has = []] = outlines.map(({ tests }) => tests)
    const known = new Set(had.map(({ title }) => title))
    const own = has.filter(({ title }) => !known.has(title))
    const isOfErrors = (each: TestOutline) =>
      each.assertions.some(({ name }) => /throw|raise|reject|panic/i.test(name))
    added.push(...own.map((each) => ({ ...each, path, isOfErrors: isOfErrors(each) })))
  }
  return added
}

/** Returns true when a top-level import loads a module that did not exist before, and for tests beside such code. */
function loadsNew(path: string, { changes, paths }: ChangedTree): boolean {
  const known = new Set(paths)
  const created = new Set(changes.flatMap((each) => (each.action === 'create' ? each.path : [])))
  const change = changes.find((each) => each.path === path)
  if (change?.action === 'create' && testsOf(change).length === 0) return true
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
  const ran = titlesIn(report)
  return tests.filter(
    (test) => ran(test.title) && !isRedIn(report, test) && !isUnloadedIn(report, test),
  )
}

/** Returns a predicate: a test with this title in its source ran. */
function titlesIn({ commands }: TestReport): (title: string) => boolean {
  const all = commands.flatMap(({ titles = [] }) => titles.flatMap((each) => [each, baseOf(each)]))
  const names = new Set(all)
  return (title) => names.has(title) || [...names].some((name) => isNameOf(title, name))
}

/** What a runner or a template replaces in the title of a table's rows: `halves %i`, `adds $a`, `is ${name}`. */
const placeholder = /%[sdifjoOcp#]|\$\{[^{}]*\}|\$[a-zA-Z_][\w.]*/

/** Returns true for the name that a test of this title has in a report. */
function isNameOf(title: string, name: string): boolean {
  if (name === title || !placeholder.test(title)) return name === title
  const [first = '', ...others] = title.split(placeholder)
  // A title of little else than placeholders could be any.
  if (!/\w{3}/.test([first, ...others].join(' '))) return false
  if (!name.startsWith(first) || !name.endsWith(others.at(-1) ?? '')) return false
  let at = first.length
  return others.every((part) => {
    const found = name.indexOf(part, at)
    at = found + part.length
    return found >= 0
  })
}

/** Its suites, itself, its row and subtest: `tests > adds`, `TestAdd > rows`, `test_a[1]`. */
const namesIn = (test: string): readonly string[] =>
  test.split(' > ').flatMap((each) => [each, baseOf(each)])

/** A runner may report a file that it cannot load by a name that a test in it has. */
const isUnloadedIn = ({ commands }: TestReport, { path }: AddedTest): boolean =>
  commands.some(({ failures }) => failures.some(({ test }) => test === path))

const isRedIn = (report: TestReport | null, { title }: AddedTest): boolean =>
  (report?.commands ?? []).some(({ failures }) =>
    failures.some(
      ({ test }) =>
        test.endsWith(` > ${title}`) ||
        [test, ...namesIn(test)].some((name) => isNameOf(title, name)),
    ),
  )

const describeBlind = (tests: readonly AddedTest[]): string =>
  `new tests that pass whatever the changed functions return: ${namesOf(tests)}`

const describeUnable = (tests: readonly AddedTest[]): string =>
  `new tests that are skipped, or expected to fail: ${namesOf(tests)}`

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
  replace: Replace,
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
