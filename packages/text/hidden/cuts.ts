import type { HiddenText } from './hidden-record.ts'

/** A piece to remove from a text. Offsets in UTF-16 units, `end` exclusive. */
export interface Cut {
  readonly start: number
  readonly end: number
  readonly instead?: string
  readonly channel: string
}

export function cutsOf(
  text: string,
  pattern: RegExp,
  channel: string,
  instead = '',
): readonly Cut[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
    ...{ start: index, end: index + found.length },
    ...{ instead, channel },
  }))
}

/** Shifts the pieces of a part of a text to the whole. */
export const cutsFrom = (start: number, cuts: readonly Cut[]): readonly Cut[] =>
  cuts.map((cut) => ({ ...cut, start: start + cut.start, end: start + cut.end }))

export interface Stripped {
  readonly text: string
  readonly removed: readonly HiddenText[]
}

const excerptLimit = 120

/** Removes the pieces, skipping those inside others; keeps line feeds and so line numbers. */
export function applyCuts(text: string, cuts: readonly Cut[]): Stripped {
  if (cuts.length === 0) return { text, removed: [] }
  const sorted = cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const parts: string[] = []
  const removed: HiddenText[] = []
  let [at, line] = [0, 1]
  for (const { start, end, instead = '', channel } of sorted) {
    if (end <= at && at > 0) continue
    const from = Math.max(start, at)
    const kept = text.slice(at, from)
    const hidden = text.slice(from, end)
    line += countLineFeeds(kept)
    parts.push(kept, instead, '\n'.repeat(countLineFeeds(hidden)))
    removed.push({ channel, line, excerpt: showHidden(hidden) })
    line += countLineFeeds(hidden)
    at = end
  }
  parts.push(text.slice(at))
  return { text: parts.join(''), removed }
}

const countLineFeeds = (text: string): number => text.split('\n').length - 1

/** Makes hidden text visible: `<U+202E>`; tag characters also as the letters they spell. */
function showHidden(text: string): string {
  const plain = text.slice(0, 4 * excerptLimit).replace(/[\u{E0020}-\u{E007E}]+/gu, (tags) => {
    const letters = [...tags].map((tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000))
    return `<tags: ${letters.join('')}>`
  })
  const shown = plain
    .replace(/\s+/g, ' ')
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, nameOf)
  return shown.length > excerptLimit ? `${shown.slice(0, excerptLimit).toWellFormed()}…` : shown
}

const nameOf = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`
