import type { Job } from '../../src/core/ports/job-queue.ts'
import type { FleetTask } from './worker.ts'

/** Parts of all repositories: one large organisation, and others down to a few repositories. */
const parts = [0.5, 0.2, 0.1, 0.08, 0.05, 0.04, 0.02, 0.01]

export interface Plan {
  /** Each repository's name and installation. */
  readonly repositories: readonly { readonly name: string; readonly installation: number }[]
  readonly jobs: readonly Job<FleetTask>[]
}

const tasksEach = 2

/** Two tasks in each repository, all wanted at once, those of the largest installation first. */
export function planFleet(count: number): Plan {
  const repositories = parts.flatMap((part, index) =>
    Array.from({ length: Math.max(1, Math.round(part * count)) }, (_, number) => ({
      name: `org-${index + 1}/app-${number + 1}`,
      installation: index + 1,
    })),
  )
  const jobs = repositories.flatMap(({ name, installation }) =>
    Array.from({ length: tasksEach }, (_, index) => ({
      ...{ id: `${name} T-${index + 1}`, repository: name, installation, event: 'schedule' },
      ...{ payload: { task: `T-${index + 1}` }, receivedAt: new Date().toISOString() },
    })),
  )
  return { repositories, jobs }
}

/**
 * How many jobs start before a job and with it when installations take turns: of each installation as many as of its own. What
 * it waits is compared with this, its share.
 */
export function fairPositions(jobs: readonly Job[]): ReadonlyMap<string, number> {
  const total = Map.groupBy(jobs, ({ installation }) => installation)
  const positions = new Map<string, number>()
  for (const own of total.values()) {
    own.forEach(({ id }, index) => {
      const before = [...total.values()].map(({ length }) => Math.min(length, index + 1))
      positions.set(
        id,
        before.reduce((sum, each) => sum + each, 0),
      )
    })
  }
  return positions
}
