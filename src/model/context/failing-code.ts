import { posix } from 'node:path'
import {
  counterparts,
  definitionEnd,
  importedFiles,
  isTestFile,
  outline,
  signatureLines,
} from '../../../packages/source/source.ts'
import { estimateTokens, identifiersIn } from '../../../packages/text/text.ts'
import type { ContextFile } from '../../core/domain/attempt.ts'
import { relevantPart, tellingLine } from './relevant-part.ts'

type Texts = ReadonlyMap<string, string>

/** Input for the repair of failing tests; the texts are as a model may see them. */
export interface FailingCode {
  /** Files that the attempt wrote and a repair may change. */
  readonly changed: Texts
  /** The lines that the attempt wrote into files that existed. */
  readonly written: ReadonlyMap<string, ReadonlySet<number>>
  /** The failing tests. */
  readonly tests: Texts
  /** The places that failures name: 1-based lines by path, including paths outside the project. */
  readonly traced: ReadonlyMap<string, number>
  /** The failing lines of the tests, and their messages. */
  readonly hint: string
  /** All paths of the tree. */
  readonly paths: readonly string[]
  read(paths: readonly string[]): Promise<Texts>
  /** Tokens for the files, by whether the tests import the change directly. */
  readonly room: { readonly direct: number; readonly indirect: number }
}

/** Tokens that the change always gets; at most this many of its files may use more. */
const leastForChange = 160
const mostChanged = 4
/** Tokens up to which an import is shown whole, and up to which a longer one is shown as an outline. */
const wholeImport = 120
const outlineOfImport = 240
const mostImports = 8
const mostBodies = 4
const longestBody = 30

/**
 * Selects the code to repair, in the order of a prompt: files that the attempt wrote; files that the failing tests
 * import, two levels deep, short ones whole and others as outlines; bodies that the failures or the failing lines
 * name. A fault outside the change is in one of these.
 */
export async function failingCode(input: FailingCode): Promise<readonly ContextFile[]> {
  const { changed, written, tests, traced, hint, room } = input
  const known = new Set([...input.paths, ...changed.keys()])
  const first = importedBy(tests, known)
  const isDirect = [...first, ...tests.keys()].some((path) => changed.has(path))
  let left = isDirect ? room.direct : room.indirect
  const spend = (file: ContextFile): ContextFile => {
    left -= tokensOf(file)
    return file
  }
  const parts = [...changed]
    .toSorted(([a], [b]) => Number(traced.has(b)) - Number(traced.has(a)))
    .slice(0, mostChanged)
    .flatMap(([path, text], index) => {
      const most = index === 0 ? Math.max(left, leastForChange) : left
      const line = traced.get(path) ?? tellingLine(text, written.get(path) ?? new Set(), hint)
      const part = relevantPart(path, text, line, hint, most)
      return index === 0 || tokensOf(part) <= left ? [spend(part)] : []
    })
  const isShowable = (path: string): boolean => !changed.has(path) && !tests.has(path)
  const named = [...traced.keys()].filter((path) => known.has(path) && isShowable(path))
  const near = first.filter(isShowable)
  const near1 = await input.read([...new Set([...named, ...near])])
  const second = importedBy(new Map([...changed, ...near1]), known).filter(isShowable)
  const texts = new Map([
    ...near1,
    ...(await input.read(second.filter((path) => !near1.has(path)))),
  ])
  // Code that a failure names takes the remaining room first.
  const bodies = [...bodiesOf(texts, input)].filter((body) => tokensOf(body) <= left / 2).map(spend)
  const outlines: ContextFile[] = []
  for (const [path, text] of [...texts].slice(0, mostImports)) {
    const shown = outlined(path, text, left)
    if (shown !== null) outlines.push(spend(shown))
  }
  const whole = new Set(outlines.flatMap(({ path, whole: isWhole }) => (isWhole ? [path] : [])))
  return [...parts, ...outlines, ...bodies.filter(({ path }) => !whole.has(path))]
}

/** Includes the path, the fence and the note around each file. */
const tokensOf = ({ path, text, whole }: ContextFile): number =>
  estimateTokens(path) + estimateTokens(text) + (whole ? 4 : 16)

function outlined(path: string, text: string, left: number): ContextFile | null {
  const whole = { path, text, whole: true }
  if (estimateTokens(text) <= wholeImport && tokensOf(whole) <= left) return whole
  const short = outline(path, text, new Set(), Math.min(left - 20, outlineOfImport))
  return short === null ? null : { path, text: short, whole: false }
}

/** The project's files that these import, in the order of the statements. */
function importedBy(texts: Texts, known: ReadonlySet<string>): readonly string[] {
  const found = [...texts].flatMap(([path, text]) => {
    const resolved = importedFiles(path, text, (target) => known.has(target))
    return resolved.length > 0 ? resolved : meantBy(path, text, [...known])
  })
  return [...new Set(found)].filter((path) => !texts.has(path))
}

const importLine =
  /^[ \t]*(?:pub )?(?:use|import|require\w*|include\w*|from|using|#include|mod)\b.*$/gm

/** Languages whose import statements resolve to paths. */
const isResolved = /\.(?:[mc]?[jt]sx?|pyi?)$/i

/**
 * For languages whose imports do not resolve to paths: files of the same language named like the last word of an
 * import line; for a test without any, files of the same subject and its neighbours.
 */
function meantBy(path: string, text: string, paths: readonly string[]): readonly string[] {
  const ending = posix.extname(path)
  const others = paths.filter(
    (other) => other !== path && posix.extname(other) === ending && !isTestFile(other),
  )
  const words = new Set((text.match(importLine) ?? []).flatMap((line) => line.match(/\w+/g) ?? []))
  const named = others.filter((other) => words.has(posix.basename(other, ending)))
  if (named.length > 0 || !isTestFile(path) || isResolved.test(path)) return named
  const alike = counterparts(path, paths)
  const beside = others.filter((other) => posix.dirname(other) === posix.dirname(path))
  return [...alike, ...beside].slice(0, mostBodies)
}

/** Yields the code around the lines that failures name, and the definitions of names in the failing lines. */
function* bodiesOf(texts: Texts, { traced, hint }: FailingCode): Generator<ContextFile> {
  const names = new Set(identifiersIn(hint).filter(({ length }) => length > 2))
  let count = 0
  for (const [path, text] of texts) {
    if (estimateTokens(text) <= wholeImport) continue
    const lines = text.split('\n')
    const signatures = signatureLines(path, lines)
    const at = traced.get(path)
    const around = at === undefined ? undefined : signatures.findLast((index) => index < at)
    const defined = signatures.filter((index) =>
      identifiersIn(lines[index] ?? '').some((word) => names.has(word)),
    )
    const wanted = at === undefined ? defined.slice(0, 2) : [around ?? at - 1]
    for (const index of wanted) {
      if (count++ === mostBodies) return
      yield { path, text: bodyAt(lines, index), whole: false }
    }
  }
}

/** A definition, cut where it is long. */
const bodyAt = (lines: readonly string[], start: number): string =>
  lines
    .slice(start, Math.min(definitionEnd(lines, start), start + longestBody))
    .join('\n')
    .trimEnd()
