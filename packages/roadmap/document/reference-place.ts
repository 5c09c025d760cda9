/** Names of tasks by their place: "the previous task", "all of the above", "all previous phases", "everything else". */
export interface PlaceReference {
  readonly unit: 'task' | 'section' | 'phase'
  /** The nearest one before, all before, or all others. */
  readonly which: 'previous' | 'above' | 'others'
}

const units =
  '(?<unit>tasks?|items?|steps?|tickets?|stor(?:y|ies)|box(?:es)?|ones?|sections?|milestones?|phases?|stages?)'
const before = '(?:previous|preceding|prior|earlier|above)'
const after = '(?:above|before(?: (?:this|it))?|so far)'
const all = '(?:all|everything|each|every)(?: (?:of )?(?:the|these|those))?'

const forms = (
  [
    ['above', `${all} ${before}(?: ${units})?|(?:the )?above|${all} ${after}`],
    ['above', `${all} ${units} ${after}`],
    ['previous', `(?:the )?${before}(?: ${units})?`],
    ['previous', `(?:the )?${units} ${after}`],
    ['others', `${all}(?: (?:other|others|else|remaining|current))?(?: ${units})?`],
  ] as const
).map(([which, pattern]) => ({ which, pattern: new RegExp(`^(?:${pattern})$`) }))

/** A cheap test: false for a text that cannot name a task by its place. */
export const mayBePlace = (text: string): boolean =>
  /\b(?:all|every|everything|each|previous|preceding|prior|earlier|above|before)\b/i.test(text)

/** Reads a name by place; `null` for any other text. */
export function readPlace(text: string): PlaceReference | null {
  if (!mayBePlace(text)) return null
  const words = text
    .toLowerCase()
    .replace(/\s*\([^()]*\)$|[.:]$/, '')
    .replace(/^(?:on|of) /, '')
    .replace(/ (?:(?:is|are|being) )?(?:done|completed?|finished|merged)$/, '')
    .trim()
  for (const { which, pattern } of forms) {
    const found = pattern.exec(words)
    if (found === null) continue
    const unit = found.groups?.unit ?? 'task'
    const isMany = which === 'previous' && /s$/.test(unit)
    return { unit: unitOf(unit), which: isMany ? 'above' : which }
  }
  return null
}

function unitOf(word: string): PlaceReference['unit'] {
  if (/^(?:phase|stage)/.test(word)) return 'phase'
  return /^(?:section|milestone)/.test(word) ? 'section' : 'task'
}

/**
 * The places of the tasks that such a name means for the task at `at`.
 *
 * @param groups what each task counts to, in order; the tasks of one phase have one value
 */
export function placesOf(
  { which }: PlaceReference,
  groups: readonly unknown[],
  at: number,
): readonly number[] {
  const places = [...groups.keys()]
  if (which === 'others') return places.filter((place) => groups[place] !== groups[at])
  const last = groups.findLastIndex((group, place) => place < at && group !== groups[at])
  if (which === 'above') return places.slice(0, last + 1)
  return places.slice(0, last + 1).filter((place) => groups[place] === groups[last])
}
