import { contentAfter, contentBefore } from '../../change/change.ts'
import { importedFiles, isTestFile, sharedFolders } from '../../source/source.ts'
import type { ChangedTree } from '../compare/find-unrun.ts'
import type { TestReport } from '../results/test-report.ts'
import { readOutline } from '../tampering/read-outlines.ts'

/** A test file whose tests were reported to have run. */
export interface TestText {
  readonly path: string
  readonly text: string
  /** Its text without the change; `null` when the change creates it. */
  readonly before: string | null
}

/** Test files worth checking, best ones first. */
export interface Candidates {
  readonly own: readonly TestText[]
  /** Unchanged files that import what the change touches. */
  readonly reaching: readonly TestText[]
  readonly others: readonly TestText[]
}

/** How many files to read; larger projects are read in part. */
const mostRead = 300
const longestText = 100_000
/** How many to choose from the change, and from the others. */
const mostChosen = 2
/** How far to follow imports: a test, an index, what that re-exports, a module. */
const deepest = 4

/** Ends the process, at an unpredictable time. */
const ends = /\bprocess\.(?:exit|kill|abort)\s*\(|\bos\.(?:_exit|kill|abort)\b|\bsys\.exit\b/
const read = /\.(?:[cm]?[jt]sx?|py|rs|java)$|_test\.go$/

/** Finds test files of JavaScript, TypeScript, Python, Go, Rust and Java: small or near ones first. */
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
 * Chooses a few test files that ran in full: some of the change, and unchanged ones that import
 * what it changed; without either, the nearest.
 *
 * @param after the tests' report; `null` before it exists, when every file counts as having run
 */
export async function chooseTests(
  candidates: Candidates,
  after: TestReport | null,
): Promise<readonly TestText[]> {
  const { own, reaching } = candidates
  const found = [...(await ranOf(own, after)), ...(await ranOf(reaching, after))]
  return found.length > 0 ? found : nearestTests(candidates, after)
}

/** Chooses from the files unrelated to the change. */
export const nearestTests = (
  { others }: Candidates,
  after: TestReport | null,
): Promise<readonly TestText[]> => ranOf(others, after)

/** Returns the first files whose own tests ran and in which nothing ends a run early. */
async function ranOf(
  tests: readonly TestText[],
  after: TestReport | null,
): Promise<readonly TestText[]> {
  const titles = (after?.commands ?? []).flatMap((command) => command.titles ?? [])
  // Without reported names, only unchanged files can be compared with themselves.
  const hasNames = titles.length > 0
  const ran = new Set(titles.flatMap((title) => [title, title.replace(/[[(].*$/, '')]))
  const found: TestText[] = []
  for (const test of tests) {
    const { path, text } = test
    if (!isTestFile(path, text) || !read.test(path) || text.length > longestText) continue
    if (ends.test(text)) continue
    const outline = await readOutline(path, text)
    const hasRun = outline.tests.some(
      ({ title, state }) =>
        state === 'runs' && (after === null || (hasNames ? ran.has(title) : test.before === text)),
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
    // Iterating a set also visits elements that are added meanwhile.
    for (const each of seen) for (const target of imports.get(each) ?? []) seen.add(target)
    return [...changed].some((each) => seen.has(each))
  }
  const reaching = tests.filter(({ path }) => reaches(path))
  const others = tests.filter((test) => !reaching.includes(test))
  return { reaching: reaching.sort((a, b) => a.text.length - b.text.length), others }
}
