import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** One block of a document, told by its place alone. Lines and columns are 1-based. */
export interface Block {
  /** As mdast names it: `heading`, `paragraph`, `list`, `listItem`, `blockquote`, `html`, `code`, … */
  readonly kind: string
  readonly line: number
  readonly column: number
  /** Inclusive. */
  readonly endLine: number
  /** Of a heading, 1 to 6; otherwise 0. */
  readonly depth: number
  readonly children: readonly Block[]
}

// Marks inside a line never decide what a block is, and some cost quadratic time on hostile text.
const inlineMarks = `
  attention autolink characterEscape characterReference codeText emailAutolink
  gfmFootnoteCall gfmPotentialFootnoteCall hardBreakEscape htmlText labelEnd
  labelStartImage labelStartLink protocolAutolink strikethrough tasklistCheck wwwAutolink`
const withoutInlineMarks = { disable: { null: inlineMarks.trim().split(/\s+/) } }
const extensions = [gfm(), withoutInlineMarks]
const mdastExtensions = [gfmFromMarkdown()]

/** The blocks of some whole lines, as GitHub Flavored Markdown has them. */
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

// A fence that nothing closes reaches, for the parser, over blank lines and to the start of the next.
function lastLine(start: Point, end: Point, lines: readonly string[]): number {
  let last = end.column === 1 ? end.line - 1 : end.line
  while (last > start.line && (lines[last - 1] ?? '').trim() === '') last -= 1
  return Math.max(last, start.line)
}

/** The same blocks, so many lines further down. */
export function shiftBlocks(blocks: readonly Block[], by: number): readonly Block[] {
  return blocks.map((block) => ({
    ...block,
    line: block.line + by,
    endLine: block.endLine + by,
    children: shiftBlocks(block.children, by),
  }))
}
