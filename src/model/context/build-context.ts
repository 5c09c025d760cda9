import type { TreeEntry } from '../../../packages/change/change.ts'
import { findNamedFiles, isTestFile, type NamedFiles } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import {
  estimateTokens,
  markedNames,
  showTexts,
  tellingWords,
} from '../../../packages/text/text.ts'
import type { ContextFile, Plan } from '../../core/domain/attempt.ts'
import { ContextBudget, leastTokens, type TokenAllowance } from './context-budget.ts'
import { importersNote, type LookUp, lastChangesNote, seekCode } from './find-code.ts'
import { type Library, placeAll, placeHelpful } from './place-helpful.ts'
import { FACT_FILES, projectFacts, projectMap, runnerFact } from './project-map.ts'
import { findTargets, isDocument, likelyPaths, readablePaths } from './similar-files.ts'

type Texts = ReadonlyMap<string, string>

export interface ContextInput {
  readonly task: Task
  readonly plan: Plan | null
  /** Files made by the tasks on which this one depends. A task that names no code is shown them. */
  readonly dependencyFiles?: readonly string[]
  readonly files: readonly TreeEntry[]
  /** Path of the roadmap; only a task that names it is shown it. */
  readonly roadmap: string
  /** Texts of those paths that exist and are text. */
  read(paths: readonly string[]): Promise<Texts>
  /** Asks an index of these files; absent where there is none. */
  readonly lookUp?: LookUp | undefined
  /** Texts as a model may see them; defaults to stripping hidden text. */
  show?(texts: Texts): Texts
  readonly budgetTokens: number
  /**
   * How much to leave out when the task's files do not fit: 1 cuts large files to the lines about the task; 2 also
   * halves the map; 3 also drops some of these files. Defaults to 0.
   */
  readonly scope?: number
}

export type Context =
  | {
      readonly status: 'built'
      /** Facts, notes and paths; compact, for a prompt. */
      readonly map: string
      readonly files: readonly ContextFile[]
      /** The files to write, where that is certain. */
      readonly targets: readonly string[]
      /** Why each file is here, by path. */
      readonly reasons: ReadonlyMap<string, string>
      readonly tokens: number
    }
  /** A file that the task names takes this many tokens even as an outline. */
  | { readonly status: 'too_large'; readonly tokens: number; readonly path: string }

/** Why the context is too large, and how much it may hold. */
export const describeTooLarge = (
  { path, tokens }: Extract<Context, { readonly status: 'too_large' }>,
  budgetTokens: number,
): string =>
  `${path} alone takes ${tokens} tokens even as an outline; the context may hold ${budgetTokens}.`

/** The map's share of the budget; 800 tokens show 2,000 files well enough. */
const MAP_SHARE = 2 / 3
const MAP_TOKENS = 800
/** For a task whose files are all there: it needs no list of the others. */
const KNOWN_MAP_TOKENS = 80

const SCOPE: TokenAllowance = { whole: 3_000, outline: 2_000 }
const MENTIONED: TokenAllowance = { whole: 2_500, outline: 1_500 }

/**
 * Gathers what a model needs for this task, and little more: a map of the project; the files that the task or the
 * plan names (a wrong path becomes the nearest real one, with a note); their tests and imports; and the files, or in
 * large projects the parts of files, with most of the task's words. Tokens are characters / 4.
 */
export async function buildPromptContext(input: ContextInput): Promise<Context> {
  const { task, plan, budgetTokens, scope = 0 } = input
  const paths = input.files.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path)
  const said = findNamedFiles(task, plan?.files ?? [], paths)
  const made = namesCode(said) ? [] : continued(input.dependencyFiles ?? [], paths)
  // Where the task continues others' code, a manifest that it names may be what that reads.
  const found = findTargets(task, plan, paths)
  const targets = made.length > 0 && !found.every(isDocument) ? [] : found
  const isKnown = targets.length > 0 && targets.every((path) => paths.includes(path))
  const mostMap = Math.min(isKnown ? KNOWN_MAP_TOKENS : MAP_TOKENS, budgetTokens * MAP_SHARE)
  const mapTokens = Math.floor(scope < 2 ? mostMap : mostMap / 2)
  const named = { ...said, mentioned: [...said.mentioned, ...made] }
  const prose = [task.title, task.details].join('\n')
  const words = tellingWords(prose)
  const budget = new ContextBudget(budgetTokens - mapTokens, new Set(words))
  const show = input.show ?? ((texts) => showTexts(texts).texts)
  const library: Library = {
    paths,
    read: async (wanted) => show(await input.read(wanted)),
    search: input.read,
    readable: readablePaths(input.files, input.roadmap).filter(
      (path) => !path.startsWith('.github/') || aboutChecks.test(prose),
    ),
  }

  const tooLarge = await placeScope(named.scope, scope, library, budget)
  if (tooLarge) return tooLarge
  await placeAll(said.mentioned, MENTIONED, library, budget, 'the task mentions it')
  await placeAll(made, MENTIONED, library, budget, 'a task that this one depends on made it')
  const code = await seekCode(input, prose, [...named.scope, ...named.mentioned])
  await placeHelpful(named, { words, names: markedNames(prose), code }, library, budget)

  const manifests = await library.read(FACT_FILES.filter((path) => paths.includes(path)))
  const hasTests = paths.some((path) => isTestFile(path))
  const facts = [...projectFacts(manifests), ...(hasTests ? [] : runnerFact(manifests, prose))]
  const about = [importersNote(code), lastChangesNote(code)]
  const notes = [...named.notes, ...about].filter((note) => note !== '')
  const head = [...facts, ...notes].join('\n')
  const shown = budget.files.map(({ path }) => path)
  const left = mapTokens - estimateTokens(head)
  const near = shown.length > 0 ? shown : likelyPaths(words, paths)
  const drawn = projectMap(paths, [...named.scope, ...named.fresh, ...near], left)
  const map = [head, drawn].filter((part) => part !== '').join('\n')
  const tokens = budgetTokens - mapTokens - budget.left + estimateTokens(map)
  return { status: 'built', map, files: budget.files, targets, reasons: budget.reasons, tokens }
}

/** Names, versions and settings, which code may read. */
const isData = (path: string): boolean => /\.(?:json|toml|ya?ml|ini|cfg|lock)$/i.test(path)

const namesCode = ({ scope, mentioned, fresh }: NamedFiles): boolean =>
  scope.length > 0 || [...mentioned, ...fresh].some((path) => !isDocument(path) && !isData(path))

/** A task about what runs on GitHub; for any other, its files only have the words in common. */
const aboutChecks =
  /\b(?:ci|workflows?|actions?|github|pipelines?|dependabot|releas\w*|deploy\w*)\b/i

const mostContinued = 4

/** Of the files that earlier tasks made, the code that is still there. Tests follow with the code that they test. */
const continued = (made: readonly string[], paths: readonly string[]): readonly string[] =>
  made.filter((path) => paths.includes(path) && !isTestFile(path)).slice(0, mostContinued)

const named = 'the task names it'

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
      budget.place(path, text, allowance, named) ||
      (scope > 0 && budget.addExcerpt(path, text, allowance, named))
    if (!isShown && (scope < 3 || budget.files.length === 0)) {
      return { status: 'too_large' as const, tokens: leastTokens(path, text), path }
    }
  }
  return null
}
