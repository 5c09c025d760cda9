import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** One block of a document, described by its position alone. Lines and columns are 1-based. */
export interface Block {
  /** As mdast names it: `heading`, `paragraph`, `list`, `listItem`, `blockquote`, `html`, `code`, … */
  readonly kind: string
  readonly line: number
  readonly column: number
  /** Inclusive. */
  readonly endLine: number
  /** 1 to 6 for a heading, otherwise 0. */
  readonly depth: number
  readonly children: readonly Block[]
}

// Inline marks never decide the kind of a block, and some take quadratic time on hostile text.
const inlineMarks = `
  attention autolink characterEscape characterReference codeText emailAutolink
  gfmFootnoteCall gfmPotentialFootnoteCall hardBreakEscape htmlText labelEnd
  labelStartImage labelStartLink protocolAutolink strikethrough tasklistCheck wwwAutolink`
const withoutInlineMarks = { disable: { null: inlineMarks.trim().split(/\s+/) } }
const extensions = [gfm(), withoutInlineMarks]
const mdastExtensions = [gfmFromMarkdown()]

/** Parses whole lines into the blocks of GitHub Flavored Markdown. */
export function parseShape(lines: readonly string[]): readonly Block[] {
  const text = `${lines.join('\n')}\n`
  return fromMarkdown(text, { extensions, mdastExtensions }).children.map((node) =>
    toBlock(node, lines),
  )
}

interface Point {
  readonly line: number
  readonly column: number
}

interface MarkdownNode {
  readonly type: string
  readonly depth?: number
  readonly position?: { readonly start: Point; readonly end: Point } | undefined
  readonly children?: readonly MarkdownNode[]
}

const containers = new Set(['list', 'listItem', 'blockquote', 'footnoteDefinition'])

function toBlock(node: MarkdownNode, lines: readonly string[]): Block {
  if (!node.position) throw new Error(`a ${node.type} without a position`)
  const { start, end } = node.position
  const inner = containers.has(node.type) ? (node.children ?? []) : []
  const children = inner.map((child) => toBlock(child, lines))
  return {
    kind: node.type,
    line: start.line,
    column: start.column,
    endLine: children.at(-1)?.endLine ?? lastLine(start, end, lines),
    depth: node.depth ?? 0,
    children,
  }
}

// The parser extends an unclosed fence over blank lines to the start of the next block.
function lastLine(start: Point, end: Point, lines: readonly string[]): number {
  let last = end.column === 1 ? end.line - 1 : end.line
  while (last > start.line && (lines[last - 1] ?? '').trim() === '') last -= 1
  return Math.max(last, start.line)
}

/** A parsed block, and how many lines to shift it down. */
export interface PlacedBlock {
  readonly block: Block
  readonly by: number
}

/** A document is read for its signs and then for its boxes, usually unchanged in between. */
let last: { readonly text: string; readonly blocks: readonly PlacedBlock[] } | null = null

/**
 * The blocks of a whole document, in linear time. They equal those of a single parse, except that a long list comes
 * as several lists. Two measures, which a property test checks against the single parse:
 *
 * - The parser takes superlinear time (70 s for 10,000 tasks), so it gets the document in parts, cut where no block
 *   can continue.
 * - The heads of a part's lines determine its blocks. Parts with the same heads are parsed once, and share their
 *   blocks until `placeBlock` copies one to its lines.
 */
export function placedBlocks({ text, lines }: Source): readonly PlacedBlock[] {
  if (last?.text !== text) last = { text, blocks: parseBlocks(lines) }
  return last.blocks
}

/** The blocks of a whole document, each at its lines. */
export const readBlocks = (source: Source): readonly Block[] => placedBlocks(source).map(placeBlock)

export function placeBlock({ block, by }: PlacedBlock): Block {
  const children = block.children.map((child) => placeBlock({ block: child, by }))
  return { ...block, line: block.line + by, endLine: block.endLine + by, children }
}

function parseBlocks(lines: readonly string[]): readonly PlacedBlock[] {
  const known = new Map<string, readonly Block[]>()
  const cuts = findCuts(lines)
  const blocks: PlacedBlock[] = []
  let from = 0
  while (from < cuts.length - 1) {
    let taken = 1
    let part = parsePart(lines, cuts, from, taken, known)
    while (from + taken < cuts.length - 1 && mayGoOn(part)) {
      taken = Math.min(taken * 2, cuts.length - 1 - from)
      part = parsePart(lines, cuts, from, taken, known)
    }
    for (const block of part) blocks.push({ block, by: cuts[from] ?? 0 })
    from += taken
  }
  return blocks
}

const bulletOrHeading = /^(?:[-*+][ \t]+\S|#{1,6}[ \t])/
const indented = /^[ \t]/

/** Indices of the lines at which a part may start, then the number of lines. */
function findCuts(lines: readonly string[]): number[] {
  const cuts = [0]
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const afterBlank = isBlank(lines[index - 1] ?? '') && !isBlank(line) && !indented.test(line)
    if (afterBlank || bulletOrHeading.test(line)) cuts.push(index)
  }
  cuts.push(lines.length)
  return cuts
}

// A bullet or heading at the margin ends every block above it except code and HTML, and so does a line at the margin
// after a blank line.
function mayGoOn(part: readonly Block[]): boolean {
  const last = part.at(-1)?.kind
  return last === 'code' || last === 'html'
}

function parsePart(
  lines: readonly string[],
  cuts: readonly number[],
  from: number,
  taken: number,
  known: Map<string, readonly Block[]>,
): readonly Block[] {
  const heads = lineHeads(lines.slice(cuts[from], cuts[from + taken]))
  const key = heads.join('\n')
  const part = known.get(key) ?? parseShape(heads)
  known.set(key, part)
  return part
}

const definition = /\]:/
const tableRule = /^[\s\d.)>*+|:-]+$/
const fenceOrTag = /```|~~~|<|^[>\s]*[^>\s].*>/
const headingHead = /^(\s*#{1,6}[ \t]+)\S.*$/
const taskHead = /^([\s\d.)>*+-]*\[[ \txX~/!-]\][ \t]+)\S.*$/
const plainHead = /^([\s\d.)>*+#_=:-]*)[^\s\d.)>*+#_=:[-].*$/

/**
 * Cuts off the words of the lines: only the text before a line's first word affects the blocks. Lines that may open
 * or close a fence or HTML, and parts with a table or a definition, stay whole.
 */
function lineHeads(lines: readonly string[]): readonly string[] {
  const shallow = lines.map(limitDepth)
  if (lines.some((line) => definition.test(line)) || hasTable(lines)) return shallow
  return shallow.map((line) => {
    if (fenceOrTag.test(line)) return line
    const head = headingHead.exec(line) ?? taskHead.exec(line) ?? plainHead.exec(line)
    return head ? `${head[1]}a` : line
  })
}

const hasTable = (lines: readonly string[]): boolean =>
  lines.some((line) => line.includes('|')) && lines.some((line) => tableRule.test(line))

const tooManyMarkers = /^((?:[ \t]{0,9}(?:[-*+>]|\d{1,9}[.)])){100}).*[^-*\s]/
const tooFarRight = /^[ \t]{200}/

// cmark-gfm nests lists at most 100 deep; the same limit keeps hostile text from taking minutes.
function limitDepth(line: string): string {
  if (line.length <= 100) return line
  const head = tooManyMarkers.exec(line)?.[1] ?? tooFarRight.exec(line)?.[0]
  return head === undefined ? line : `${head} a`
}

const isBlank = (line: string): boolean => /^[ \t]*$/.test(line)

/** Splits a document into lines and maps them back to its characters. */

export interface Source {
  readonly text: string
  /** Without line endings and byte order mark. */
  readonly lines: readonly string[]
  /** The offset of each line in the text, in UTF-16 units. */
  readonly starts: readonly number[]
}

const [lineFeed, carriageReturn] = [10, 13]

/** Splits at LF, CRLF and lone CR, the line endings of CommonMark. */
export function splitSource(text: string): Source {
  const starts = lineStarts(text)
  return { text, starts, lines: starts.map((_, index) => lineAt(text, starts, index)) }
}

/** The offset of each line. A loop, since a pattern would create an object for each of 30,000 lines. */
export function lineStarts(text: string): readonly number[] {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== lineFeed && code !== carriageReturn) continue
    if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1
    starts.push(at + 1)
  }
  return starts
}

function lineAt(text: string, starts: readonly number[], index: number): string {
  const start = starts[index]
  if (start === undefined) return ''
  const next = starts[index + 1]
  if (next === undefined) return text.slice(start)
  const isPair = next - start > 1 && text.startsWith('\r\n', next - 2)
  return text.slice(start, next - (isPair ? 2 : 1))
}

/** The ending of the text's first line, which new lines get, too. */
export const lineEnding = (text: string): string => /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'

/** Replaces lines `from` to `to` (1-based; inserts when `to` is before `from`) and keeps every other byte. */
export function withLines(
  text: string,
  from: number,
  to: number,
  fresh: readonly string[],
): string {
  const starts = lineStarts(text)
  const ending = lineEnding(text)
  const end = (starts[to - 1] ?? 0) + lineAt(text, starts, to - 1).length
  const start = to >= from ? text.slice(0, starts[from - 1] ?? 0) : text.slice(0, end) + ending
  return start + fresh.join(ending) + text.slice(end)
}

export function readDetails(lines: readonly string[], first: number, last: number): string {
  const own = lines.slice(first - 1, last)
  const start = own.findIndex((line) => line.trim() !== '')
  if (start === -1) return ''
  const end = own.findLastIndex((line) => line.trim() !== '')
  const shown = own.slice(start, end + 1)
  const indent = commonIndent(shown)
  return shown.map((line) => line.slice(Math.min(indent, indentOf(line)))).join('\n')
}

function commonIndent(lines: readonly string[]): number {
  const [first = '', ...rest] = lines.filter((line) => line.trim() !== '')
  let common = first.slice(0, indentOf(first))
  for (const line of rest) while (!line.startsWith(common)) common = common.slice(0, -1)
  return common.length
}

const indentOf = (line: string): number => line.length - line.trimStart().length
