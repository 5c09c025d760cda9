import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { tags, type XmlTag, xmlTextAt } from '../../../source/source.ts'
import { parseJson } from '../../../text/text.ts'
import type { Finding } from '../finding.ts'

export type EntryFormat = 'json' | 'yaml' | 'toml' | 'xml'

/** One value of a manifest and the keys that lead to it; an array's items have the array's keys. */
export interface Entry {
  readonly keys: readonly string[]
  readonly value: unknown
  /** Where it is, if the reader knows. */
  readonly place?: () => Pick<Finding, 'start' | 'end' | 'meaning' | 'shown'>
}

const deepest = 40

/** Reads the values of a manifest; `null` when it cannot be parsed. */
export function readEntries(format: EntryFormat, text: string): readonly Entry[] | null {
  const value = format === 'xml' ? null : parse(format, text)
  if (value === undefined) return null
  const entries = [...(format === 'xml' ? readElements(text) : entriesOf(value, []))]
  return entries.some(({ keys }) => keys.length > deepest) ? null : entries
}

function parse(format: 'json' | 'yaml' | 'toml', text: string): unknown {
  const plain = text.replace(/^\uFEFF/, ' ')
  try {
    if (format === 'toml') return parseToml(plain)
    const value = format === 'json' ? parseJson(plain) : null
    if (value !== null) return value
    return parseYaml(plain.replace(/^[ \t]*\/\/[^\n]*/gm, ''), { merge: true, logLevel: 'silent' })
  } catch {
    return undefined
  }
}

function* entriesOf(value: unknown, keys: readonly string[]): Generator<Entry> {
  if (keys.length > deepest || typeof value !== 'object' || value === null) {
    yield { keys, value }
  } else if (Array.isArray(value)) {
    for (const item of value) yield* entriesOf(item, keys)
  } else {
    for (const [key, item] of Object.entries(value)) yield* entriesOf(item, [...keys, key])
  }
}

interface XmlElement {
  readonly name: string
  readonly start: number
  readonly from: number
  readonly to: number
  readonly end: number
  readonly children: readonly XmlElement[]
}

const deepestXml = 100

/**
 * Reads every element of a `pom.xml` or a .NET project file, inner ones first: its text, or the
 * texts of its child elements by name. A document type becomes the entry `DOCTYPE`, because its
 * entities could change the file's meaning.
 */
function* readElements(xml: string): Generator<Entry> {
  const start = xml.indexOf('<!DOCTYPE')
  if (start >= 0) {
    const place = () => ({ start, end: start + 9, meaning: xml })
    yield { keys: ['DOCTYPE'], value: null, place }
  }
  const open: { readonly tag: XmlTag; readonly children: XmlElement[] }[] = []
  for (const tag of tags(xml)) {
    if (tag.kind === 'start') open.push({ tag, children: [] })
    const at = open.findLastIndex((each) => each.tag.name === tag.name)
    const top = open[at]
    if (open.length > deepestXml)
      return yield { keys: open.map((each) => each.tag.name), value: null }
    if (tag.kind !== 'end' || top === undefined) continue
    const keys = open.slice(0, at + 1).map((each) => each.tag.name)
    open.length = at
    const { name, start, end: from } = top.tag
    const element = { name, start, from, to: tag.start, end: tag.end, children: top.children }
    open.at(-1)?.children.push(element)
    yield { keys, value: contentsOf(xml, element), place: () => placeOf(xml, element) }
  }
}

function contentsOf(xml: string, { from, children }: XmlElement): unknown {
  const textOf = (at: number) => xmlTextAt(xml, at).trim()
  if (children.length === 0) return textOf(from)
  return Object.fromEntries(children.map((child) => [child.name, textOf(child.from)]))
}

/** Versions may change: an approval is for the rest of the element, without its spaces. */
function placeOf(xml: string, element: XmlElement) {
  const childOf = (name: string) => element.children.find((child) => child.name === name)
  const [version, at = element] = [childOf('version'), childOf('url') ?? childOf('artifactId')]
  const { from, to } = element
  const rest = xml.slice(from, version?.start ?? to) + xml.slice(version?.end ?? to, to)
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
  const shown = `${element.name} ${plain(xml.slice(at.from, at.to))}`
  return { start: at.start, end: at.end, meaning: plain(rest), shown }
}
