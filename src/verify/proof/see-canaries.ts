import type { ChangeSet } from '../../core/domain/change-set.ts'
import type { TestReport } from '../../core/domain/test-report.ts'
import type { Ports } from '../../core/ports.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import { detectSuites, onFiles } from '../detect/detect-suites.ts'
import type { TestRunner } from '../detect/suite.ts'
import { readRepository } from '../prepare/plan-dependencies.ts'
import type { StartCommit } from '../run/baseline.ts'
import { reportOf, verifyCommit } from '../run/verify-folder.ts'
import { type Canary, writeCanary } from './canary-text.ts'
import { chooseTests, findCandidates, nearestTests, type TestText } from './choose-tests.ts'

export type ProofPorts = Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock' | 'random'>

/** A test file, and the runner that runs it; a guess where the project's script hides it. */
type Copied = TestText & { readonly runner: TestRunner; readonly isGuess: boolean }

/** What a report says of tests that have to fail; `unknown` where it says nothing of any test. */
type Told = 'failed' | 'passed' | 'missing' | 'unloaded' | 'unknown'

/**
 * Tests of ours that have to fail, run with the change in copies of test files: whatever puts itself in the
 * place of assertions, of the runner or of its report when the project's code is loaded or called does so to
 * them. They run by themselves: in the run that counts they would hide its exit code, end it where it stops at
 * the first failure, and leave snapshots behind.
 *
 * Where one does not fail, the same is tried without the change: only where it fails there is it the change that
 * answers for it. A project in which no such test can be seen to fail is left alone.
 *
 * The first look does not need to know what the project's tests say.
 *
 * @returns what judges them: why their report cannot be trusted, `null` where nothing speaks against it
 */
export async function seeCanaries(
  start: StartCommit,
  tree: ChangedTree,
  ports: ProofPorts,
  signal: AbortSignal,
): Promise<(after: TestReport) => Promise<string | null>> {
  const look = (tests: readonly Copied[], changes: ChangeSet) =>
    toldOf(tests, start, changes, ports, signal)
  const candidates = await findCandidates(tree)
  const runnable = async (tests: Promise<readonly TestText[]>) =>
    withRunners(await tests, start, tree, ports)
  const seen = await look(await runnable(chooseTests(candidates, null)), tree.changes)
  return async (after) => {
    if (after.commands.length === 0) return null
    const copied = await runnable(chooseTests(candidates, after))
    const late = await look(without(copied, seen), tree.changes)
    const chosen = new Set(copied.map(({ path }) => path))
    const told = [...seen, ...late].filter(({ test }) => chosen.has(test.path))
    // A test of the change may see to it that no copy of it loads: then others speak for the runner.
    const isOpen = !told.some((each) => each.told === 'failed')
    const spare =
      isOpen || told.some(isSilent) ? await runnable(nearestTests(candidates, after)) : []
    const beside = isOpen ? await look(without(spare, told), tree.changes) : []
    const first = [...told, ...beside].filter(isSilent)
    const again = await look(
      first.map(({ test }) => test),
      tree.changes,
    )
    for (const { test, told } of again.filter(isSilent)) {
      const old = [test, ...copied, ...spare].find(({ before }) => before !== null)
      // Where the change brings in the first tests there is nothing to compare with.
      if (old?.before == null) return describe(test, told)
      const before = await look([{ ...old, text: old.before }], [])
      if (before.some((each) => each.told === 'failed')) return describe(test, told)
    }
    return null
  }
}

const without = (tests: readonly Copied[], seen: readonly Seen[]): readonly Copied[] =>
  tests.filter(({ path }) => !seen.some(({ test }) => test.path === path))

interface Seen {
  readonly test: Copied
  readonly told: Told
}

/** A copy that cannot be loaded is to be compared with itself: a test of the change may not bear a copy. */
const isSilent = ({ test, told }: Seen): boolean =>
  told === 'passed' ||
  told === 'missing' ||
  (told === 'unloaded' && !test.isGuess && test.before === test.text)

const whatTold = {
  passed: 'was told as passed',
  missing: 'was not told of',
  unloaded: 'could not be loaded',
  failed: 'failed',
  unknown: 'said nothing',
} as const satisfies Record<Told, string>

const describe = ({ path }: TestText, told: Told): string => {
  const what = whatTold[told]
  return `The tests' report cannot be trusted: a test of ours that has to fail ${what} in a copy of ${path}. Something in this change answers in the place of the tests, of what they assert with, or of their runner. Take it out.`
}

/** Those that a runner can be given. */
async function withRunners(
  tests: readonly TestText[],
  { task }: StartCommit,
  { paths, read }: ChangedTree,
  { settings }: ProofPorts,
): Promise<readonly Copied[]> {
  if (tests.length === 0) return []
  const repository = await readRepository(paths, read)
  const suites = detectSuites(repository, settings.verify, task)
  const known = new Set(paths)
  return tests.flatMap((test) => {
    const on = suites.flatMap((suite) => {
      const [own] = onFiles(repository, suite, [test.path], (path) => known.has(path))
      return own === undefined ? [] : [{ runner: own.runner, isGuess: suite.runner !== own.runner }]
    })
    return on.slice(0, 1).map((each) => ({ ...test, ...each }))
  })
}

async function toldOf(
  tests: readonly Copied[],
  start: StartCommit,
  changes: ChangeSet,
  ports: ProofPorts,
  signal: AbortSignal,
): Promise<readonly Seen[]> {
  const canaries = tests.flatMap((test) => {
    const canary = writeCanary(test, test.runner, [word(ports), word(ports)])
    return canary === null ? [] : [{ test, canary }]
  })
  if (canaries.length === 0) return []
  const added = canaries.map(({ canary: { path, text } }) => {
    return { action: 'create', path, content: text } as const
  })
  const choice = { files: added.map(({ path }) => path), signal }
  const verified = await verifyCommit('canary', start, [...changes, ...added], ports, choice)
  const report = reportOf(verified)
  return canaries.map(({ test, canary }) => ({ test, told: readCanary(report, canary) }))
}

const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to vu za'.split(' ')

/** Nothing of its form tells it from a word: `kedimona`. */
const word = ({ random }: ProofPorts): string =>
  [...random.hex(4 + Math.floor(random.fraction() * 3))]
    .map((digit) => syllables[Number.parseInt(digit, 16)])
    .join('')

/** A run that was stopped, or in which nothing ran, says nothing: which files are run is the project's affair. */
function readCanary(report: TestReport | null, { path, mark }: Canary): Told {
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
