import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** Lines of all check boxes that a plain GFM parser finds outside quotes and footnotes, and their ticks. */
export function referenceBoxes(text: string): { line: number; checked: boolean }[] {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return collect(tree).sort((a, b) => a.line - b.line)
}

function collect(node: Nodes): { line: number; checked: boolean }[] {
  if (node.type === 'blockquote' || node.type === 'footnoteDefinition') return []
  const own =
    node.type === 'listItem' && typeof node.checked === 'boolean'
      ? [{ line: node.children[0]?.position?.start.line ?? 0, checked: node.checked }]
      : []
  return 'children' in node ? [...own, ...node.children.flatMap(collect)] : own
}
