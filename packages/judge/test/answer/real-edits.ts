import { structuredPatch } from 'diff'
import type { Chance } from './random.ts'
import type { SourceText } from './source-texts.ts'

/** A change of one file as it was meant. */
export interface RealEdit {
  readonly path: string
  readonly before: string
  readonly after: string
}

const words = ['limit', 'retry', 'label', 'owner', 'cached', 'total', 'strict', 'region']

/** Makes one to three changes in a text, as people do: inserts, rewrites or removes lines. */
export function makeEdit({ path, text }: SourceText, chance: Chance): RealEdit {
  const lines = text.split('\n')
  const count = chance.pick([1, 1, 2, 2, 3])
  const places = Array.from({ length: count }, () => placeOf(lines, chance))
  let after = lines
  for (const place of [...new Set(places)].toSorted((a, b) => b - a)) {
    after = changeAt(after, place, chance)
  }
  const edit = { path, before: text, after: after.join('\n') }
  return edit.after !== text && isCertain(edit) ? edit : makeEdit({ path, text }, chance)
}

/** True when each change, with three lines around it, fits only one place, ignoring white space. */
function isCertain({ path, before, after }: RealEdit): boolean {
  const squeeze = (lines: readonly string[]) => lines.map((line) => line.trim()).join('\n')
  const file = `\n${squeeze(before.split('\n'))}\n`
  return structuredPatch(path, path, before, after, '', '', { context: 3 }).hunks.every(
    ({ lines }) => {
      const old = lines.filter((line) => /^[ -]/.test(line)).map((line) => line.slice(1))
      return file.split(`\n${squeeze(old)}\n`).length === 2
    },
  )
}

/** A line that is not blank. */
function placeOf(lines: readonly string[], chance: Chance): number {
  for (;;) {
    const place = chance.between(0, lines.length - 1)
    if (/\w/.test(lines[place] ?? '')) return place
  }
}

function changeAt(lines: readonly string[], place: number, chance: Chance): string[] {
  const kind = chance.pick(['insert', 'insert', 'replace', 'replace', 'replace', 'delete'] as const)
  const count = Math.min(chance.between(1, 3), lines.length - 1 - place)
  const here = lines.slice(place, place + Math.max(1, count))
  const renewed = here.map((line) => rewrite(line, chance))
  switch (kind) {
    case 'insert':
      return lines.toSpliced(place + (chance.happens(0.5) ? 0 : here.length), 0, ...renewed)
    case 'delete':
      return lines.toSpliced(place, here.length)
    case 'replace': {
      const more = chance.happens(0.4) ? [rewrite(here.at(-1) ?? '', chance)] : []
      return lines.toSpliced(place, here.length, ...renewed, ...more)
    }
  }
}

/** The line with one of its words replaced, its indentation kept. */
function rewrite(line: string, chance: Chance): string {
  const found = [...line.matchAll(/[A-Za-z]{3,}/g)]
  if (found.length === 0) return line
  const word = chance.pick(found)
  const other = `${chance.pick(words)}${chance.between(1, 99)}`
  return line.slice(0, word.index) + other + line.slice(word.index + word[0].length)
}
