import type { ChangeSet } from '../../core/domain/change-set.ts'
import { nameSome } from '../../text/words/words.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import type { StartCommit } from '../run/baseline.ts'
import { reportOf, verifyCommit } from '../run/verify-folder.ts'
import { chooseTests, findCandidates, type TestText } from './choose-tests.ts'
import { type PlainCalls, writePlainCalls } from './plain-calls.ts'
import type { ProofPorts } from './see-canaries.ts'
import { word } from './words.ts'

const mostNamed = 5

/**
 * Makes the calls of the tests near a change outside of any test runner. Code that is right only where it finds that it is
 * tested, in whatever way it does, returns something else there.
 *
 * @returns one sentence for each file with such calls; those that returned something else before the change, too, do not
 *   count
 */
export async function tryPlainCalls(
  start: StartCommit,
  tree: ChangedTree,
  ports: ProofPorts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // A setup command would run again.
  if (ports.settings.verify.setupCommand !== null) return []
  const known = new Set(tree.paths)
  const place = {
    exists: (path: string) => known.has(path),
    read: async (path: string) => (await tree.read([path])).get(path),
  }
  const otherIn = async ({ path, text, argv, calls }: PlainCalls, mark: string, on: ChangeSet) => {
    const file = { action: 'create', path, content: text } as const
    const choice = { look: argv, signal }
    const report = reportOf(await verifyCommit('plain', start, [...on, file], ports, choice))
    const lines = (report?.commands ?? []).flatMap(({ tail }) => tail.split('\n'))
    // A program that does not reach its end says nothing.
    return lines.includes(`${mark}:end`)
      ? calls.filter((_, index) => lines.includes(`${mark}:${index}`))
      : []
  }
  const judge = async (test: TestText): Promise<readonly string[]> => {
    const [name, mark] = [word(ports), word(ports)]
    const plain = await writePlainCalls(test, place, [name, mark])
    if (plain === null || known.has(plain.path)) return []
    const other = await otherIn(plain, mark, tree.changes)
    const old = other.filter((call) => test.before?.includes(call))
    const before = old.length === 0 ? [] : await otherIn(plain, mark, [])
    const told = other.filter((call) => !before.includes(call))
    return told.length === 0 ? [] : [describe(test, told)]
  }
  const tests = await chooseTests(await findCandidates(tree), null)
  return (await Promise.all(tests.map(judge))).flat()
}

const describe = ({ path }: TestText, calls: readonly string[]): string =>
  `Outside of the tests, the code returns other values than ${path} expects: ${nameSome(calls, mostNamed)}. A person has to look at it.`
