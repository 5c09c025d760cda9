import { dependencyPlaces, sortByDependencies } from '../../../packages/task/task.ts'
import { clip } from '../../../packages/text/text.ts'
import type { PlanPart } from '../../core/domain/attempt.ts'

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
  const given = parts.map((part) => ({ ...part, needs: part.needs.filter((id) => known.has(id)) }))
  const places = dependencyPlaces(given.map(({ id, needs: dependsOn }) => ({ id, dependsOn })))
  const { order, stuck } = sortByDependencies(places, [...given.keys()])
  if (stuck.length > 0) {
    const circle = clip(stuck.map((index) => ids[index]).join(', '), longestList)
    return { parts: [], faults: [...faults, `the needs of the steps ${circle} form a circle`] }
  }
  return { parts: order.flatMap((index) => given[index] ?? []), faults }
}

/** In characters. */
const longestList = 80
