/** The places that a commit changes, and whether a prompt shows one of them. */
import { gitBytes } from '../../harness/git.ts'
import type { Subject } from './subjects.ts'

/** Lines of a file before the commit, 1-based, with one line on each side. */
export interface Place {
  readonly path: string
  readonly first: number
  readonly last: number
  /** The line that declares the symbol around it, by git's own rules for the language. */
  readonly symbol: string | null
}

/** git's names for the languages whose declarations it knows, and an expression for the others. */
const attributes = ['*.py diff=python', '*.go diff=golang', '*.rs diff=rust', '*.rb diff=ruby']
const script =
  '^[ \\t]*((export|default|async|static|abstract|public|private|protected|const|let|function|class|interface|type)[ \\t].*)$'
const scripts = ['js', 'ts', 'tsx', 'mjs', 'cjs', 'vue'].map((end) => `*.${end} diff=bench`)
export const attributesText = `${[...attributes, ...scripts].join('\n')}\n`

const imports = /^[-+]?\s*(?:import\b|from\s+\S+\s+import\b|use\s|require\b|\}\s*from\b|$)/

/** @param file with `attributesText` */
export async function readPlaces(subject: Subject, file: string): Promise<readonly Place[]> {
  const { clone, parent, sha, changed } = subject
  const bytes = await gitBytes(
    clone,
    ...['-c', `core.attributesFile=${file}`, '-c', `diff.bench.xfuncname=${script}`],
    ...['diff-tree', '-p', '-U0', '--no-renames', '--no-color', '--no-ext-diff', parent, sha],
    ...['--', ...changed],
  )
  const places: Place[] = []
  let path = ''
  for (const hunk of bytes.toString('utf8').split(/^(?=@@ |diff --git )/m)) {
    if (hunk.startsWith('diff --git')) path = /^--- a\/(.*)$/m.exec(hunk)?.[1] ?? ''
    const found = /^@@ -(\d+)(?:,(\d+))? \+\S+ @@ ?(.*)\n/.exec(hunk)
    if (found === null) continue
    const [head, from = '', lines = '1', symbol = ''] = found
    // Imports follow from the change elsewhere.
    if (
      hunk
        .slice(head.length)
        .trimEnd()
        .split('\n')
        .every((line) => imports.test(line))
    )
      continue
    const start = Number(from)
    const last = lines === '0' ? start + 1 : start + Number(lines)
    places.push({ path, first: start - (lines === '0' ? 0 : 1), last, symbol: symbol || null })
  }
  return places
}

interface Shown {
  readonly path: string
  readonly text: string
  readonly whole: boolean
}

/**
 * The changed files of which these texts show a changed line, one beside it, or the declaration around it.
 *
 * @param texts of the changed files before the commit
 */
export function filesFound(
  shown: readonly Shown[],
  places: readonly Place[],
  texts: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { path, text } of shown) {
    const own = places.filter((place) => place.path === path)
    const source = texts.get(path)?.split(/\r?\n/)
    if (own.length === 0 || source === undefined) continue
    const lines = linesShown(text, source)
    const isSeen = ({ first, last, symbol }: Place) => {
      const declared = symbol === null ? -1 : declaredAt(source, first, symbol)
      return lines.has(declared) || between(first, last).some((line) => lines.has(line))
    }
    if (own.some(isSeen)) found.add(path)
  }
  return found
}

/** The line numbers that a text with marked gaps shows; lines that are not the file's do not count. */
function linesShown(text: string, source: readonly string[]): ReadonlySet<number> {
  const shown = new Set<number>()
  let at = 1
  for (const line of text.split(/\r?\n/)) {
    const gap = /^… (\d+) lines? …$/.exec(line)
    if (gap !== null) at += Number(gap[1])
    else {
      if (line !== '' && source[at - 1]?.startsWith(line)) shown.add(at)
      at += 1
    }
  }
  return shown
}

/** git cuts a long declaration. */
function declaredAt(source: readonly string[], before: number, symbol: string): number {
  for (let line = Math.min(before, source.length); line > 0; line -= 1) {
    if ((source[line - 1] ?? '').trim().startsWith(symbol.trim())) return line
  }
  return -1
}

const between = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset)
