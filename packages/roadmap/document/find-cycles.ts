import {
  dependencyPlaces,
  type RoadmapProblem,
  sortByDependencies,
  type Task,
} from '../../task/task.ts'

type Node = Pick<Task, 'id' | 'dependsOn' | 'status' | 'line'>

/** Reports each ring of open tasks that wait for each other. */
export function findCycles(tasks: readonly Node[]): RoadmapProblem[] {
  const open = tasks.filter(({ status }) => status !== 'done')
  const dependencies = dependencyPlaces(open)
  const { stuck } = sortByDependencies(dependencies, [...open.keys()])
  return findRings(dependencies, stuck).map((ring) =>
    toProblem(ring.flatMap((place) => open[place] ?? [])),
  )
}

// Each stuck task waits for another stuck task, so following them always leads into a ring.
function findRings(dependencies: readonly (readonly number[])[], stuck: readonly number[]) {
  const isStuck = new Set(stuck)
  const walkOf = new Map<number, number>()
  const rings: number[][] = []
  for (const start of stuck) {
    const walk: number[] = []
    let place: number | undefined = start
    while (place !== undefined && !walkOf.has(place)) {
      walkOf.set(place, start)
      walk.push(place)
      place = dependencies[place]?.find((dependency) => isStuck.has(dependency))
    }
    if (place !== undefined && walkOf.get(place) === start)
      rings.push(walk.slice(walk.indexOf(place)))
  }
  return rings
}

const shown = 12

function toProblem(ring: readonly Node[]): RoadmapProblem {
  const named = ring.slice(0, shown).map(({ id, line }) => `${id} (line ${line})`)
  const more = ring.length > shown ? [`${ring.length - shown} more`] : []
  const path = [...named, ...more, ring[0]?.id].join(' → ')
  return {
    rule: 'dependency-cycle',
    severity: 'error',
    line: ring[0]?.line ?? 1,
    column: 1,
    message: `These tasks wait for each other, so none can start: ${path}.`,
    fix: 'Remove one of these dependencies.',
  }
}
