import { posix } from 'node:path'
import type { ContextFile } from '../../core/domain/attempt.ts'
import { importedFiles } from '../../text/imports/imports.ts'
import { outline, signatureLines } from '../../text/source/outline.ts'
import { counterparts, isTestFile } from '../../text/source/test-files.ts'
import { estimateTokens } from '../../text/words/estimate-tokens.ts'
import { relevantPart } from './relevant-part.ts'

type Texts = ReadonlyMap<string, string>

/** What a repair of failing tests looks at; the texts are as a model may see them. */
export interface FailingCode {
  /** What the attempt wrote and a repair may change. */
  readonly changed: Texts
  /** The failing tests. */
  readonly tests: Texts
  /** Where the failures point: 1-based lines by path, those that are no file of ours included. */
  readonly traced: ReadonlyMap<string, number>
  /** The lines in which the tests fail, and what they say. */
  readonly hint: string
  /** All paths of the tree. */
  readonly paths: readonly string[]
  read(paths: readonly string[]): Promise<Texts>
  /** Tokens for the files: where the tests import the change directly, and where they do not. */
  readonly room: { readonly direct: number; readonly indirect: number }
}

/** The change is shown whatever room there is; half of its files at most fill what another may need. */
const leastForChange = 160
const mostChanged = 4
/** Tokens: an import up to so long is shown whole, a longer one as an outline up to so long. */
const wholeImport = 120
const outlineOfImport = 250
const mostImports = 8
const mostBodies = 4
const longestBody = 30

/**
 * The code to mend, in the order of a prompt: what the attempt wrote; what the failing tests import,
 * two levels deep, short files whole and others as outlines; the bodies that the failures or the
 * failing lines name. Where a fault is not in the change, it is in one of these.
 */
export async function failingCode(input: FailingCode): Promise<readonly ContextFile[]> {
  const { changed, tests, traced, hint, room } = input
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
      const part = relevantPart(path, text, traced.get(path) ?? null, hint, most)
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
  // What a failure points at comes first of what there is room for.
  const bodies = [...bodiesOf(texts, input)].filter((body) => tokensOf(body) <= left / 2).map(spend)
  const outlines: ContextFile[] = []
  for (const [path, text] of [...texts].slice(0, mostImports)) {
    const shown = outlined(path, text, left)
    if (shown !== null) outlines.push(spend(shown))
  }
  const whole = new Set(outlines.flatMap(({ path, whole: isWhole }) => (isWhole ? [path] : [])))
  return [...parts, ...outlines, ...bodies.filter(({ path }) => !whole.has(path))]
}

/** The path, the fence and the note around each. */
const tokensOf = ({ path, text, whole }: ContextFile): number =>
  estimateTokens(path) + estimateTokens(text) + (whole ? 4 : 16)

function outlined(path: string, text: string, left: number): ContextFile | null {
  const whole = { path, text, whole: true }
  if (estimateTokens(text) <= wholeImport && tokensOf(whole) <= left) return whole
  const short = outline(path, text, new Set(), Math.min(left - 20, outlineOfImport))
  return short === null ? null : { path, text: short, whole: false }
}

/** What these import of ours, in the order of the statements. */
function importedBy(texts: Texts, known: ReadonlySet<string>): readonly string[] {
  const found = [...texts].flatMap(([path, text]) => {
    const resolved = importedFiles(path, text, (target) => known.has(target))
    return resolved.length > 0 ? resolved : meantBy(path, text, [...known])
  })
  return [...new Set(found)].filter((path) => !texts.has(path))
}

const importLine =
  /^\s*(?:pub )?(?:use|import|require\w*|include\w*|from|using|#include|mod)\b.*$/gm

/** Languages whose import statements lead to paths. */
const isResolved = /\.(?:[mc]?[jt]sx?|pyi?)$/i

/**
 * Where a language's imports are not resolved: the files of its kind that import lines name by their last
 * word; of a test else those of the same subject, and those beside it.
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

/** Around the lines that failures point at, and the definitions of what the failing lines name. */
function* bodiesOf(texts: Texts, { traced, hint }: FailingCode): Generator<ContextFile> {
  const names = new Set(hint.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? [])
  let count = 0
  for (const [path, text] of texts) {
    if (estimateTokens(text) <= wholeImport) continue
    const lines = text.split('\n')
    const signatures = signatureLines(path, lines)
    const at = traced.get(path)
    const around = at === undefined ? undefined : signatures.findLast((index) => index < at)
    const defined = signatures.filter((index) =>
      (lines[index]?.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).some((word) => names.has(word)),
    )
    const wanted = at === undefined ? defined.slice(0, 2) : [around ?? at - 1]
    for (const index of wanted) {
      if (count++ === mostBodies) return
      yield { path, text: bodyAt(lines, index), whole: false }
    }
  }
}

/** A definition with all that is indented below it, and the line that closes it. */
function bodyAt(lines: readonly string[], start: number): string {
  const depth = indentOf(lines[start] ?? '')
  const rest = lines.slice(start + 1, start + longestBody)
  const end = rest.findIndex((line) => line.trim() !== '' && indentOf(line) <= depth)
  const closes = /^\s*(?:[)}\]]|end\b)/.test(rest[end] ?? '')
  const size = end < 0 ? rest.length : end + (closes ? 1 : 0)
  return [lines[start] ?? '', ...rest.slice(0, size)].join('\n').trimEnd()
}

const indentOf = (line: string): number => line.length - line.trimStart().length
