import { contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { TestReport } from '../../core/domain/test-report.ts'
import { importedFiles } from '../../text/imports/imports.ts'
import { isTestFile, sharedFolders } from '../../text/source/test-files.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import { readOutline } from '../tampering/read-outlines.ts'

/** A test file of which tests were told to have run. */
export interface TestText {
  readonly path: string
  readonly text: string
  /** Its text without the change; `null` where the change brings it in. */
  readonly before: string | null
}

/** Test files that may bear a look, best ones first. */
export interface Candidates {
  readonly own: readonly TestText[]
  /** Left alone by it, and loading what it changed. */
  readonly reaching: readonly TestText[]
  readonly others: readonly TestText[]
}

/** Of more, a project has too many to be read for this. */
const mostRead = 300
const longestText = 100_000
/** Of those in the change, and of the others. */
const mostChosen = 2
/** Imports are followed so far: a test, an index, what that brings together, a module. */
const deepest = 4

/** Ends the process by itself, at a time that is its own affair. */
const ends = /\bprocess\.(?:exit|kill|abort)\s*\(|\bos\.(?:_exit|kill|abort)\b|\bsys\.exit\b/
const read = /\.(?:[cm]?[jt]sx?|py)$/

/** Test files of JavaScript, TypeScript or Python: small ones first, or those near to the change. */
export async function findCandidates(tree: ChangedTree): Promise<Candidates> {
  const { changes, paths } = tree
  const changed = new Set(changes.map(({ path }) => path))
  const own = changes.flatMap((change) => {
    const text = contentAfter(change)
    return text === undefined
      ? []
      : [{ path: change.path, text, before: contentBefore(change) ?? null }]
  })
  const nearness = (path: string) =>
    Math.max(...[...changed].map((each) => sharedFolders(path, each)))
  const near = paths
    .filter((path) => isTestFile(path) && read.test(path) && !changed.has(path))
    .map((path) => ({ path, near: nearness(path) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, mostRead)
  const texts = await tree.read(near.map(({ path }) => path))
  const old = [...texts].map(([path, text]) => ({ path, text, before: text }))
  return { own, ...(await splitByReach(old, changed, tree)) }
}

/**
 * A few test files that ran, all of their tests free to run: of the change, and of those that it left alone some that
 * load what it changed; where there are none of either, the nearest.
 *
 * @param after what the tests said; `null` before that is known, when each is taken to have run
 */
export async function chooseTests(
  candidates: Candidates,
  after: TestReport | null,
): Promise<readonly TestText[]> {
  const { own, reaching } = candidates
  const found = [...(await ranOf(own, after)), ...(await ranOf(reaching, after))]
  return found.length > 0 ? found : nearestTests(candidates, after)
}

/** Of those that have nothing to do with the change. */
export const nearestTests = (
  { others }: Candidates,
  after: TestReport | null,
): Promise<readonly TestText[]> => ranOf(others, after)

/** The first ones whose own tests ran, and that nothing in them keeps from running to their end. */
async function ranOf(
  tests: readonly TestText[],
  after: TestReport | null,
): Promise<readonly TestText[]> {
  const titles = (after?.commands ?? []).flatMap((command) => command.titles ?? [])
  // Where nobody told names, only what can be compared with itself is chosen.
  const isTold = titles.length > 0
  const ran = new Set(titles.flatMap((title) => [title, title.replace(/[[(].*$/, '')]))
  const found: TestText[] = []
  for (const test of tests) {
    const { path, text } = test
    if (!isTestFile(path) || !read.test(path) || text.length > longestText) continue
    if (ends.test(text)) continue
    const outline = await readOutline(path, text)
    const hasRun = outline.tests.some(
      ({ title, state }) =>
        state === 'runs' && (after === null || (isTold ? ran.has(title) : test.before === text)),
    )
    if (hasRun && outline.only.length === 0) found.push(test)
    if (found.length === mostChosen) break
  }
  return found
}

async function splitByReach(
  tests: readonly TestText[],
  changed: ReadonlySet<string>,
  { paths, read: readAll }: ChangedTree,
) {
  const known = new Set(paths)
  const texts = new Map(tests.map(({ path, text }) => [path, text]))
  const imports = new Map<string, readonly string[]>()
  let front = [...texts.keys()]
  for (let depth = 0; depth < deepest && front.length > 0; depth += 1) {
    const next = new Set<string>()
    for (const path of front) {
      const found = importedFiles(path, texts.get(path) ?? '', (each) => known.has(each))
      imports.set(path, found)
      for (const each of found) next.add(each)
    }
    front = [...next].filter((path) => !imports.has(path)).slice(0, mostRead)
    for (const [path, text] of await readAll(front)) texts.set(path, text)
  }
  const reaches = (path: string): boolean => {
    const seen = new Set([path])
    // A set goes on with what is added to it meanwhile.
    for (const each of seen) for (const target of imports.get(each) ?? []) seen.add(target)
    return [...changed].some((each) => seen.has(each))
  }
  const reaching = tests.filter(({ path }) => reaches(path))
  const others = tests.filter((test) => !reaching.includes(test))
  return { reaching: reaching.sort((a, b) => a.text.length - b.text.length), others }
}
