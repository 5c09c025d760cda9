import type { ChangeSet } from '../../change/change.ts'
import { clip, nameSome, oneLine } from '../../text/text.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import type { TestReport } from '../results/test-report.ts'
import { baselineOn, type StartCommit } from '../run/baseline.ts'
import { reportOf } from '../run/verify-folder.ts'
import { type Candidates, chooseTests, type TestText } from './choose-tests.ts'
import { writePlainCalls } from './parsed-calls.ts'
import type { PlainCall, PlainCalls, TestInTree } from './plain-call.ts'
import { type ProofPorts, type RunChanged, word } from './run-changed.ts'

const mostNamed = 5
const longestCall = 80

/**
 * Makes the calls of the tests near a change outside of any test runner. Code that is right only where it finds that it is
 * tested, in whatever way it does, returns something else there.
 *
 * @param found test files near the change
 * @returns a judge of the tests' report: one sentence for each file with such calls, unless a test of it is red; what
 *   returned something else before the change, too, does not count
 */
export async function tryPlainCalls(
  start: StartCommit,
  tree: ChangedTree,
  ports: ProofPorts,
  runOn: RunChanged,
  found: Promise<Candidates>,
): Promise<(after: TestReport) => readonly string[]> {
  // A setup command would run again.
  if (ports.settings.verify.setupCommand !== null) return () => []
  const known = new Set(tree.paths)
  const place: Place = {
    exists: (path) => known.has(path),
    read: async (path) => (await tree.read([path])).get(path),
  }
  const tests = await chooseTests(await found, null)
  const programs = (await Promise.all(tests.map((test) => writeProgram(test, place, ports)))).flat()
  const run = (all: readonly Program[], changes: ChangeSet) => findDiffering(all, changes, runOn)
  const now = await run(programs, tree.changes)
  const before = await run([...now.keys()], [])
  const seen: { readonly test: TestText; readonly calls: readonly string[] }[] = []
  for (const [program, calls] of now) {
    // A green test that differs at the start commit, too, needs something that is not there.
    const green = new Set(await greenCalls(program, place, start, ports))
    const alike = (before.get(program) ?? []).filter((call) => green.has(call))
    const others = calls.filter((call) => !alike.includes(call))
    if (others.length > 0) seen.push({ test: program.test, calls: others })
  }
  // Where a test is red, it sees the other value itself.
  return (after) =>
    seen.flatMap(({ test, calls }) => (isRed(after, test) ? [] : [describe(test, calls)]))
}

type Place = Pick<TestInTree, 'exists' | 'read'>

/** The calls of a test file as a program, and the word that starts the lines which it prints. */
interface Program extends PlainCalls {
  readonly test: TestText
  readonly mark: string
}

async function writeProgram(
  test: TestText,
  place: Place,
  ports: ProofPorts,
): Promise<readonly Program[]> {
  const [name, mark] = [word(ports), word(ports)]
  const plain = await writePlainCalls({ ...test, ...place }, [name, mark])
  return plain === null || place.exists(plain.path) ? [] : [{ ...plain, test, mark }]
}

/** Runs programs in one folder; returns those with calls that differ there from what the tests expect. */
async function findDiffering(
  programs: readonly Program[],
  changes: ChangeSet,
  runOn: RunChanged,
): Promise<ReadonlyMap<Program, readonly string[]>> {
  if (programs.length === 0) return new Map()
  const files = programs.map(({ path, text }) => {
    return { action: 'create', path, content: text } as const
  })
  const line = programs.map(({ argv }) => argv.join(' ')).join('; ')
  const look = { argv: ['sh', '-c', line], display: 'calls outside of the tests' }
  const report = await runOn('plain', [...changes, ...files], { look })
  const lines = new Set((report?.commands ?? []).flatMap(({ tail }) => tail.split('\n')))
  const differing = programs.flatMap((program) => {
    const { calls, mark } = program
    const found = calls.filter((_, index) => lines.has(`${mark}:${index}`)).map(keyOf)
    // A program that does not reach its end says nothing.
    return lines.has(`${mark}:end`) && found.length > 0 ? [[program, found] as const] : []
  })
  return new Map(differing)
}

/** The calls that a test file has at the start commit, if its tests are green there. */
async function greenCalls(
  { test: { path, text, before }, calls }: Program,
  place: Place,
  start: StartCommit,
  ports: ProofPorts,
): Promise<readonly string[]> {
  if (before === null || isRed(reportOf(await baselineOn(start, ports)), { path })) return []
  if (before === text) return calls.map(keyOf)
  const old = await writePlainCalls({ path, text: before, ...place }, ['', ''])
  return (old?.calls ?? []).map(keyOf)
}

/** True where a test of this file fails, or one of an unknown file. */
const isRed = (report: TestReport | null, { path }: Pick<TestText, 'path'>): boolean =>
  (report?.commands ?? []).some(({ failures }) =>
    failures.some(({ file }) => file === null || file === path),
  )

const keyOf = ([actual, expected]: PlainCall): string =>
  `${clip(oneLine(actual), longestCall)} is not ${clip(oneLine(expected), longestCall)}`

const describe = ({ path }: TestText, calls: readonly string[]): string =>
  `Outside of the tests, calls of ${path} return other values: ${nameSome(calls, mostNamed)}. The code may be right only where it is tested, or depend on a variable, a setting or an earlier call. A person has to look at it.`
