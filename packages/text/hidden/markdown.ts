import type { Nodes, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type Cut, cutsFrom, hiddenEntities } from './characters.ts'
import { hiddenRoughly } from './markdown-roughly.ts'
import { hiddenMarkup, readTags, visibleUrl } from './markup.ts'
import { hiddenFormulas, hiddenInPicture } from './pictures.ts'

/**
 * Beyond these limits, a document is not parsed as GitHub does: everything that looks hidden is
 * removed, in code or not. The parser's time grows faster than such a text.
 */
const longestDocument = 60_000
const mostLines = 2_000
const deepest = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*){20}/m
/** Marks that the parser pairs in quadratic time. */
const mostMarks = 2_000

const extensions = [gfm()]
const mdastExtensions = [gfmFromMarkdown()]

/** Finds what readers of the rendered Markdown do not see. */
export function hiddenMarkdown(text: string): readonly Cut[] {
  if (!/[<[&`~$|]/.test(text)) return []
  return isEasy(text) ? hiddenIn(text) : hiddenRoughly(text)
}

function isEasy(text: string): boolean {
  if (text.length > longestDocument || deepest.test(text)) return false
  if ((text.match(/\n/g) ?? []).length > mostLines) return false
  return (text.match(/[[\]*_~<`]/g) ?? []).length <= mostMarks
}

function hiddenIn(text: string): readonly Cut[] {
  const nodes = allNodes(fromMarkdown(text, { extensions, mdastExtensions }))
  const html = ofType(nodes, 'html').map(placeOf)
  const tags = html.flatMap(({ start, end }) => readTags(text, start, end))
  const names = usedNames(nodes)
  return [
    ...hiddenMarkup(text, tags),
    ...nodes.flatMap((node) => hiddenInNode(node, text, names)),
    ...hiddenFormulas(withoutCode(text, nodes)),
  ]
}

type NodeOf<Type extends Nodes['type']> = Extract<Nodes, { readonly type: Type }>

const ofType = <Type extends Nodes['type']>(nodes: readonly Nodes[], type: Type) =>
  nodes.filter((node): node is NodeOf<Type> => node.type === type)

/** Lists nodes in document order, without recursion, because the text sets the depth. */
function allNodes(root: Nodes): readonly Nodes[] {
  const nodes: Nodes[] = []
  const waiting: Nodes[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes.push(node)
    if ('children' in node) waiting.push(...node.children.toReversed())
  }
  return nodes
}

function placeOf({ position }: Nodes): { readonly start: number; readonly end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

interface Names {
  /** Definitions whose label is visible in the text: `[label]` and `[label][]`. */
  readonly shown: ReadonlySet<string>
  /** Only the first of several footnotes with one label is shown. */
  readonly footnotes: ReadonlySet<Nodes>
}

function usedNames(nodes: readonly Nodes[]): Names {
  const shown = ofType(nodes, 'linkReference').filter(({ referenceType: is }) => is !== 'full')
  const referenced = new Set(ofType(nodes, 'footnoteReference').map(({ identifier }) => identifier))
  const footnotes = ofType(nodes, 'footnoteDefinition').filter(({ identifier }) =>
    referenced.delete(identifier),
  )
  return {
    shown: new Set(shown.map(({ identifier }) => identifier)),
    footnotes: new Set(footnotes),
  }
}

const plainLabel = /^[\w-]{1,20}$/

function hiddenInNode(node: Nodes, text: string, names: Names): readonly Cut[] {
  const { start, end } = placeOf(node)
  const whole = (channel: string, instead = ''): readonly Cut[] =>
    text.slice(start, end) === instead ? [] : [{ start, end, instead, channel }]
  switch (node.type) {
    case 'image':
      return whole('image description or address', `![](${visibleUrl(node.url)})`)
    case 'imageReference':
      return whole('image description or address', '![]()')
    case 'link':
      return text[start] === '[' ? linkTarget(node, text) : []
    case 'linkReference':
      return node.referenceType === 'full'
        ? [{ start: endOfWords(node) + 1, end, channel: 'link label' }]
        : []
    case 'definition': {
      if (!names.shown.has(node.identifier)) return whole('unused link definition')
      return whole('link title or address', `[${node.label}]: <${visibleUrl(node.url)}>`)
    }
    case 'footnoteDefinition':
      return names.footnotes.has(node)
        ? labelCut(node.label, start, text)
        : whole('unused footnote')
    case 'footnoteReference':
      return labelCut(node.label, start, text)
    case 'table':
      return cellsBeyond(node)
    case 'code':
      return hiddenInCode(node, start, end, text)
    case 'text':
      return hiddenEntities(text.slice(start, end), start)
    default:
      return []
  }
}

function endOfWords(node: NodeOf<'link' | 'linkReference'>): number {
  const last = node.children.at(-1)
  return last === undefined ? placeOf(node).start + 1 : placeOf(last).end
}

function linkTarget(node: NodeOf<'link'>, text: string): readonly Cut[] {
  const start = endOfWords(node) + 1
  const { end } = placeOf(node)
  const words = text.slice(placeOf(node).start + 1, start - 1)
  const isSeen = (node.title ?? '') === '' && (words === node.url || words.startsWith(node.url))
  const instead = `(${visibleUrl(node.url)})`
  return isSeen || text.slice(start, end) === instead
    ? []
    : [{ start, end, instead, channel: 'link title or address' }]
}

/** A footnote shows its number, never its label. */
function labelCut(label: string | null | undefined, start: number, text: string): readonly Cut[] {
  if (label == null || plainLabel.test(label)) return []
  const close = text.indexOf(']', start)
  return close < 0
    ? []
    : [{ start: start + 2, end: close, instead: 'note', channel: 'footnote label' }]
}

/** GitHub draws only as many cells of a row as the header has. */
function cellsBeyond({ align, children }: Table): readonly Cut[] {
  const columns = align?.length ?? 0
  return children.flatMap((row) => {
    const start = row.children[columns]?.position?.start.offset
    const end = row.position?.end.offset
    return start === undefined || end === undefined
      ? []
      : [{ start, end, instead: '|', channel: 'table cell beyond the columns' }]
  })
}

/** The words after a fence's language are not drawn, nor is everything in a picture's source. */
function hiddenInCode(
  { lang, meta }: NodeOf<'code'>,
  start: number,
  end: number,
  text: string,
): readonly Cut[] {
  const [first = ''] = text.slice(start, end).split('\n', 1)
  const fence = /^(?:`{3,}|~{3,})/.exec(first)?.[0]
  if (fence === undefined) return []
  const language = /^[\w+#.-]{1,20}$/.test(lang ?? '') ? (lang ?? '') : ''
  const isPlain = (lang ?? '') === language && (meta ?? '') === ''
  const inside = start + first.length
  const words = { start: start + fence.length, end: inside, instead: language }
  const source = text.slice(inside, end).replace(/\n[ \t>]*(?:`{3,}|~{3,})[ \t]*$/, '')
  return [
    ...(isPlain ? [] : [{ ...words, channel: 'words after a fence' }]),
    ...cutsFrom(inside, hiddenInPicture(language, source)),
  ]
}

/** Blanks out the code in a text; `` $`x`$ `` is a formula. */
function withoutCode(text: string, nodes: readonly Nodes[]): string {
  let [blanked, at] = ['', 0]
  for (const node of nodes) {
    if (node.type !== 'code' && node.type !== 'inlineCode') continue
    const { start, end } = placeOf(node)
    if (text[start - 1] === '$' && text[end] === '$') continue
    blanked += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ')
    at = end
  }
  return blanked + text.slice(at)
}
