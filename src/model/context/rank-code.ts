import { compoundNames } from '../../../packages/source/source.ts'
import { tellingWords } from '../../../packages/text/text.ts'
import type { CodeIndex, FoundPart, PastCommit } from '../../core/ports/code-index.ts'

/** A file that the index finds, with the parts that hold the wanted words. */
export interface RankedFile {
  readonly path: string
  /** 0 to `sum of the weights`; comparable within one question. */
  readonly score: number
  readonly parts: readonly FoundPart[]
  /** The wanted words that it holds. */
  readonly words: readonly string[]
  /** Earlier commits with wanted words in their subjects that changed it. */
  readonly commits: number
}

/** Further words of a long task add little. */
const mostWords = 24

/** What to ask an index about a text: its telling words, and its compound names as one word each. */
export const soughtWords = (prose: string): readonly string[] =>
  [...new Set([...compoundNames(prose), ...tellingWords(prose)])].slice(0, mostWords)

/**
 * The shares of the score, chosen on the subjects of `bench -- --only retrieval --seed 1`: the best part for each word;
 * the best single part; commits with such subjects; how often the file changed lately.
 */
const shareOf = { words: 1, part: 0.5, commits: 1, changes: 0.1 }

export interface RankedCode {
  /** Best first. */
  readonly files: readonly RankedFile[]
  /** How much each wanted word tells: one that few parts hold tells more. */
  readonly weights: ReadonlyMap<string, number>
}

/** Ranks files for these words. */
export function rankCode(index: CodeIndex, words: readonly string[]): RankedCode {
  const found = new Map(words.map((word) => [word, index.partsWith(word)]))
  const files = new Map<string, FoundFile>()
  for (const [word, parts] of found) {
    for (const part of parts) {
      const file = files.get(part.path) ?? { best: new Map(), parts: new Map() }
      files.set(part.path, file)
      file.best.set(word, Math.max(file.best.get(word) ?? 0, part.score))
      const known = file.parts.get(part.first)
      file.parts.set(part.first, { ...part, score: part.score + (known?.score ?? 0) })
    }
  }
  const related = commitsAbout(index.commits, words)
  const shares: readonly (readonly [ReadonlyMap<string, number>, number])[] = [
    [mapOf(files, ({ best }) => sum(best.values())), shareOf.words],
    [mapOf(files, bestPart), shareOf.part],
    [mapOf(related, ({ score }) => score), shareOf.commits],
    [recentChanges(index.commits), shareOf.changes],
  ]
  const scores = addShares(shares)
  const ranked = [...scores]
    .map(([path, score]) => ({
      path,
      score,
      parts: [...(files.get(path)?.parts.values() ?? [])],
      words: [...(files.get(path)?.best.keys() ?? [])],
      commits: related.get(path)?.count ?? 0,
    }))
    .filter(({ words: held, commits }) => held.length > 0 || commits > 0)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
  const weights = mapOf(found, (parts) => 1 / Math.log(3 + parts.length))
  return { files: ranked, weights }
}

interface FoundFile {
  /** The score of the best part for each word. */
  readonly best: Map<string, number>
  /** By their first lines, with the sum of all words. */
  readonly parts: Map<number, FoundPart>
}

const bestPart = ({ parts }: FoundFile): number =>
  [...parts.values()].reduce((most, { score }) => Math.max(most, score), 0)

/** Commits that lie this far back count a third. */
const oldSubject = 700
const oldChange = 300

/** How much earlier commits on these words changed each file; a commit of few words and few files says more. */
function commitsAbout(commits: readonly PastCommit[], wanted: readonly string[]) {
  const counts = new Map(
    wanted.map((word) => [word, commits.filter(({ words }) => words.includes(word)).length]),
  )
  const related = new Map<string, { readonly score: number; readonly count: number }>()
  for (const [age, { words, paths }] of commits.entries()) {
    const held = wanted.filter((word) => words.includes(word))
    if (held.length === 0 || paths.length === 0) continue
    const rarity = sum(
      held.map((word) => Math.log(1 + commits.length / ((counts.get(word) ?? 0) + 0.5))),
    )
    const share = rarity / (new Set(words).size + 4) / Math.sqrt(paths.length)
    for (const path of paths) {
      const { score = 0, count = 0 } = related.get(path) ?? {}
      const aged = share * Math.exp(-age / oldSubject)
      related.set(path, { score: score + aged, count: count + 1 })
    }
  }
  return related
}

function recentChanges(commits: readonly PastCommit[]): ReadonlyMap<string, number> {
  const changes = new Map<string, number>()
  for (const [age, { paths }] of commits.entries()) {
    for (const path of paths) {
      changes.set(path, (changes.get(path) ?? 0) + Math.exp(-age / oldChange))
    }
  }
  return changes
}

/** Sums the shares, each with its highest value as 1. */
function addShares(
  shares: readonly (readonly [ReadonlyMap<string, number>, number])[],
): ReadonlyMap<string, number> {
  const scores = new Map<string, number>()
  for (const [values, weight] of shares) {
    const most = [...values.values()].reduce((a, b) => Math.max(a, b), 0) || 1
    for (const [path, value] of values) {
      scores.set(path, (scores.get(path) ?? 0) + (weight * value) / most)
    }
  }
  return scores
}

const sum = (values: Iterable<number>): number => [...values].reduce((all, each) => all + each, 0)

const mapOf = <T>(map: ReadonlyMap<string, T>, value: (each: T) => number) =>
  new Map([...map].map(([key, each]) => [key, value(each)]))
