import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { TestReport } from '../../core/domain/test-report.ts'
import { localImports, resolveImport } from '../../text/imports/imports.ts'
import { sharedFolders } from '../../text/imports/related-tests.ts'
import { isTestFile } from '../tampering/is-test-file.ts'
import { readOutlines } from '../tampering/weakened-tests.ts'

/** A test file of which tests were told to have run. */
export interface TestText {
  readonly path: string
  readonly text: string
  /** Its text without the change; `null` where the change brings it in. */
  readonly before: string | null
}

/** A tree with a change in it, and what its tests said. */
export interface TestedTree {
  readonly changes: ChangeSet
  readonly paths: readonly string[]
  readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly after: TestReport
}

/** Of more, a project has too many to be read for this. */
const mostRead = 300
const longestText = 100_000
/** Of those in the change, and of the others. */
const mostChosen = 2
/** Imports are followed so far: a test, an index, what that brings together, a module. */
const deepest = 4

const read = /\.(?:[cm]?[jt]sx?|py)$/

/**
 * A few test files of JavaScript, TypeScript or Python that ran, all of their tests free to run: of the change,
 * and of those that it left alone the smallest ones that load what it changed, or, where none does, the nearest.
 */
export async function chooseTests(tree: TestedTree): Promise<readonly TestText[]> {
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
    .filter((path) => isTestFile(path, []) && read.test(path) && !changed.has(path))
    .map((path) => ({ path, near: nearness(path) }))
    .sort((a, b) => b.near - a.near)
    .slice(0, mostRead)
  const texts = await tree.read(near.map(({ path }) => path))
  const old = [...texts].map(([path, text]) => ({ path, text, before: text }))
  const reaching = await reachingFirst(old, changed, tree)
  return [...(await ranOf(own, tree)), ...(await ranOf(reaching, tree))]
}

/** The first ones whose own tests ran, and that nothing in them keeps from running to their end. */
async function ranOf(
  tests: readonly TestText[],
  { after }: TestedTree,
): Promise<readonly TestText[]> {
  const titles = after.commands.flatMap((command) => command.titles ?? [])
  // Where nobody told names, only what can be compared with itself is chosen.
  const isTold = titles.length > 0
  const ran = new Set(titles.flatMap((title) => [title, title.replace(/[[(].*$/, '')]))
  const found: TestText[] = []
  for (const test of tests) {
    const { path, text } = test
    if (!isTestFile(path, []) || !read.test(path) || text.length > longestText) continue
    const { after: outline } = await readOutlines(path, undefined, text)
    const hasRun = outline.tests.some(
      ({ title, state }) => state === 'runs' && (isTold ? ran.has(title) : test.before === text),
    )
    if (hasRun && outline.only.length === 0) found.push(test)
    if (found.length === mostChosen) break
  }
  return found
}

async function reachingFirst(
  tests: readonly TestText[],
  changed: ReadonlySet<string>,
  { paths, read: readAll }: TestedTree,
): Promise<readonly TestText[]> {
  const known = new Set(paths)
  const texts = new Map(tests.map(({ path, text }) => [path, text]))
  const importsOf = (path: string): readonly string[] =>
    localImports(path, texts.get(path) ?? '').flatMap(
      (specifier) => resolveImport(path, specifier, (each) => known.has(each)) ?? [],
    )
  const imports = new Map<string, readonly string[]>()
  let front = [...texts.keys()]
  for (let depth = 0; depth < deepest && front.length > 0; depth += 1) {
    for (const path of front) imports.set(path, importsOf(path))
    const next = new Set(front.flatMap((path) => imports.get(path) ?? []))
    front = [...next].filter((path) => !imports.has(path)).slice(0, mostRead)
    for (const [path, text] of await readAll(front)) texts.set(path, text)
  }
  const reaches = (path: string): boolean => {
    const seen = new Set([path])
    // A set goes on with what is added to it meanwhile.
    for (const each of seen) for (const target of imports.get(each) ?? []) seen.add(target)
    return [...changed].some((each) => seen.has(each))
  }
  const { true: first = [], false: rest = [] } = Object.groupBy(tests, ({ path }) =>
    String(reaches(path)),
  )
  return [...first.sort((a, b) => a.text.length - b.text.length), ...rest]
}
