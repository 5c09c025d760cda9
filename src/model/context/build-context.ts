import type { ContextFile, Plan } from '../../core/domain/attempt.ts'
import type { Task } from '../../core/domain/task.ts'
import type { TreeEntry } from '../../core/ports/workspace.ts'
import { showTexts } from '../../text/hidden/show-text.ts'
import { importedFiles } from '../../text/imports/imports.ts'
import { findNamedFiles, type NamedFiles } from '../../text/paths/named-files.ts'
import { counterparts, exampleTest } from '../../text/source/test-files.ts'
import { estimateTokens } from '../../text/words/estimate-tokens.ts'
import { markedNames, tellingWords } from '../../text/words/words.ts'
import { ContextBudget, leastTokens, type TokenAllowance } from './context-budget.ts'
import { FACT_FILES, projectFacts } from './project-facts.ts'
import { projectMap } from './project-map.ts'
import { likelyPaths, readablePaths, similarFiles } from './similar-files.ts'

type Texts = ReadonlyMap<string, string>

export interface ContextInput {
  readonly task: Task
  readonly plan: Plan | null
  readonly files: readonly TreeEntry[]
  /** Path of the roadmap; only a task that names it is shown it. */
  readonly roadmap: string
  /** Texts of those paths that exist and are text. */
  read(paths: readonly string[]): Promise<Texts>
  /** Texts as a model may see them; defaults to stripping hidden text. */
  show?(texts: Texts): Texts
  readonly budgetTokens: number
  /**
   * How much to leave out when the task's files do not fit: 1 cuts large files to the lines about the task; 2 also
   * halves the map; 3 also drops some of these files. Defaults to 0.
   */
  readonly scope?: number
  readonly missingDependenciesNote?: string
}

export type Context =
  | {
      readonly status: 'built'
      /** Facts, notes and paths; compact, for a prompt. */
      readonly map: string
      readonly files: readonly ContextFile[]
      readonly tokens: number
    }
  /** A file that the task names takes this many tokens even as an outline. */
  | { readonly status: 'too_large'; readonly tokens: number; readonly path: string }

/** The map's share of the budget; 800 tokens show 2,000 files well enough. */
const MAP_SHARE = 2 / 3
const MAP_TOKENS = 800

const SCOPE: TokenAllowance = { whole: 3_000, outline: 2_000 }
const MENTIONED: TokenAllowance = { whole: 2_500, outline: 1_500 }
const TEST: TokenAllowance = { whole: 600, outline: 400 }
const IMPORTED: TokenAllowance = { whole: 300, outline: 250 }
const SIMILAR: TokenAllowance = { whole: 800, outline: 500 }
const EXAMPLE: TokenAllowance = { whole: 250, outline: 0 }

/** Files that the task does not name are added only up to this sum: shorter prompts are better. */
const HELPFUL_TOKENS = 3_000

/**
 * Gathers what a model needs for this task, and little more: a map of the project; the files that the task or the
 * plan names (a wrong path becomes the nearest real one, with a note); their tests and imports; and the files with
 * most of the task's words. Tokens are characters / 4.
 */
export async function buildPromptContext(input: ContextInput): Promise<Context> {
  const { task, plan, budgetTokens, scope = 0 } = input
  const mostMap = Math.min(MAP_TOKENS, budgetTokens * MAP_SHARE)
  const mapTokens = Math.floor(scope < 2 ? mostMap : mostMap / 2)
  const paths = input.files.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path)
  const named = findNamedFiles(task, plan, paths)
  const prose = [task.title, task.details].join('\n')
  const words = tellingWords(prose)
  const budget = new ContextBudget(budgetTokens - mapTokens, new Set(words))
  const show = input.show ?? ((texts) => showTexts(texts).texts)
  const library: Library = {
    paths,
    read: async (wanted) => show(await input.read(wanted)),
    search: input.read,
    readable: readablePaths(input.files, input.roadmap),
  }

  const tooLarge = await placeScope(named.scope, scope, library, budget)
  if (tooLarge) return tooLarge
  await placeAll(named.mentioned, MENTIONED, library, budget)
  await placeHelpful(named, { words, names: markedNames(prose) }, library, budget)

  const facts = projectFacts(await library.read(FACT_FILES.filter((path) => paths.includes(path))))
  const notes = [...named.notes, input.missingDependenciesNote ?? ''].filter((note) => note !== '')
  const head = [...facts, ...notes].join('\n')
  const shown = budget.files.map(({ path }) => path)
  const left = mapTokens - estimateTokens(head)
  const near = shown.length > 0 ? shown : likelyPaths(words, paths)
  const drawn = projectMap(paths, [...named.scope, ...named.fresh, ...near], left)
  const map = [head, drawn].filter((part) => part !== '').join('\n')
  const tokens = budgetTokens - mapTokens - budget.left + estimateTokens(map)
  return { status: 'built', map, files: budget.files, tokens }
}

interface Library {
  readonly paths: readonly string[]
  /** Paths that may be shown although the task does not name them. */
  readonly readable: readonly string[]
  /** Reads texts to show. */
  read(paths: readonly string[]): Promise<Texts>
  /** Reads raw texts to search in: stripping hidden text takes time. */
  search(paths: readonly string[]): Promise<Texts>
}

/** Gives each file of the scope its share; large files use what small ones leave. */
async function placeScope(
  paths: readonly string[],
  scope: number,
  library: Library,
  budget: ContextBudget,
) {
  const texts = [...(await library.read(paths))].sort((a, b) => a[1].length - b[1].length)
  for (const [index, [path, text]] of texts.entries()) {
    const share = Math.floor(budget.left / (texts.length - index))
    const allowance = {
      whole: Math.min(SCOPE.whole, share),
      outline: Math.min(SCOPE.outline, share),
    }
    const isShown =
      budget.place(path, text, allowance) || (scope > 0 && budget.addExcerpt(path, text, allowance))
    if (!isShown && (scope < 3 || budget.files.length === 0)) {
      return { status: 'too_large' as const, tokens: leastTokens(path, text), path }
    }
  }
  return null
}

async function placeAll(
  paths: readonly string[],
  allowance: TokenAllowance,
  library: Library,
  budget: ContextBudget,
): Promise<void> {
  const texts = await library.read(paths.filter((path) => !budget.has(path)))
  for (const path of paths) {
    const text = texts.get(path)
    if (text !== undefined) budget.place(path, text, allowance)
  }
}

/** Adds tests, imports and similar files, most useful first. */
async function placeHelpful(
  named: NamedFiles,
  sought: Parameters<typeof similarFiles>[0],
  library: Library,
  budget: ContextBudget,
): Promise<void> {
  const reserve = budget.left - Math.min(budget.left, HELPFUL_TOKENS)
  budget.left -= reserve
  const subjects = [...named.scope, ...named.mentioned, ...named.fresh]
  const tests = subjects.flatMap((path) => counterparts(path, library.readable).slice(0, 2))
  await placeAll(tests, TEST, library, budget)
  await placeAll(importsOf(budget, library), IMPORTED, library, budget)
  const others = library.readable.filter((path) => !budget.has(path))
  const similar = await similarFiles(sought, others, library.search)
  await placeAll(similar.slice(0, budget.files.length > 0 ? 2 : 4), SIMILAR, library, budget)
  const example = exampleTest(named.fresh, budget.files, library.readable)
  await placeAll(example, EXAMPLE, library, budget)
  budget.left += reserve
}

function importsOf(budget: ContextBudget, { paths }: Library): readonly string[] {
  const known = new Set(paths)
  return budget.files.flatMap(({ path, text }) =>
    importedFiles(path, text, (target) => known.has(target)),
  )
}
