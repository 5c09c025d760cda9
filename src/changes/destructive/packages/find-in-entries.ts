import { posix } from 'node:path'
import picomatch from 'picomatch'
import type { Finding } from '../finding.ts'
import { type Entry, entryPlaces, readEntries } from './entries.ts'
import type { Setting } from './judges.ts'
import type { ManifestKind, Rules } from './manifest-rules.ts'

const unreadable = 'It could not be read, so that nobody knows what it installs.'

/** What in a manifest of keys and values needs a person's word, each entry by itself. */
export function findInEntries(
  kind: ManifestKind,
  text: string,
  setting: Setting,
): readonly Finding[] {
  const entries = readEntries(kind.format, text)
  if (entries === null) {
    const end = Math.max(0, text.indexOf('\n'))
    return [{ start: 0, end, category: 'packages', why: unreadable, meaning: text }]
  }
  const judge = judgeBy(kind.rules)
  const placeOf = entryPlaces(text)
  return entries.flatMap((entry) => {
    const why = judge(entry, setting)
    if (why === null) return []
    const name = entry.keys.join('.')
    const shown = `${name}: ${String(entry.value)}`
    return [{ ...placeOf(entry), category: 'packages', why, meaning: shown, shown }]
  })
}

function judgeBy(rules: Rules): (entry: Entry, setting: Setting) => string | null {
  const known = rules.map(([keys, judge]) => {
    const matches = picomatch(keys, { dot: true, nonegate: true, noextglob: true })
    return { matches, judge }
  })
  return ({ keys, value }, setting) => {
    const joined = keys.map((key) => key.replaceAll('/', ':') || '_').join(posix.sep)
    return known.find(({ matches }) => matches(joined))?.judge(value, setting) ?? null
  }
}
