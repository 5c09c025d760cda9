import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { parseJson } from '../../../core/parse-json.ts'

/** One value of a manifest and the keys on the way to it; an array's items have the keys of the array. */
export interface Entry {
  readonly keys: readonly string[]
  readonly value: unknown
}

const deepest = 40

/** The values of a manifest in JSON, YAML or TOML, or `null` where it cannot be read. */
export function readEntries(
  format: 'json' | 'yaml' | 'toml',
  text: string,
): readonly Entry[] | null {
  const value = parse(format, text)
  if (value === undefined) return null
  const entries = [...entriesOf(value, [])]
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

/** Where entries most likely stand, as offsets: the line with key and value, else the one with either. */
export function entryPlaces(text: string): (entry: Entry) => { start: number; end: number } {
  const lines = linesOf(text)
  let looked = 0
  return (entry) => {
    looked += 1
    return looked > mostPlaces ? { start: 0, end: 0 } : placeOf(entry, lines)
  }
}

/** More than anybody reads; each is looked for in the whole text. */
const mostPlaces = 100

type Line = { readonly start: number; readonly line: string }

function placeOf({ keys, value }: Entry, lines: readonly Line[]): { start: number; end: number } {
  const key = keys.at(-1) ?? ''
  const written = String(value)
  const shown = JSON.stringify(written).slice(1, -1)
  const has = (wanted: string) => (line: string) => wanted !== '' && line.includes(wanted)
  const [hasKey, hasValue, hasShown] = [has(key), has(written), has(shown)]
  const found =
    lines.find(({ line }) => hasKey(line) && (hasValue(line) || hasShown(line))) ??
    lines.find(({ line }) => hasValue(line) || hasShown(line)) ??
    lines.find(({ line }) => hasKey(line)) ??
    lines[0]
  const { start = 0, line = '' } = found ?? {}
  const from = start + (line.length - line.trimStart().length)
  return { start: from, end: Math.max(from, start + line.trimEnd().replace(/,$/, '').length) }
}

function linesOf(text: string): readonly Line[] {
  let start = 0
  return text.split('\n').map((line) => {
    const here = { start, line }
    start += line.length + 1
    return here
  })
}
