import type { Finding } from '../finding.ts'
import { isInsideRepository, type Setting } from './judges.ts'
import { isKnownSource, sourceOf } from './sources.ts'

/** How a file of lines is read, and what in it needs a person's approval. */
export interface LineFormat {
  readonly ends?: RegExp
  /** A line of the file without its comment; offsets stay. */
  readonly plain?: (raw: string) => string
  /** True when the next line of the file continues this one. */
  readonly isOpen?: (plain: string, raw: string) => boolean
  /** Text between lines that are joined. */
  readonly joint?: string
  /** The part of a joined line that identifies it; all of it by default. */
  readonly meaning?: (line: string) => string
  readonly judge: LineJudge
}

export type LineJudge = (line: string, setting: Setting) => string | null

/** Judges lines by patterns; the first one with a verdict decides. */
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

/** A group, if there is one, is the address or path that decides; `null` ends the search. */
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
