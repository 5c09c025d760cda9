/** A start tag with its attributes and the text directly inside, up to the next tag. */
export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly text: string
}

/** A tag, by the offsets of its angle brackets, the end exclusive. */
export interface XmlTag {
  readonly name: string
  readonly kind: 'start' | 'end' | 'empty'
  readonly start: number
  readonly end: number
}

const tag = /<(\/?)([A-Za-z][\w.-]{0,58})?/y
/** CDATA sections, comments and instructions. */
const isSpecial = /^<(?:!\[CDATA\[|!--|\?)/
const special = /<(?:!\[CDATA\[.*?\]\]|!--.*?--|\?.*?\?)>/sy

/** Finds where a tag ends, or -1. Loops, because a tag may hold a million attributes. */
function endOfTag(xml: string, from: number): number {
  const stop = /["'>]/g
  for (stop.lastIndex = from; ; ) {
    const found = stop.exec(xml)
    if (found === null) return -1
    if (found[0] === '>') return stop.lastIndex
    const close = xml.indexOf(found[0], stop.lastIndex)
    if (close < 0) return -1
    stop.lastIndex = close + 1
  }
}

/**
 * Reads tags in order. Ignores document types and all entities but XML's five and character
 * numbers, so nothing expands. Linear in the text; broken XML yields what can be read.
 */
export function* tags(xml: string): Generator<XmlTag> {
  for (let start = xml.indexOf('<'); start >= 0; ) {
    const form = isSpecial.test(xml.slice(start, start + 9)) ? special : tag
    form.lastIndex = start
    const found = form.exec(xml)
    if (found === null) return
    const [whole, slash, name] = found
    const end = form === tag ? endOfTag(xml, start + whole.length) : start + whole.length
    if (end < 0) return
    if (form === tag && name !== undefined) {
      const kind = slash === '/' ? 'end' : xml[end - 2] === '/' ? 'empty' : 'start'
      yield { name, kind, start, end }
    }
    start = xml.indexOf('<', end)
  }
}

/** Reads start tags in order, like `tags`. */
export function* elements(xml: string): Generator<Element> {
  for (const { name, kind, start, end } of tags(xml)) {
    if (kind === 'end') continue
    const attributes = readAttributes(xml.slice(start + 1 + name.length, end - 1))
    yield { name, attributes, text: kind === 'empty' ? '' : xmlTextAt(xml, end) }
  }
}

/** Text and CDATA sections up to the next tag. */
export function xmlTextAt(xml: string, start: number): string {
  const parts: string[] = []
  let at = start
  while (at < xml.length) {
    const next = xml.indexOf('<', at)
    parts.push(decode(xml.slice(at, next < 0 ? undefined : next)))
    if (next < 0 || !xml.startsWith('<![CDATA[', next)) break
    const close = xml.indexOf(']]>', next)
    parts.push(xml.slice(next + '<![CDATA['.length, close < 0 ? undefined : close))
    if (close < 0) break
    at = close + ']]>'.length
  }
  return parts.join('')
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/([\w:.-]+)=(?:"([^"]*)"|'([^']*)')/g)
  return new Map(
    [...found].map(([, name = '', double, single = '']) => [name, decode(double ?? single)]),
  )
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
}

const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[]
    if (name !== undefined) return entities[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
