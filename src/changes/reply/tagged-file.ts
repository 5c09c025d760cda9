import { type KnownPaths, pathOfTag } from './find-path.ts'
import { fenceOf } from './markers.ts'

/** A whole file between two tags, which are a fence in other signs. */
export interface TaggedFile {
  readonly path: string
  readonly lines: readonly string[]
  /** The line behind the closing tag. */
  readonly next: number
}

/** `<file path="src/a.js">`, with the file's first line behind it or below. */
const withPath =
  /^\s*<(file|document|source|code_?file|artifact|boltAction)\s[^<>]*\b(?:file_?)?(?:path|name)\s*=\s*["']([^"'<>]+)["'][^<>]*>(.*)$/i
/** `<content>`, which is one below `<path>src/a.js</path>`. */
const withoutPath = /^\s*<((?:file_?)?contents?)>(.*)$/i
const longestTag = 1_400

interface Opening {
  readonly tag: string
  readonly path: string
  /** What stands behind the tag. */
  readonly rest: string
}

/** The file whose opening tag is this line; `null` where there is none, or no closing tag. */
export function taggedFile(
  lines: readonly string[],
  at: number,
  known: KnownPaths,
): TaggedFile | null {
  const opening = openingAt(lines, at, known)
  if (opening === null) return null
  const close = `</${opening.tag.toLowerCase()}>`
  const isEnd = (line: string) => line.trimEnd().toLowerCase().endsWith(close)
  const inner: string[] = []
  for (let end = at; end < lines.length; end += 1) {
    const line = end === at ? opening.rest : (lines[end] ?? '')
    if (end > at && openingAt(lines, end, known) !== null) return null
    inner.push(isEnd(line) ? line.trimEnd().slice(0, -close.length) : line)
    if (isEnd(line)) return { path: opening.path, lines: withoutWrapping(inner), next: end + 1 }
  }
  return null
}

function openingAt(lines: readonly string[], at: number, known: KnownPaths): Opening | null {
  const line = lines[at] ?? ''
  const named = withPath.exec(line.slice(0, longestTag))
  if (named !== null) {
    const head = named[0].length - (named[3] ?? '').length
    return { tag: named[1] ?? '', path: named[2] ?? '', rest: line.slice(head) }
  }
  const content = withoutPath.exec(line)
  const path = content && pathOfTag(lines[at - 1] ?? '', known)
  return content && path ? { tag: content[1] ?? '', path, rest: content[2] ?? '' } : null
}

/** Without what is left of the tags' own lines, and without CDATA or a fence between the tags. */
function withoutWrapping(lines: readonly string[]): readonly string[] {
  const isText = (line = '') => line.trim() !== ''
  const [from, to] = [lines.findIndex(isText), lines.findLastIndex(isText)]
  const [first = '', last = ''] = [lines[from], lines[to]]
  const isFenced = fenceOf(first) !== null && fenceOf(last)?.info === ''
  const isData = first.trim() === '<![CDATA[' && last.trim() === ']]>'
  if (to > from && (isFenced || isData)) return lines.slice(from + 1, to)
  return lines.slice(isText(lines[0]) ? 0 : 1, isText(lines.at(-1)) ? undefined : -1)
}
