import type { TreeEntry } from '../../core/ports/workspace.ts'
import { rankFiles } from './rank-files.ts'

/** Files whose contents are searched; in a larger repository those of the best paths. */
const MOST_READ = 60
const MOST_BYTES = 60_000
/** A file that scores less than this part of the best is not about the task. */
const LEAST_SHARE = 0.4

const identifiers = /[\p{L}_$][\p{L}\p{N}_$]*/gu

const NOT_CODE =
  /(^|\/)(node_modules|vendor|dist|build|\.git|__snapshots__|fixtures)\/|\.(md|markdown|mdx|rst|txt|adoc|lock|map|snap|svg|csv|min\.js|min\.css|d\.ts)$|(^|\/)(package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|go\.sum)$/i
const BINARY =
  /\.(png|jpe?g|gif|webp|ico|bmp|pdf|zip|gz|tgz|tar|7z|jar|wasm|woff2?|ttf|otf|eot|mp[34]|mov|avi|exe|dll|so|dylib|class|pyc|db|sqlite3?)$/i

/** Paths of code that is worth a look although nobody named it. */
export function readablePaths(files: readonly TreeEntry[]): readonly string[] {
  return files
    .filter(({ path, mode, size }) => {
      const plain = mode.startsWith('100') && size <= MOST_BYTES
      return plain && !NOT_CODE.test(path) && !BINARY.test(path)
    })
    .map(({ path }) => path)
}

/** The paths that hold most of these words, best first. */
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
 * The few files that speak most of these words, best first. One word in common says little, unless
 * the task marks it as a name of the code (`parse()` in back-ticks) and the file has that very name.
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
  const wanted = new Set(names)
  const isNamed = (path: string) =>
    wanted.size > 0 && (texts.get(path)?.match(identifiers) ?? []).some((name) => wanted.has(name))
  return ranked
    .filter(({ path, score, matched }) => score >= least && (matched >= needed || isNamed(path)))
    .map(({ path }) => path)
}
