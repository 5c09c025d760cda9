import type { TreeEntry } from '../../../packages/change/change.ts'
import { findNamedFiles, followsVerb, isTestFile } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import { identifiersIn, splitWords } from '../../../packages/text/text.ts'
import type { Plan } from '../../core/domain/attempt.ts'

/** Number of files whose contents are searched; in a larger repository, those with the best paths. */
export const MOST_READ = 60
const MOST_BYTES = 60_000
/** A file that scores below this share of the best is not about the task. */
export const LEAST_SHARE = 0.4

/** Also without the executor's own settings, which name tasks and files but are none of a task's business. */
const NOT_CODE =
  /^\.github\/executor\.ya?ml$|(^|\/)(node_modules|vendor|dist|build|\.git|__snapshots__|fixtures)\/|\.(md|markdown|mdx|rst|txt|adoc|lock|map|snap|svg|csv|min\.js|min\.css|d\.ts)$|(^|\/)(package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|go\.sum)$/i
const BINARY =
  /\.(png|jpe?g|gif|webp|ico|bmp|pdf|zip|gz|tgz|tar|7z|jar|wasm|woff2?|ttf|otf|eot|mp[34]|mov|avi|exe|dll|so|dylib|class|pyc|db|sqlite3?)$/i

/** True for text that people read. */
export const isDocument = (path: string): boolean =>
  /\.(?:md|markdown|mdx|rst|txt|adoc)$/i.test(path)

/** Paths of code worth reading although the task does not name them. A roadmap has the words of every task. */
export function readablePaths(
  files: readonly TreeEntry[],
  roadmap: string,
  mostBytes = MOST_BYTES,
): readonly string[] {
  return files
    .filter(({ path, mode, size }) => {
      const plain = mode.startsWith('100') && size <= mostBytes
      return plain && path !== roadmap && !NOT_CODE.test(path) && !BINARY.test(path)
    })
    .map(({ path }) => path)
}

/** The paths with most of these words, best first. */
export function likelyPaths(
  words: readonly string[],
  paths: readonly string[],
  most = 5,
): readonly string[] {
  const ranked = rankFiles(
    words,
    paths.map((path) => ({ path, text: '' })),
  )
  return ranked.slice(0, most).map(({ path }) => path)
}

/**
 * Finds the few files with most of these words, best first. One common word means little, unless the task marks it as
 * a name of the code (`parse()` in backticks) and the file has exactly that name.
 */
export async function similarFiles(
  { words, names }: { readonly words: readonly string[]; readonly names: readonly string[] },
  paths: readonly string[],
  read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<readonly string[]> {
  const pool = paths.length <= MOST_READ ? paths : likelyPaths(words, paths, MOST_READ)
  const texts = await read(pool)
  const ranked = rankFiles(
    words,
    [...texts].map(([path, text]) => ({ path, text })),
  )
  const least = (ranked[0]?.score ?? 0) * LEAST_SHARE
  const needed = Math.min(2, new Set(words).size)
  const isNamed = (path: string) =>
    names.some((name) => identifiersIn(texts.get(path) ?? '').includes(name))
  return ranked
    .filter(({ path, score, matched }) => score >= least && (matched >= needed || isNamed(path)))
    .map(({ path }) => path)
}

interface Ranked {
  readonly path: string
  readonly score: number
  /** How many of the wanted words the file has. */
  readonly matched: number
}

/** BM25's usual constants: how soon repetition stops counting, and how much length counts against a file. */
const SATURATION = 1.2
const LENGTH_WEIGHT = 0.75
/** A word in a path weighs more than one in a text. */
const PATH_WEIGHT = 4

/**
 * Ranks files by the wanted words (BM25, path words weighted), best first, without files that have none. `text` may
 * be empty when only the path is known.
 */
function rankFiles(
  wanted: readonly string[],
  files: readonly { readonly path: string; readonly text: string }[],
): readonly Ranked[] {
  const query = new Set(wanted)
  const counted = files.map(({ path, text }) => count(path, text, query))
  const average = counted.reduce((sum, file) => sum + file.length, 0) / (counted.length || 1) || 1
  const weights = new Map(
    [...query].map((word) => {
      const holding = counted.filter(({ found }) => found.has(word)).length
      return [word, Math.log(1 + (counted.length - holding + 0.5) / (holding + 0.5))]
    }),
  )
  const scored = counted.map(({ path, length, found }) => {
    const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / average)
    let score = 0
    for (const [word, times] of found) {
      score += ((weights.get(word) ?? 0) * times * (SATURATION + 1)) / (times + norm)
    }
    return { path, score, matched: found.size }
  })
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
}

function count(path: string, text: string, query: ReadonlySet<string>) {
  const found = new Map<string, number>()
  const words = splitWords(text)
  const add = (word: string, times: number) => {
    if (query.has(word)) found.set(word, (found.get(word) ?? 0) + times)
  }
  for (const word of words) add(word, 1)
  for (const word of splitWords(path)) add(word, PATH_WEIGHT)
  return { path, length: words.length + 10, found }
}

/** A file named after these is read, not written. */
const readAfter =
  /\b(?:from|like|see|as in|similar to|us(?:e|es|ing)|imports?|importing|calls?|calling|reads?|according to|per|following|(?:described|defined|specified|explained|given) (?:in|by)|for|with|of)\s+(?:the\s+)?(?:[\w-]+\s+)?[`"'([]*$/i

/** So is one that a clause with "as" refers to: "as `spec.md` says", "as `price.js` does". */
const asBefore = /\bas\s+(?:the\s+)?(?:file\s+)?[`"'([]*$/i
const asAfter =
  /^[`"')\]]*\s+(?:says?|does|describes?|defines?|explains?|specifies|shows?|lists?|states?|requires?|expects?|prescribes?)\b/i

/** And a document beside code that has the rules: "what `spec.md` requires", "the rules are in `spec.md`". */
const rulesBefore = /\b(?:what|whatever|which|how)\s+(?:the\s+)?(?:file\s+)?[`"'([]*$/i
const rulesIn = /\b(?:is|are)\s+in\s+(?:the\s+)?(?:file\s+)?[`"'([]*$/i

function isRead(path: string, prose: string, isBesideCode: boolean): boolean {
  if (followsVerb(path, prose, readAfter) || followsVerb(path, prose, asBefore, asAfter))
    return true
  if (!isBesideCode || !isDocument(path)) return false
  return followsVerb(path, prose, rulesIn) || followsVerb(path, prose, rulesBefore, asAfter)
}

/**
 * The files that an answer has to write, where that is certain: those of the `**Files**` line or of the plan, or the only
 * one that the task's words name. Empty where the words leave it open.
 */
export function findTargets(
  task: Task,
  plan: Plan | null,
  paths: readonly string[],
): readonly string[] {
  const judged = { ...task, accept: [], verify: null }
  const { scope, mentioned, fresh } = findNamedFiles(judged, [], paths)
  if (task.files.length > 0) {
    const named = [
      ...scope,
      ...fresh.filter((path) => task.files.some((file) => file.endsWith(path))),
    ]
    return task.files.some((file) => /[*?{}[\]!]|\/$/.test(file)) ? [] : [...new Set(named)]
  }
  if (plan !== null && plan.files.length > 0) return plan.files
  const prose = `${task.title}\n${task.details}`
  const isShort = (path: string) => mentioned.some((other) => other.startsWith(`${path}.`))
  const all = [...mentioned, ...fresh.filter((path) => !isShort(path))]
  const namesCode = all.some((path) => !isDocument(path))
  const named = all.filter((path) => !isRead(path, prose, namesCode))
  const code = named.filter((path) => !isTestFile(path))
  const [only, ...others] = code.length > 0 ? code : named
  return only !== undefined && others.length === 0 ? [only] : []
}
