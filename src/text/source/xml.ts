/** A start tag with its attributes and the text directly inside, as far as the next tag. */
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

/**
 * Tags in order. No document type is read and no entity but the five of XML and character
 * numbers is known, so nothing expands. Linear in the text; broken XML yields what can be read.
 */
export function* tags(xml: string): Generator<XmlTag> {
  let at = xml.indexOf('<')
  while (at >= 0) {
    const special = endOfSpecial(xml, at)
    const end = special ?? endOfTag(xml, at)
    if (end < 0) return
    const [, slash, name] = /^(\/?)([A-Za-z][\w.-]*)/.exec(xml.slice(at + 1, at + 60)) ?? []
    if (special === null && name !== undefined) {
      const kind = slash === '/' ? 'end' : xml[end - 1] === '/' ? 'empty' : 'start'
      yield { name, kind, start: at, end: end + 1 }
    }
    at = xml.indexOf('<', end)
  }
}

/** Start tags in order, as `tags` reads them. */
export function* elements(xml: string): Generator<Element> {
  for (const { name, kind, start, end } of tags(xml)) {
    if (kind === 'end') continue
    const attributes = readAttributes(xml.slice(start + 1 + name.length, end - 1))
    yield { name, attributes, text: kind === 'empty' ? '' : xmlTextAt(xml, end) }
  }
}

const specials = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
  ['<?', '?>'],
] as const

/** The end of a section, comment or instruction that starts here, -1 without one; else `null`. */
function endOfSpecial(xml: string, start: number): number | null {
  const found = specials.find(([opening]) => xml.startsWith(opening, start))
  if (found === undefined) return null
  const [opening, closing] = found
  const end = xml.indexOf(closing, start + opening.length)
  return end < 0 ? -1 : end + closing.length - 1
}

/** The `>` that ends a tag; one inside quotes does not. */
function endOfTag(xml: string, start: number): number {
  let quote = ''
  for (let index = start; index < xml.length; index += 1) {
    const character = xml[index] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '>') return index
  }
  return -1
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

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, ...groups) => {
    const [decimal, hex, name] = groups as (string | undefined)[]
    if (name !== undefined) return entities[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
