import type { PlanPart } from '../../core/domain/attempt.ts'
import { clip } from '../../text/words/words.ts'

/**
 * Puts the parts of a plan into an order in which each follows what it needs; the given order where needs leave a
 * choice. Drops unknown needs. Returns no parts when two share an id or some need each other, because then none can
 * come first.
 */
export function orderParts(parts: readonly PlanPart[]): {
  readonly parts: readonly PlanPart[]
  readonly faults: readonly string[]
} {
  const ids = parts.map(({ id }) => id)
  const known = new Set(ids)
  const twice = [...known].filter((id) => ids.indexOf(id) !== ids.lastIndexOf(id))
  if (twice.length > 0) return { parts: [], faults: [`two steps have the id ${twice[0]}`] }
  const faults = parts.flatMap(({ id, needs }) =>
    needs
      .filter((need) => !known.has(need))
      .map((need) => `step ${id} needs ${need}: no such step`),
  )
  const left = parts.map((part) => ({ ...part, needs: part.needs.filter((id) => known.has(id)) }))
  const ordered: PlanPart[] = []
  const done = new Set<string>()
  while (left.length > 0) {
    const next = left.findIndex(({ needs }) => needs.every((id) => done.has(id)))
    const [part] = next < 0 ? [] : left.splice(next, 1)
    if (part === undefined) {
      const stuck = clip(left.map(({ id }) => id).join(', '), longestList)
      return { parts: [], faults: [...faults, `the needs of the steps ${stuck} form a circle`] }
    }
    ordered.push(part)
    done.add(part.id)
  }
  return { parts: ordered, faults }
}

/** In characters. */
const longestList = 80
