import type { ChangeSet } from '../../core/domain/change-set.ts'
import type { TestReport } from '../../core/domain/test-report.ts'
import { clip, nameSome, oneLine } from '../../text/words/words.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import { baselineOn, type StartCommit } from '../run/baseline.ts'
import { reportOf, verifyCommit } from '../run/verify-folder.ts'
import { type Candidates, chooseTests, type TestText } from './choose-tests.ts'
import type { PlainCall, PlainCalls } from './plain-call.ts'
import { writePlainCalls } from './plain-calls.ts'
import type { ProofPorts } from './see-canaries.ts'
import { word } from './words.ts'

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
  signal: AbortSignal,
  found: Promise<Candidates>,
): Promise<(after: TestReport) => readonly string[]> {
  // A setup command would run again.
  if (ports.settings.verify.setupCommand !== null) return () => []
  const known = new Set(tree.paths)
  const place = {
    exists: (path: string) => known.has(path),
    read: async (path: string) => (await tree.read([path])).get(path),
  }
  const otherIn = async ({ path, text, argv, calls }: PlainCalls, mark: string, on: ChangeSet) => {
    const file = { action: 'create', path, content: text } as const
    const choice = { look: { argv, display: 'calls outside of the tests' }, signal }
    const report = reportOf(await verifyCommit('plain', start, [...on, file], ports, choice))
    const lines = (report?.commands ?? []).flatMap(({ tail }) => tail.split('\n'))
    // A program that does not reach its end says nothing.
    return lines.includes(`${mark}:end`)
      ? calls.filter((_, index) => lines.includes(`${mark}:${index}`)).map(keyOf)
      : []
  }
  const judge = async (test: TestText): Promise<readonly OtherCalls[]> => {
    const [name, mark] = [word(ports), word(ports)]
    const plain = await writePlainCalls({ ...test, ...place }, [name, mark])
    if (plain === null || known.has(plain.path)) return []
    const other = await otherIn(plain, mark, tree.changes)
    const told = other.length === 0 ? [] : without(other, await oldOthers(test, plain, mark))
    return told.length === 0 ? [] : [{ test, told }]
  }
  /** What the start commit returned otherwise, though its tests were green: they need something that is not there. */
  const oldOthers = async ({ path, text, before }: TestText, plain: PlainCalls, mark: string) => {
    if (before === null) return []
    if (isRed(reportOf(await baselineOn(start, ports)), { path })) return []
    const old = await writePlainCalls({ path, text: before, ...place }, [mark, mark])
    const had = new Set(before === text ? plain.calls.map(keyOf) : old?.calls.map(keyOf))
    return (await otherIn(plain, mark, [])).filter((each) => had.has(each))
  }
  const tests = await chooseTests(await found, null)
  const seen = (await Promise.all(tests.map(judge))).flat()
  // Where a test is red, it sees the other value itself.
  return (after) =>
    seen.filter(({ test }) => !isRed(after, test)).map(({ test, told }) => describe(test, told))
}

interface OtherCalls {
  readonly test: TestText
  readonly told: readonly string[]
}

/** True where a test of this file fails, or one of an unknown file. */
const isRed = (report: TestReport | null, { path }: Pick<TestText, 'path'>): boolean =>
  (report?.commands ?? []).some(({ failures }) =>
    failures.some(({ file }) => file === null || file === path),
  )

const keyOf = ([actual, expected]: PlainCall): string =>
  `${clip(oneLine(actual), longestCall)} is not ${clip(oneLine(expected), longestCall)}`

const without = (all: readonly string[], others: readonly string[]): readonly string[] =>
  all.filter((each) => !others.includes(each))

const describe = ({ path }: TestText, calls: readonly string[]): string =>
  `Outside of the tests, calls of ${path} return other values: ${nameSome(calls, mostNamed)}. The code may be right only where it is tested, or depend on a variable, a setting or an earlier call. A person has to look at it.`
