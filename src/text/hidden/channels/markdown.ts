import type { Nodes, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type Cut, cutsFrom, cutsOf } from './cuts.ts'
import { hiddenInPicture, picturesRoughly } from './fences.ts'
import { hiddenFormulas } from './formulas.ts'
import { hiddenMarkup } from './markup.ts'
import { plainCodeSpans } from './plain-code-spans.ts'
import { cellsBeyond, cellsBeyondRoughly } from './table-cells.ts'
import { type HtmlTag, readTags } from './tags.ts'
import { visibleUrl } from './visible-url.ts'

/**
 * Beyond this a document is not taken apart as GitHub does: everything that looks hidden is then
 * taken out, code or not. The parser's time grows faster than such a text.
 */
const longestDocument = 60_000
const mostLines = 2_000
const deepest = /^[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*){20}/m
/** Marks whose pairing costs the parser a square of their number. */
const mostMarks = 2_000

const extensions = [gfm()]
const mdastExtensions = [gfmFromMarkdown()]

/** What of a Markdown text is not seen by whoever reads the rendered page. */
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
  const root = fromMarkdown(text, { extensions, mdastExtensions })
  const nodes = allNodes(root)
  const html = nodes.flatMap((node) => (node.type === 'html' ? [placeOf(node)] : []))
  const tags = html.flatMap(({ start, end }) => readTags(text, start, end))
  const names = usedNames(nodes)
  return [
    ...hiddenMarkup(text, tags),
    ...nodes.flatMap((node) => hiddenInNode(node, text, names)),
    ...hiddenFormulas(withoutCode(text, nodes)),
  ]
}

/** In document order, without recursion: the depth is the text's to choose. */
function allNodes(root: Root): readonly Nodes[] {
  const nodes: Nodes[] = []
  const waiting: Nodes[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes.push(node)
    if ('children' in node) waiting.push(...[...node.children].reverse())
  }
  return nodes
}

function placeOf({ position }: Nodes): { readonly start: number; readonly end: number } {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

interface Names {
  /** Definitions whose label can be read in the text: `[label]` and `[label][]`. */
  readonly shown: ReadonlySet<string>
  /** Of two footnotes with one label the first is shown. */
  readonly footnotes: ReadonlySet<Nodes>
}

function usedNames(nodes: readonly Nodes[]): Names {
  const shown = nodes.flatMap((node) =>
    node.type === 'linkReference' && node.referenceType !== 'full' ? [node.identifier] : [],
  )
  const asked = new Set(
    nodes.flatMap((node) => (node.type === 'footnoteReference' ? [node.identifier] : [])),
  )
  const footnotes = nodes.filter(
    (node) => node.type === 'footnoteDefinition' && asked.delete(node.identifier),
  )
  return { shown: new Set(shown), footnotes: new Set(footnotes) }
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
      return node.referenceType === 'full' ? fullReference(node, end) : []
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
      return hiddenInWords(text.slice(start, end), start)
    default:
      return []
  }
}

/** Where the visible words of a link end: at its `]`. */
function endOfWords(node: Extract<Nodes, { readonly type: 'link' | 'linkReference' }>): number {
  const last = node.children.at(-1)
  return last === undefined ? placeOf(node).start + 1 : placeOf(last).end
}

function linkTarget(node: Extract<Nodes, { readonly type: 'link' }>, text: string): readonly Cut[] {
  const start = endOfWords(node) + 1
  const { end } = placeOf(node)
  const words = text.slice(placeOf(node).start + 1, start - 1)
  const isSeen = (node.title ?? '') === '' && (words === node.url || words.startsWith(node.url))
  const instead = `(${visibleUrl(node.url)})`
  return isSeen || text.slice(start, end) === instead
    ? []
    : [{ start, end, instead, channel: 'link title or address' }]
}

function fullReference(
  node: Extract<Nodes, { readonly type: 'linkReference' }>,
  end: number,
): readonly Cut[] {
  return [{ start: endOfWords(node) + 1, end, channel: 'link label' }]
}

/** A footnote is shown by its number, never by its label. */
function labelCut(label: string | null | undefined, start: number, text: string): readonly Cut[] {
  if (label == null || plainLabel.test(label)) return []
  const close = text.indexOf(']', start)
  return close < 0
    ? []
    : [{ start: start + 2, end: close, instead: 'note', channel: 'footnote label' }]
}

/** The words after a fence's language are not drawn, nor is all that stands in a picture's source. */
function hiddenInCode(
  { lang, meta }: Extract<Nodes, { readonly type: 'code' }>,
  start: number,
  end: number,
  text: string,
): readonly Cut[] {
  const [first = ''] = text.slice(start, end).split('\n', 1)
  const fence = /^(?:`{3,}|~{3,})/.exec(first)?.[0]
  if (fence === undefined) return []
  const language = /^[\w+#.-]{1,20}$/.test(lang ?? '') ? (lang ?? '') : ''
  const isPlain = (lang ?? '') === language && (meta ?? '') === ''
  const cuts: Cut[] = isPlain
    ? []
    : [
        {
          start: start + fence.length,
          end: start + first.length,
          instead: language,
          channel: 'words after a fence',
        },
      ]
  const inside = start + first.length
  const source = text.slice(inside, end).replace(/\n[ \t>]*(?:`{3,}|~{3,})[ \t]*$/, '')
  return [...cuts, ...cutsFrom(inside, hiddenInPicture(language, source))]
}

/** The text with its code blanked out; `` $`x`$ `` is a formula. */
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

const entity = /&(?:#(?:x[0-9a-f]{1,7}|[0-9]{1,8})|[A-Za-z]{2,32});/gi
const unseenNames =
  /^&(?:zwj|zwnj|shy|lrm|rlm|ZeroWidthSpace|NoBreak|ApplyFunction|af|InvisibleTimes|it|InvisibleComma|ic|Negative(?:VeryThin|Thin|Medium|Thick)Space);$/
const unseen = /^[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]$/u
const escapedComment = /&lt;!--(?:(?!--&gt;)[^\n]){0,2000}(?:--&gt;)?/gi

function hiddenInWords(words: string, start: number): readonly Cut[] {
  if (!words.includes('&')) return []
  const entities = cutsOf(words, entity, 'invisible entity').filter((cut) =>
    isUnseen(words.slice(cut.start, cut.end)),
  )
  return cutsFrom(start, [...entities, ...cutsOf(words, escapedComment, 'HTML comment')])
}

function isUnseen(found: string): boolean {
  if (unseenNames.test(found)) return true
  const number = /^&#(x?)([0-9a-f]+);$/i.exec(found)
  if (number === null) return false
  const code = Number.parseInt(number[2] ?? '', number[1] === '' ? 10 : 16)
  return code > 0x10ffff || (code > 0x7e && unseen.test(String.fromCodePoint(code))) || code < 9
}

/** A reader sees a tag that is code; of comments and attributes none is believed to be. */
function tagsOutsideCode(text: string): readonly HtmlTag[] {
  const spans = plainCodeSpans(text)
  let at = 0
  return readTags(text, 0, text.length).filter(({ kind, attributes, start, end }) => {
    while (at < spans.length && (spans[at]?.end ?? 0) < end) at += 1
    const isCode = start > (spans[at]?.start ?? text.length)
    return !isCode || attributes.length > 0 || kind === 'comment' || kind === 'declaration'
  })
}

/** Without a parse: comments, tags, link targets, definitions and entities wherever they stand. */
function hiddenRoughly(text: string): readonly Cut[] {
  const patterns: readonly (readonly [RegExp, string, string])[] = [
    [/(?<=\])\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)/g, '()', 'link title or address'],
    [/^ {0,3}\[[^\]\n]{1,999}\]:.*$/gm, '', 'link definition'],
    [/(?<=!)\[[^[\]\n]*\]/g, '[]', 'image description or address'],
    [/(?<=^[ \t>]*(?:`{3,}|~{3,})[\w+#.-]{0,20})[^\w+#.\n-][^\n]*$/gm, '', 'words after a fence'],
  ]
  const found = patterns.flatMap(([pattern, instead, channel]) =>
    cutsOf(text, pattern, channel, instead),
  )
  return [
    ...hiddenMarkup(text, tagsOutsideCode(text)),
    ...found.filter(({ start, end, instead }) => text.slice(start, end) !== instead),
    ...hiddenInWords(text, 0),
    ...hiddenFormulas(text),
    ...picturesRoughly(text),
    ...cellsBeyondRoughly(text),
  ]
}
