import type { Cut } from './cuts.ts'
import type { HtmlTag } from './tags.ts'
import { visibleUrl } from './visible-url.ts'

/** Elements whose content a browser does not draw. */
const undrawn: ReadonlySet<string> = new Set(
  'script style template title head noscript noembed noframes iframe object audio video canvas datalist rp annotation'.split(
    ' ',
  ),
)
/** Closed until a reader opens them. */
const collapsed: ReadonlySet<string> = new Set(['details', 'dialog'])
const empty: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

const hidingStyle =
  /(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0?\.?0*\s*(?:%|;|!|$)|font-size\s*:\s*(?:0|[01](?:\.\d+)?(?:px|pt|%))|(?:^|[;\s])color\s*:\s*(?:white|transparent|snow|ivory|#f[a-f0-9]f[a-f0-9]?f?[a-f0-9]?|#fff[a-f0-9]*|rgba?\([^)]*[,/]\s*0?\.?0*\s*\)|rgba?\(\s*255[\s,]+255[\s,]+255)|(?:max-)?(?:height|width)\s*:\s*0|text-indent\s*:\s*-\d{2,}|(?:left|top|right|bottom|margin-left|margin-top)\s*:\s*-\d{3,}|scale[xy]?\(\s*0|clip(?:-path)?\s*:|content-visibility\s*:\s*hidden)/i
const hidingClass =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text|hidden|invisible|d-none)(?:\s|$)/i
const paleInk = /^(?:white|snow|ivory|transparent|#?f[a-f0-9](?:f[a-f0-9]){0,2}|#?fff)$/i

/** Attributes that only place or size what is drawn, and what such values look like. */
const layout = /^(?:align|valign|width|height|colspan|rowspan|start|open|checked|disabled|type)$/
const layoutValue = /^[\w%.-]{0,12}$/

/** What the tags of a document hide, and the tags themselves without their unseen attributes. */
export function hiddenMarkup(text: string, tags: readonly HtmlTag[]): readonly Cut[] {
  const cuts: Cut[] = []
  const pairs = pairTags(tags)
  for (const [index, tag] of tags.entries()) {
    const { start, end } = tag
    if (tag.kind === 'comment') cuts.push({ start, end, channel: 'HTML comment' })
    else if (tag.kind === 'declaration') cuts.push({ start, end, channel: 'HTML declaration' })
    else if (tag.kind === 'open') cuts.push(...hiddenBy(tag, tags[index + 1], pairs, text))
    else if (tag.name.length > longestName) cuts.push({ start, end, channel: 'HTML tag name' })
  }
  return cuts
}

/** `<path>` and `<user-id>` are how people write "put yours here"; nobody does it with a sentence. */
const longestName = 24

function hiddenBy(
  tag: HtmlTag,
  next: HtmlTag | undefined,
  pairs: ReadonlyMap<HtmlTag, HtmlTag>,
  text: string,
): readonly Cut[] {
  const { start, end, name } = tag
  const channel = whyHidden(tag)
  if (channel !== null && !empty.has(name)) {
    const after = pairs.get(tag)?.end ?? text.length
    return collapsed.has(name)
      ? aroundSummary({ start, end: after, channel }, next, pairs)
      : [{ start, end: after, channel }]
  }
  if (name.length > longestName) return [{ start, end, channel: 'HTML tag name' }]
  const instead = plainTag(tag)
  return instead === null ? [] : [{ start, end, instead, channel: 'HTML attribute' }]
}

function whyHidden({ name, attributes }: HtmlTag): string | null {
  const values = new Map(attributes)
  if (undrawn.has(name)) return `<${name}> element`
  if (collapsed.has(name)) return values.has('open') ? null : `collapsed <${name}>`
  if (values.has('hidden')) return 'hidden element'
  const inks = [values.get('color'), values.get('fill')]
  const isPale = inks.some((ink) => ink !== undefined && paleInk.test(ink.trim()))
  if (isPale || hidingStyle.test(values.get('style') ?? '') || values.get('size') === '0')
    return 'element styled to be unseen'
  return hidingClass.test(values.get('class') ?? '') ? 'element styled to be unseen' : null
}

/** The closing tag of each opening one, innermost first; in one pass. */
function pairTags(tags: readonly HtmlTag[]): ReadonlyMap<HtmlTag, HtmlTag> {
  const open = new Map<string, HtmlTag[]>()
  const pairs = new Map<HtmlTag, HtmlTag>()
  for (const tag of tags) {
    const waiting = open.get(tag.name)
    if (tag.kind === 'open') {
      if (waiting === undefined) open.set(tag.name, [tag])
      else waiting.push(tag)
    }
    const opened = tag.kind === 'close' ? waiting?.pop() : undefined
    if (opened !== undefined) pairs.set(opened, tag)
  }
  return pairs
}

/** The summary of a collapsed element can be seen; the rest cannot. */
function aroundSummary(
  whole: Cut,
  next: HtmlTag | undefined,
  pairs: ReadonlyMap<HtmlTag, HtmlTag>,
): readonly Cut[] {
  if (next?.kind !== 'open' || next.name !== 'summary') return [whole]
  const close = pairs.get(next)
  if (close === undefined || close.end >= whole.end) return [whole]
  return [
    { ...whole, end: next.start },
    { ...whole, start: close.end },
  ]
}

/** The tag with only those attributes a reader sees the effect of, or `null` when it has no others. */
function plainTag({ name, attributes }: HtmlTag): string | null {
  const kept = attributes.flatMap(([attribute, value]): readonly string[] => {
    if (layout.test(attribute) && layoutValue.test(value))
      return [value === '' ? attribute : `${attribute}="${value}"`]
    if (attribute === 'src' || attribute === 'href') {
      const url = visibleUrl(value)
      return url === '' ? [] : [`${attribute}="${url}"`]
    }
    return []
  })
  const isWhole =
    kept.length === attributes.length &&
    attributes.every(([attribute, value], index) =>
      kept[index]?.endsWith(value === '' ? attribute : `"${value}"`),
    )
  return isWhole ? null : `<${[name, ...kept].join(' ')}>`
}
