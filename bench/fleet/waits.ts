import type { Job } from '../../src/core/ports/job-queue.ts'
import { fairPositions } from './plan.ts'
import type { FleetEvent } from './team.ts'

/** What a task waits for: its turn, or its repository's earlier task, by what that does meanwhile. */
export const causes = ['turn', 'run', 'limit', 'doubt', 'later', 'claim'] as const
export type Cause = (typeof causes)[number]

/** How a task waited before its first start. */
export interface Wait {
  readonly id: string
  readonly seconds: number
  /** How many jobs start before it, and with it, when installations take turns. */
  readonly share: number
  /** Starts of other tasks meanwhile, by what it waited for. */
  readonly starts: Readonly<Record<Cause, number>>
}

/** Waits of all tasks, in the order of their first starts. */
export function explainWaits(
  events: readonly FleetEvent[],
  jobs: readonly Job[],
  began: number,
): readonly Wait[] {
  const share = fairPositions(jobs)
  const earlier = earlierTasks(jobs)
  const lasts = new Map(events.map((event) => [`${event.kind} ${event.id}`, event]))
  const doing = new Map<string, { readonly what: Cause; readonly until: number }>()
  const waiting = new Map(jobs.map(({ id }) => [id, emptyCount()]))
  const waits: Wait[] = []
  for (const event of events) {
    const { kind, id, at, seconds = Number.POSITIVE_INFINITY } = event
    const starts = waiting.get(id)
    if (kind === 'start' && starts !== undefined) {
      waiting.delete(id)
      waits.push({ id, seconds: (at - began) / 1000, share: share.get(id) ?? 1, starts })
      for (const [other, count] of waiting) {
        const now = doing.get(earlier.get(other) ?? '')
        count[now === undefined ? 'turn' : now.until >= at ? now.what : 'run'] += 1
      }
    }
    if (kind === 'end' && lasts.get(`end ${id}`) === event) doing.delete(id)
    else doing.set(id, { what: causeOf[kind], until: at + seconds * 1000 })
  }
  return waits
}

/** The task itself counts: 1 is what it would wait if installations took turns one by one. */
export const turnToShare = ({ starts, share }: Wait): number => (starts.turn + 1) / share

export const allToShare = ({ starts, share }: Wait): number =>
  causes.reduce((sum, cause) => sum + starts[cause], 1) / share

/** What its repository's next task waits for after an event. An end that is not the last was not recorded. */
const causeOf: Readonly<Record<FleetEvent['kind'], Cause>> = {
  ...{ start: 'run', limit: 'limit', doubt: 'doubt', later: 'later' },
  ...{ killed: 'claim', end: 'claim' },
}

const emptyCount = (): Record<Cause, number> => ({
  ...{ turn: 0, run: 0, limit: 0, doubt: 0, later: 0, claim: 0 },
})

/** Each task's earlier one in its repository. */
function earlierTasks(jobs: readonly Job[]): ReadonlyMap<string, string> {
  const own = [...Map.groupBy(jobs, ({ repository }) => repository).values()]
  return new Map(
    own.flatMap((tasks) =>
      tasks.slice(1).map(({ id }, index) => [id, tasks[index]?.id ?? ''] as const),
    ),
  )
}

const words: Readonly<Record<Cause, string>> = {
  turn: 'for its turn',
  run: 'while the earlier task of its repository ran',
  limit: 'while that waited for the limit of writes',
  doubt: 'while that read whether a write had taken effect',
  later: 'while that was back in the queue',
  claim: 'while that was held by a dead worker, or done and not recorded',
}

/** One line about a wait, for a person. */
export const describeWait = ({ id, seconds, share, starts }: Wait): string => {
  const parts = causes.filter((cause) => starts[cause] > 0)
  const told = parts.map((cause) => `${starts[cause]} ${words[cause]}`)
  return `${id}, after ${seconds.toFixed(1)} s: of ${share} starts that are its share, ${told.join(', ')}`
}

/** From the kill of its worker to its next start, for each job that a worker was killed in. */
export function secondsUntilStart(events: readonly FleetEvent[]): readonly number[] {
  return events.flatMap(({ kind, id, at }, index) => {
    if (kind !== 'killed') return []
    const start = events.slice(index).find((event) => event.kind === 'start' && event.id === id)
    return [((start?.at ?? Number.NaN) - at) / 1000]
  })
}
