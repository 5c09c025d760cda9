import {
  counterparts,
  exampleTest,
  importedFiles,
  type NamedFiles,
} from '../../../packages/source/source.ts'
import { countOf, nameSome } from '../../../packages/text/text.ts'
import type { ContextBudget, TokenAllowance } from './context-budget.ts'
import type { FoundCode } from './find-code.ts'
import type { RankedCode, RankedFile } from './rank-code.ts'
import { LEAST_SHARE, similarFiles } from './similar-files.ts'

type Texts = ReadonlyMap<string, string>

export interface Library {
  readonly paths: readonly string[]
  /** Paths that may be shown although the task does not name them. */
  readonly readable: readonly string[]
  /** Reads texts to show. */
  read(paths: readonly string[]): Promise<Texts>
  /** Reads raw texts to search in: stripping hidden text takes time. */
  search(paths: readonly string[]): Promise<Texts>
}

const TEST: TokenAllowance = { whole: 600, outline: 400 }
const IMPORTED: TokenAllowance = { whole: 300, outline: 250 }
const SIMILAR: TokenAllowance = { whole: 800, outline: 500 }
const EXAMPLE: TokenAllowance = { whole: 250, outline: 0 }
/** For the files that an index finds, best first; the last is for all others. */
const FOUND = [800, 500, 400, 300]
const MOST_FOUND = 20
const MOST_BESIDE = 2

/** Files that the task does not name are added only up to this sum: shorter prompts are better. */
const HELPFUL_TOKENS = 3_000

export async function placeAll(
  paths: readonly string[],
  allowance: TokenAllowance,
  library: Library,
  budget: ContextBudget,
  why: string,
): Promise<void> {
  const texts = await library.read(paths.filter((path) => !budget.has(path)))
  for (const path of paths) {
    const text = texts.get(path)
    if (text !== undefined) budget.place(path, text, allowance, why)
  }
}

interface Sought {
  readonly words: readonly string[]
  readonly names: readonly string[]
  /** What an index found; `null` without one. */
  readonly code: FoundCode | null
}

/** Adds tests, imports and similar files, most useful first. */
export async function placeHelpful(
  named: NamedFiles,
  sought: Sought,
  library: Library,
  budget: ContextBudget,
): Promise<void> {
  const reserve = budget.left - Math.min(budget.left, HELPFUL_TOKENS)
  budget.left -= reserve
  const subjects = [...named.scope, ...named.mentioned, ...named.fresh]
  const tests = subjects.flatMap((path) => counterparts(path, library.readable).slice(0, 2))
  await placeAll(tests, TEST, library, budget, 'tests a file of the task')
  const imported = importsOf(budget, library)
  await placeAll(imported, IMPORTED, library, budget, 'a file above imports it')
  const hasCode = budget.files.length > 0
  // A task with its file and its tests is known: every other file distracts a weak model.
  const isKnown = hasCode && tests.some((path) => budget.has(path))
  if (!isKnown) await placeOthers(named, sought, library, budget)
  budget.left += reserve
}

/** Similar code, and an example of a test. */
async function placeOthers(
  named: NamedFiles,
  sought: Sought,
  library: Library,
  budget: ContextBudget,
): Promise<void> {
  const hasCode = budget.files.length > 0
  if (sought.code === null) await placeSimilar(sought, hasCode ? 2 : 4, library, budget)
  else await placeFound(hasCode ? nearest(sought.code, budget) : sought.code, library, budget)
  const example = exampleTest(named.fresh, budget.files, library.readable)
  await placeAll(example, EXAMPLE, library, budget, 'an example of a test')
}

async function placeSimilar(
  sought: Sought,
  most: number,
  library: Library,
  budget: ContextBudget,
): Promise<void> {
  const others = library.readable.filter((path) => !budget.has(path))
  const similar = await similarFiles(sought, others, library.search)
  const why = "it holds the task's words"
  await placeAll(similar.slice(0, most), SIMILAR, library, budget, why)
}

/** Beside the task's own files: two more, if they are about it nearly as much as the best. */
function nearest({ files, weights }: RankedCode, budget: ContextBudget): RankedCode {
  const least = (files[0]?.score ?? 0) * LEAST_SHARE
  const needed = Math.min(2, weights.size)
  const near = files.filter(
    ({ path, score, words }) => !budget.has(path) && score >= least && words.length >= needed,
  )
  return { files: near.slice(0, MOST_BESIDE), weights }
}

async function placeFound(
  { files, weights }: RankedCode,
  library: Library,
  budget: ContextBudget,
): Promise<void> {
  const best = files.filter(({ path }) => !budget.has(path)).slice(0, MOST_FOUND)
  const texts = await library.read(best.map(({ path }) => path))
  for (const [index, file] of best.entries()) {
    const text = texts.get(file.path)
    const room = FOUND[index] ?? FOUND.at(-1) ?? 0
    if (text === undefined) continue
    const found = { weights, parts: file.parts, why: reasonOf(file) }
    if (!budget.placeParts(file.path, text, room, found)) break
  }
}

function reasonOf({ words, commits }: RankedFile): string {
  const held = words.length > 0 ? [`it holds ${nameSome(words, 6)}`] : []
  const before =
    commits > 0 ? [`${countOf(commits, 'earlier commit')} with such words changed it`] : []
  return [...held, ...before].join('; ')
}

function importsOf(budget: ContextBudget, { paths }: Library): readonly string[] {
  const known = new Set(paths)
  return budget.files.flatMap(({ path, text }) =>
    importedFiles(path, text, (target) => known.has(target)),
  )
}
