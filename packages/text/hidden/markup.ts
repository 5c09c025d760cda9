import type { Cut } from './characters.ts'

/** One tag or comment in a piece of HTML. Offsets in the whole text, `end` exclusive. */
export interface HtmlTag {
  readonly kind: 'open' | 'close' | 'comment' | 'declaration'
  /** Lower case; empty for comments and declarations. */
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly start: number
  readonly end: number
}

const special = /<!--(?:-?>|.*?(?:--!?>|$))|<!\[CDATA\[.*?(?:\]\]>|$)|<[!?][^>]*>?/sy
const tagName = /[A-Za-z][^\s/>]*/y

/** Reads the tags and comments between two offsets in one pass; an open one ends at `to`. */
export function readTags(text: string, from: number, to: number): readonly HtmlTag[] {
  const tags: HtmlTag[] = []
  let at = text.indexOf('<', from)
  while (at >= 0 && at < to) {
    const tag = readTag(text, at, to)
    if (tag !== null) tags.push(tag)
    at = text.indexOf('<', tag?.end ?? at + 1)
  }
  return tags
}

function readTag(text: string, start: number, to: number): HtmlTag | null {
  const other = matchAt(special, text, start)
  if (other !== null) {
    const kind = other.startsWith('<!--') ? 'comment' : 'declaration'
    return { kind, name: '', attributes: [], start, end: Math.min(to, start + other.length) }
  }
  const kind = text[start + 1] === '/' ? 'close' : 'open'
  const first = start + (kind === 'close' ? 2 : 1)
  const name = matchAt(tagName, text, first)?.slice(0, Math.max(0, to - first))
  if (name === undefined) return null
  const { attributes, end } = readAttributes(text, first + name.length, to)
  return { kind, name: name.toLowerCase(), attributes, start, end }
}

function matchAt(form: RegExp, text: string, at: number): string | null {
  form.lastIndex = at
  return form.exec(text)?.[0] ?? null
}

const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']*)))?/y

function readAttributes(text: string, from: number, to: number) {
  const attributes: (readonly [string, string])[] = []
  let at = from
  while (at < to && text[at] !== '>') {
    attribute.lastIndex = at
    const found = attribute.exec(text)
    if (found !== null)
      attributes.push([(found[1] ?? '').toLowerCase(), found[2] ?? found[3] ?? found[4] ?? ''])
    at = found === null ? at + 1 : attribute.lastIndex
  }
  return { attributes, end: Math.min(to, at + 1) }
}

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

/** Attributes that only place or size an element, and the form of their values. */
const layout = /^(?:align|valign|width|height|colspan|rowspan|start|open|checked|disabled|type)$/
const layoutValue = /^[\w%.-]{0,12}$/

/** `<path>` and `<user-id>` mean "put yours here"; longer names are sentences, not placeholders. */
const longestName = 24

/** Finds what a document's tags hide, and the tags' own invisible attributes. */
export function hiddenMarkup(text: string, tags: readonly HtmlTag[]): readonly Cut[] {
  const pairs = pairTags(tags)
  return tags.flatMap((tag, index): readonly Cut[] => {
    const { kind, name, start, end } = tag
    if (kind === 'comment' || kind === 'declaration')
      return [{ start, end, channel: `HTML ${kind}` }]
    const channel = kind === 'open' && !empty.has(name) ? whyHidden(tag) : null
    if (channel !== null) {
      const whole = { start, end: pairs.get(tag)?.end ?? text.length, channel }
      return collapsed.has(name) ? aroundSummary(whole, tags[index + 1], pairs) : [whole]
    }
    if (name.length > longestName) return [{ start, end, channel: 'HTML tag name' }]
    const instead = kind === 'open' ? plainTag(tag) : null
    return instead === null ? [] : [{ start, end, instead, channel: 'HTML attribute' }]
  })
}

function whyHidden({ name, attributes }: HtmlTag): string | null {
  const values = new Map(attributes)
  if (undrawn.has(name)) return `<${name}> element`
  if (collapsed.has(name)) return values.has('open') ? null : `collapsed <${name}>`
  if (values.has('hidden')) return 'hidden element'
  const inks = [values.get('color'), values.get('fill')]
  const isPale = inks.some((ink) => ink !== undefined && paleInk.test(ink.trim()))
  if (isPale || hidingStyle.test(values.get('style') ?? '') || values.get('size') === '0')
    return 'element styled to be invisible'
  return hidingClass.test(values.get('class') ?? '') ? 'element styled to be invisible' : null
}

/** Finds the closing tag of each opening one, innermost first, in one pass. */
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

/** Only the summary of a collapsed element is visible. */
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

/** The tag with only its attributes that have a visible effect; `null` if it has no others. */
function plainTag({ name, attributes }: HtmlTag): string | null {
  const written = (key: string, value: string) => (value === '' ? key : `${key}="${value}"`)
  const kept = attributes.flatMap(([key, value]) => {
    if (layout.test(key) && layoutValue.test(value)) return [written(key, value)]
    const url = key === 'src' || key === 'href' ? visibleUrl(value) : ''
    return url === '' ? [] : [written(key, url)]
  })
  const isWhole = kept.join(' ') === attributes.map(([key, value]) => written(key, value)).join(' ')
  return isWhole ? null : `<${[name, ...kept].join(' ')}>`
}

const longestUrl = 150

/**
 * The part of a link's address that a reader expects: scheme, host and a plain path. Queries,
 * fragments, users, percent signs and anything that is no path may carry unseen text.
 */
export function visibleUrl(url: string): string {
  const address = url.trim().replace(/[?#].*$/su, '')
  const isWeb = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w./@+~=,-]*)?$/i.test(address)
  const isPath = /^[\w./@+-]*$/.test(address)
  return (isWeb || isPath) && address.length <= longestUrl ? address : ''
}
