import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Note, WorkOrder } from './worker.ts'

interface Member {
  readonly child: ChildProcess
  /** The jobs that it has started and not ended. */
  readonly holds: Set<string>
  isDismissed: boolean
}

/** What a worker notes, or that it was killed during the job, with the time in milliseconds. */
export interface FleetEvent extends Omit<Note, 'kind'> {
  readonly kind: Note['kind'] | 'killed'
  readonly at: number
}

/** The workers of a fleet, each a process. */
export interface Team {
  hire(): void
  /** Kills this many that work on a job, and hires as many. */
  replace(count: number): Promise<void>
  dismiss(): Promise<void>
  /** Waits until this many jobs are done. */
  ended(count: number): Promise<void>
  /** When the next job is done, in milliseconds. */
  nextEnd(): Promise<number>
  /** In the order in which they came. */
  events(): readonly FleetEvent[]
  /** Workers that nobody killed. */
  deserted(): number
}

const script = join(import.meta.dirname, 'worker.ts')

export function createTeam(order: WorkOrder): Team {
  const members = new Set<Member>()
  const events: FleetEvent[] = []
  const ends = new Map<string, number>()
  const watchers = new Set<() => void>()
  let deserted = 0
  const read = (member: Member, note: Note): void => {
    const { kind, id } = note
    const at = Date.now()
    events.push({ ...note, at })
    if (kind === 'start') member.holds.add(id)
    if (kind === 'end' || kind === 'later') member.holds.delete(id)
    if (kind !== 'end') return
    ends.set(id, at)
    for (const look of watchers) look()
  }
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (!holds()) return
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
    })
  const hire = (): void => {
    const child = spawn(process.execPath, [script, JSON.stringify(order)], {
      stdio: ['ignore', 'pipe', process.env.FLEET_DEBUG ? 'inherit' : 'ignore'],
    })
    const member: Member = { child, holds: new Set(), isDismissed: false }
    members.add(member)
    createInterface(child.stdout).on('line', (line) => read(member, JSON.parse(line)))
    child.on('exit', () => {
      members.delete(member)
      if (!member.isDismissed) deserted += 1
    })
  }
  const kill = async (member: Member): Promise<void> => {
    member.isDismissed = true
    const exited = once(member.child, 'close')
    member.child.kill('SIGKILL')
    await exited
  }
  return {
    hire,
    async replace(count) {
      const busy = [...members].toSorted((a, b) => b.holds.size - a.holds.size).slice(0, count)
      const at = Date.now()
      await Promise.all(busy.map(kill))
      for (const id of busy.flatMap(({ holds }) => [...holds]))
        events.push({ kind: 'killed', id, at })
      for (const _ of busy) hire()
    },
    dismiss: async () => void (await Promise.all([...members].map(kill))),
    ended: (count) => until(() => ends.size >= count),
    async nextEnd() {
      const before = ends.size
      await until(() => ends.size > before)
      return Math.max(...ends.values())
    },
    events: () => events,
    deserted: () => deserted,
  }
}
