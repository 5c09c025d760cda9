import { posix } from 'node:path'
import picomatch from 'picomatch'
import type { Finding } from '../finding.ts'
import { type Entry, readEntries } from './entries.ts'
import type { Setting } from './judges.ts'
import type { ManifestKind } from './manifest-rules.ts'

const unreadable = 'It could not be read, so what it installs is unknown.'

/** Finds the entries of a manifest that need a person's approval, each by itself. */
export function findInEntries(
  { format, rules }: ManifestKind,
  text: string,
  setting: Setting,
): readonly Finding[] {
  const entries = readEntries(format, text)
  if (entries === null) {
    const end = Math.max(0, text.indexOf('\n'))
    return [{ start: 0, end, category: 'packages', why: unreadable, meaning: text }]
  }
  const judges = rules.map(([keys, judge]) => {
    const matches = picomatch(keys, { dot: true, nonegate: true, noextglob: true })
    return { matches, judge }
  })
  const placeOf = entryPlaces(text)
  return entries.flatMap((entry) => {
    const joined = entry.keys.map((key) => key.replaceAll('/', ':') || '_').join(posix.sep)
    const why = judges.find(({ matches }) => matches(joined))?.judge(entry.value, setting) ?? null
    if (why === null) return []
    const shown = `${entry.keys.join('.')}: ${String(entry.value)}`
    const place = entry.place?.() ?? { ...placeOf(entry), meaning: shown, shown }
    return [{ ...place, category: 'packages', why }]
  })
}

/** Where entries most likely are: the line with key and value, else one with either. */
function entryPlaces(text: string): (entry: Entry) => { start: number; end: number } {
  let at = 0
  const lines = text.split('\n').map((line) => {
    const start = at + (line.length - line.trimStart().length)
    const end = Math.max(start, at + line.trimEnd().replace(/,$/, '').length)
    at += line.length + 1
    return { line, start, end }
  })
  let count = 0
  return ({ keys, value }) => {
    count += 1
    if (count > mostPlaces) return { start: 0, end: 0 }
    const written = String(value)
    const shown = JSON.stringify(written).slice(1, -1)
    const has = (wanted: string, line: string) => wanted !== '' && line.includes(wanted)
    const hasKey = (line: string) => has(keys.at(-1) ?? '', line)
    const hasValue = (line: string) => has(written, line) || has(shown, line)
    const { start = 0, end = 0 } =
      lines.find(({ line }) => hasKey(line) && hasValue(line)) ??
      lines.find(({ line }) => hasValue(line)) ??
      lines.find(({ line }) => hasKey(line)) ??
      lines[0] ??
      {}
    return { start, end }
  }
}

/** The most places to find, because each search reads the whole text. */
const mostPlaces = 100
