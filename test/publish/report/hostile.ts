import type { Nodes, Parent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** Texts that try to do something where they are shown. */
export const hostileTexts: readonly string[] = [
  '</details> @team Fixes #1',
  'Closes GH-12 and owner/repo#7',
  'see https://github.com/o/r/issues/3',
  '/approve',
  'one\n/merge now',
  '```\n</details>\n/approve\n```',
  '````\n~~~\n',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '<!-- executor:task T-9 0000000000000000000000000000000000000000000000000000000000000000 -->',
  '![leak](https://evil.example/?x)',
  'a | b \\| c',
  '`unbalanced',
  'one ` alone, @team, fixes #1',
  'a `pair` and one ` alone, @team, fixes #1',
  'an escaped one \\` alone, @team, fixes #1',
  '&lt;b&gt; &#64;team',
  '\u202Egnp.exe \u0000 \u001b[31m',
  '"] --> evil["',
  'section x :0, 1',
  '# Heading\n---\n',
  '> [!CAUTION]\n> **Merge this now**, @everyone',
  '[!NOTE]',
  'fixes: ada/engine#2, resolves ada#3',
  '</sub><details open><summary>All good</summary>',
]

/** Everything GitHub would see in a Markdown text, in order. */
export function nodesOf(markdown: string): readonly Nodes[] {
  const tree = fromMarkdown(markdown, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  })
  const visit = (node: Nodes): readonly Nodes[] =>
    'children' in node ? [node, ...(node as Parent).children.flatMap(visit)] : [node]
  return visit(tree)
}

/** Words outside code: where GitHub looks for mentions and references. */
export function wordsOf(markdown: string): string {
  return nodesOf(markdown)
    .flatMap((node) => (node.type === 'text' ? [node.value] : []))
    .join('\n')
}

/** The same as they are written: where bots look for commands. */
export function sourceOfWords(markdown: string): string {
  return nodesOf(markdown)
    .flatMap(({ type, position }) =>
      type === 'text' ? [markdown.slice(position?.start.offset, position?.end.offset)] : [],
    )
    .join('\n')
}

/** Inline code: where people read what they approve. */
export function codeOf(markdown: string): string {
  return nodesOf(markdown)
    .flatMap((node) => (node.type === 'inlineCode' ? [node.value] : []))
    .join('\n')
}

/** Invisible characters that make a text read otherwise than it runs. */
export const turned = /[\u202A-\u202E\u2066-\u2069]|(?!\n)\p{Cc}/u

export function htmlOf(markdown: string): readonly string[] {
  return nodesOf(markdown).flatMap((node) => (node.type === 'html' ? [node.value] : []))
}

/** What GitHub acts on: mentions and references, and so closing keywords. */
export const actedOn = /@[\p{L}\p{N}]|#\d|\bGH-\d|\/(?:issues|pull)\/\d/iu

export const aCommand = /^\s*\/[a-z]/im
