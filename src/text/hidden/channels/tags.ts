/** One tag or comment in a piece of HTML. Offsets in the whole text, `end` exclusive. */
export interface HtmlTag {
  readonly kind: 'open' | 'close' | 'comment' | 'declaration'
  /** Lower case; empty for comments and declarations. */
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly start: number
  readonly end: number
}

const nameEnd = /[\s/>]/

/** The tags and comments of `text` between two offsets, in one pass. What is left open ends at `to`. */
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
  const nothing = { name: '', attributes: [], start }
  if (text.startsWith('<!--', start)) {
    const early = /^<!--(?:-?>)/.exec(text.slice(start, start + 6))
    const end = early ? start + early[0].length : endAfter(text, /--!?>/g, start + 4, to)
    return { ...nothing, kind: 'comment', end }
  }
  if (text.startsWith('<![CDATA[', start)) {
    return { ...nothing, kind: 'declaration', end: endAfter(text, /\]\]>/g, start, to) }
  }
  if (/[!?]/.test(text[start + 1] ?? '')) {
    return { ...nothing, kind: 'declaration', end: endAfter(text, />/g, start, to) }
  }
  const kind = text[start + 1] === '/' ? 'close' : 'open'
  const first = start + (kind === 'close' ? 2 : 1)
  if (!/[A-Za-z]/.test(text[first] ?? '')) return null
  let at = first
  while (at < to && !nameEnd.test(text[at] ?? '')) at += 1
  const name = text.slice(first, at).toLowerCase()
  const { attributes, end } = readAttributes(text, at, to)
  return { kind, name, attributes, start, end }
}

function endAfter(text: string, closing: RegExp, from: number, to: number): number {
  closing.lastIndex = from
  const found = closing.exec(text)
  return found === null ? to : Math.min(to, closing.lastIndex)
}

const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']*)))?/y

function readAttributes(
  text: string,
  from: number,
  to: number,
): { readonly attributes: HtmlTag['attributes']; readonly end: number } {
  const attributes: (readonly [string, string])[] = []
  let at = from
  while (at < to && text[at] !== '>') {
    attribute.lastIndex = at
    const found = attribute.exec(text)
    if (found === null) {
      at += 1
      continue
    }
    attributes.push([(found[1] ?? '').toLowerCase(), found[2] ?? found[3] ?? found[4] ?? ''])
    at = attribute.lastIndex
  }
  return { attributes, end: Math.min(to, at + 1) }
}
