import type { Finding } from '../finding.ts'
import { isInsideRepository, type Setting } from './judges.ts'
import { isKnownSource, sourceOf } from './sources.ts'

/** How a file of lines is read, and what in it needs a person's word. */
export interface LineFormat {
  readonly ends?: RegExp
  /** A line of the file without its comment; places stay. */
  readonly plain?: (raw: string) => string
  /** True where the next line of the file carries on with this one. */
  readonly isOpen?: (plain: string, raw: string) => boolean
  /** What stands between lines that are one. */
  readonly joint?: string
  /** What of a whole line tells it from others; all of it where this is not given. */
  readonly meaning?: (line: string) => string
  readonly judge: LineJudge
}

export type LineJudge = (line: string, setting: Setting) => string | null

/** What is said of the lines that a pattern fits; the first with something to say decides. */
export const byRules =
  (...rules: readonly LineRule[]): LineJudge =>
  (line, { directory, known }) => {
    for (const [pattern, why] of rules) {
      const found = pattern.exec(line)
      if (found === null) continue
      const address = found.slice(1).find((group) => group !== undefined)
      if (why === null || address === undefined) return why
      const isHarmless =
        sourceOf(address) === null
          ? isInsideRepository(address, directory)
          : isKnownSource(address, known)
      if (!isHarmless) return why
    }
    return null
  }

/** A group, where there is one, is an address or a path that decides; `null` ends the search. */
export type LineRule = readonly [pattern: RegExp, why: string | null]

/** Longer lines are data. */
const longestLine = 4000
const withoutData = (line: string): string =>
  line.length > longestLine || /^\s*(?:#|\/\/|\*|\/\*)/.test(line) ? '' : line

const whole = (line: string): string => line

export function findInLines(
  text: string,
  {
    ends = /\n/g,
    plain = withoutData,
    isOpen = () => false,
    joint = '',
    meaning = whole,
    judge,
  }: LineFormat,
  setting: Setting,
): readonly Finding[] {
  const found: Finding[] = []
  let parts: string[] = []
  let [start, from] = [0, 0]
  for (const { index, 0: ending } of [...text.matchAll(ends), { index: text.length, 0: '' }]) {
    const raw = text.slice(from, index)
    const kept = plain(raw)
    if (parts.length === 0) start = from + (raw.length - raw.trimStart().length)
    if (parts.length > 0 || kept.trim() !== '') parts.push(kept)
    const end = Math.max(start, from + kept.trimEnd().length)
    from = index + ending.length
    if (isOpen(kept, raw) && index < text.length) continue
    const line = parts.join(joint).trim()
    const why = line === '' ? null : judge(line, setting)
    if (why !== null) found.push({ start, end, category: 'packages', why, meaning: meaning(line) })
    parts = []
  }
  return found
}
