import { type ChangeSet, contentBefore, type FileChange } from '../../change/change.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import { onFiles } from '../detect/detect-suites.ts'
import type { TestRunner } from '../detect/suite.ts'
import { openProject } from '../prepare/open-project.ts'
import type { TestReport } from '../results/test-report.ts'
import type { StartCommit } from '../run/baseline.ts'
import { type Canary, copyOfClass, named, unchecked, writeCanary } from './canary-text.ts'
import { type Candidates, chooseTests, nearestTests, type TestText } from './choose-tests.ts'
import { type ProofPorts, type RunChanged, word } from './run-changed.ts'
import type { AlteredTest, Twin } from './twin.ts'
import { makeTwins } from './twin-text.ts'

/** A test file and its runner; `isGuess` when the project's script hides the runner. */
type Copied = TestText & { readonly runner: TestRunner; readonly isGuess: boolean }

/** What a report says of tests that must fail; `unknown` when it reports no test. */
type Outcome = 'failed' | 'passed' | 'missing' | 'unloaded' | 'unknown'

/**
 * Runs our own must-fail tests in copies of test files, with the change applied. Code that replaces
 * assertions, the runner or its report when it is loaded or called also replaces theirs. Beside them
 * run twins of the files' tests, whose assertions are altered so that they must fail: they call the
 * changed code as the real ones do. They run separately: in the run that counts they would hide its exit code, end it where it stops at the
 * first failure, and leave snapshots behind.
 *
 * When one does not fail, the same test runs without the change: the change is to blame only if it
 * fails there. A project in which no such test fails is left alone.
 *
 * The first round runs before the project's tests have reported.
 *
 * @param found test files near the change
 * @returns a judge of the tests' report: why it cannot be trusted, `null` if nothing contradicts it
 */
export async function seeCanaries(
  start: StartCommit,
  tree: ChangedTree,
  ports: ProofPorts,
  run: RunChanged,
  found: Promise<Candidates>,
): Promise<(after: TestReport) => Promise<string | null>> {
  const look = (tests: readonly Copied[], changes: ChangeSet) =>
    runCopies(tests, changes, ports, run)
  const candidates = await found
  const runnable = async (tests: Promise<readonly TestText[]>) =>
    withRunners(await tests, start, tree, ports)
  const seen = await look(await runnable(chooseTests(candidates, null)), tree.changes)
  return async (after) => {
    if (after.commands.length === 0) return null
    const copied = await runnable(chooseTests(candidates, after))
    const late = await look(without(copied, seen), tree.changes)
    const chosen = new Set(copied.map(({ path }) => path))
    const results = [...seen, ...late].filter(({ test }) => chosen.has(test.path))
    // The change's own tests may not load as copies; then other files show what the runner does.
    const isOpen = !results.some((each) => each.outcome === 'failed')
    const spare =
      isOpen || results.some(isSilent) ? await runnable(nearestTests(candidates, after)) : []
    const beside = isOpen ? await look(without(spare, results), tree.changes) : []
    const first = [...results, ...beside].filter(isSilent)
    const again = await look(
      first.map(({ test }) => test),
      tree.changes,
    )
    const green = await look(
      results
        .filter(({ test }) => !first.some((each) => each.test === test))
        .filter(hasGreen)
        .map(({ test }) => test),
      tree.changes,
    )
    for (const { test, outcome } of again.filter(isSilent)) {
      const old = [test, ...copied, ...spare].find(({ before }) => before !== null)
      // When the change brings in the first tests, there is nothing to compare with.
      if (old?.before == null) return describe(test, outcome)
      const before = await look([{ ...old, text: old.before }], [])
      if (before.some((each) => each.outcome === 'failed')) return describe(test, outcome)
    }
    for (const { test, twins } of green.filter(hasGreen)) {
      // An unchanged test is compared with itself without the change; one that was green there proves nothing.
      const isOld = test.before === test.text
      const [before] = isOld ? await look([test], []) : []
      const told = twins.find(
        ({ isGreen, line }) =>
          isGreen && (!isOld || before?.twins.some((each) => each.line === line && each.isRed)),
      )
      if (told !== undefined) return describeTwin(test, told)
    }
    return null
  }
}

const without = (tests: readonly Copied[], seen: readonly Seen[]): readonly Copied[] =>
  tests.filter(({ path }) => !seen.some(({ test }) => test.path === path))

interface Seen {
  readonly test: Copied
  readonly outcome: Outcome
  readonly twins: readonly SeenTwin[]
}

/** What became of an altered test; neither when it was not reported. */
interface SeenTwin extends AlteredTest {
  readonly isRed: boolean
  readonly isGreen: boolean
}

/** True where an altered test stayed green that must fail. */
const hasGreen = ({ twins }: Seen): boolean => twins.some(({ isGreen }) => isGreen)

/** An unloadable copy counts only if unchanged: a test of the change may not work as a copy. */
const isSilent = ({ test, outcome }: Seen): boolean =>
  outcome === 'passed' ||
  outcome === 'missing' ||
  (outcome === 'unloaded' && !test.isGuess && test.before === test.text)

const wordings = {
  passed: 'was reported as passed',
  missing: 'was not reported',
  unloaded: 'could not be loaded',
  failed: 'failed',
  unknown: 'reported nothing',
} as const satisfies Record<Outcome, string>

const describe = ({ path }: TestText, outcome: Outcome): string => {
  const what = wordings[outcome]
  return `The tests' report cannot be trusted: in a copy of ${path}, an added test that must fail ${what}. Something in this change replaces the tests, their assertions or their runner. Remove it.`
}

const describeTwin = ({ path }: TestText, { title, line }: AlteredTest): string =>
  `The tests prove nothing: "${title}" in ${path} still passes when its assertion in line ${line} is altered so that it must fail. Something in this change makes the assertion pass, or the test cannot fail. Make the code return what the test expects, and the test able to fail.`

/** Keeps the tests that a runner can be given. */
async function withRunners(
  tests: readonly TestText[],
  { task }: StartCommit,
  tree: ChangedTree,
  { settings }: ProofPorts,
): Promise<readonly Copied[]> {
  if (tests.length === 0) return []
  const { repository, suites } = await openProject(tree, task, settings.verify)
  const known = new Set(tree.paths)
  return tests.flatMap((test) => {
    const on = suites.flatMap((suite) => {
      const [own] = onFiles(repository, suite, [test.path], (path) => known.has(path))
      return own === undefined ? [] : [{ runner: own.runner, isGuess: suite.runner !== own.runner }]
    })
    return on.slice(0, 1).map((each) => ({ ...test, ...each }))
  })
}

async function runCopies(
  tests: readonly Copied[],
  changes: ChangeSet,
  ports: ProofPorts,
  runOn: RunChanged,
): Promise<readonly Seen[]> {
  const copies = await Promise.all(
    tests.map(async (test) => {
      const canary = writeCanary(test, test.runner, [word(ports), word(ports)])
      if (canary === null) return []
      const twins = await makeTwins(test.path, test.text, word(ports))
      return [{ test, canary, twins }]
    }),
  )
  const canaries = copies.flat()
  if (canaries.length === 0) return []
  const run = async (name: string, added: ChangeSet) => {
    if (added.length === 0) return null
    const files = added.map(({ path }) => path)
    const others = changes.filter(({ path }) => !files.includes(path))
    return runOn(name, [...others, ...added], { files })
  }
  // Apart from each other: a twin may hang where its assertion fails, and would take the canaries with it.
  const [report, altered] = await Promise.all([
    run(
      'canary',
      canaries.map(({ test, canary }) => withCanary(changes, test, canary)),
    ),
    run(
      'twin',
      canaries.flatMap(({ test, twins }) =>
        twins.flatMap(({ text }) => withTwin(changes, test, text, word(ports))),
      ),
    ),
  ])
  return canaries.map(({ test, canary, twins }) => ({
    ...{ test, outcome: readCanary(report, canary), twins: readTwins(altered, twins) },
  }))
}

/** Writes a canary: a new file, or the test file with more in it. */
function withCanary(
  changes: ChangeSet,
  test: TestText,
  { path, text }: Pick<Canary, 'path' | 'text'>,
): FileChange {
  if (path !== test.path) return { action: 'create', path, content: text }
  const own = changes.find((each) => each.path === path)
  const before = own === undefined ? test.text : contentBefore(own)
  return before === undefined
    ? { action: 'create', path, content: text }
    : { action: 'modify', path, before, content: text }
}

/** Writes a twin: a copy of the test file, or the file itself where its language takes none. */
function withTwin(
  changes: ChangeSet,
  test: TestText,
  text: string,
  name: string,
): readonly FileChange[] {
  const { path } = test
  if (/\.(?:go|rs)$/.test(path)) return [withCanary(changes, test, { path, text })]
  if (path.endsWith('.java')) {
    const copy = copyOfClass(path, text, name)
    return copy === null ? [] : [{ action: 'create', path: copy.path, content: copy.text }]
  }
  const copied = named(path, separated(path, name))
  return [{ action: 'create', path: copied, content: unchecked(path, text) }]
}

const separated = (path: string, name: string): string =>
  path.endsWith('.py') ? `_${name}` : `-${name}`

/** Reads what became of altered tests. */
function readTwins(report: TestReport | null, twins: readonly Twin[]): readonly SeenTwin[] {
  const commands = report?.commands ?? []
  const failures = commands.flatMap((command) => command.failures)
  const titles = commands.flatMap((command) => command.titles ?? [])
  return twins
    .flatMap(({ altered }) => altered)
    .map((each) => {
      const failed = failures.filter(({ test }) => test.includes(each.mark)).length
      const ran = titles.filter((title) => title.includes(each.mark)).length
      return { ...each, isRed: failed > 0, isGreen: ran > 0 && failed === 0 }
    })
}

/** A stopped or empty run is `unknown`: the project decides which files run. */
function readCanary(report: TestReport | null, { path, mark }: Canary): Outcome {
  const commands = report?.commands ?? []
  const failures = commands.flatMap((command) => command.failures)
  const failed = failures.filter(({ test }) => test.includes(mark)).length
  const titles = commands.flatMap((command) => command.titles ?? [])
  const ran = titles.filter((title) => title.includes(mark)).length
  if (ran > failed) return 'passed'
  if (failed > 0) return 'failed'
  const isStopped = commands.some(
    ({ timedOut, ended, exitCode, counts }) =>
      timedOut || ended !== undefined || exitCode === null || (exitCode !== 0 && counts === null),
  )
  const isUnloaded = failures.some(({ file, test }) => file === path || test === path)
  const ranAny = titles.length + failures.length > 0
  if (isStopped || !ranAny) return 'unknown'
  return isUnloaded ? 'unloaded' : 'missing'
}
