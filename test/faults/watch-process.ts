/** A process whose calls are counted, one of which may go wrong. */

import type { SandboxRequest } from '../../packages/sandbox/port.ts'
import type { SharedRefs, Wanted } from '../../src/adapters/durable-store/shared-state.ts'
import { type ErrorCode, ExecutorError } from '../../src/core/domain/errors.ts'
import type { JournalEntry } from '../../src/core/domain/journal-event.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import { noUsage } from '../../src/core/domain/usage.ts'
import type { ForgeRefusal } from '../../src/core/ports/forge.ts'
import type { ModelReply } from '../../src/core/ports/model.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { isOfChange, type MemoryWorld, type Started } from './memory-world.ts'
import { type Fault, isAnswering, isWrite, type Point, pointOf, type Strike } from './points.ts'

/** The machine is gone. Nothing below `entry` may take it for something that can be handled. */
class Killed extends Error {
  constructor() {
    super('killed')
    this.name = 'Killed'
  }
}

/** What the lists show, by call, before the newest write. */
export type Before = Map<string, unknown>

/** Looks at the lists as they are now, for those that will lag. */
export async function lookBefore(
  { forge, discussion }: MemoryWorld,
  before: Before,
): Promise<void> {
  before.set('forge.pullRequests', await forge.pullRequests())
  before.set('discussion.overview', await discussion.overview())
  before.set('discussion.remarksSince', await discussion.remarksSince('1970-01-01T00:00:00Z'))
}

/** Its ports; after its death none answers. */
export interface Process extends Started {
  readonly points: readonly Point[]
  /** Answers that no other process could find when it ended or died. */
  readonly unkept: () => number
  /** Test runs of a change whose result no other process on this disk could find. */
  readonly untested: () => number
}

export interface Watched {
  readonly strike?: Strike | null
  /** Kept up to date, and answered by what lags. */
  readonly before?: Before | null
  /** Waited for before each call. */
  readonly turn?: (index: number) => Promise<void>
}

/** Doors, and what of them is no meeting with the outside. */
const silent: ReadonlySet<string> = new Set(['workspace.folder', 'refs.show'])

/** A new process of that world. */
export function watch(
  world: MemoryWorld,
  { strike = null, before = null, turn = async () => {} }: Watched,
): Process {
  const points: Point[] = []
  let [unkept, isDead, writes] = [0, false, 0]
  /** An answer is as safe as what keeps it: the disk, or the repository once it was pushed. By their hashes. */
  let unpushed: readonly string[] = []
  /** Folders in which tests of a change ran, until a step of that task is saved. */
  let untested: readonly string[] = []
  let isFull = false
  const die = (): never => {
    isDead = true
    throw new Killed()
  }
  async function meet(
    fault: Fault,
    call: string,
    given: readonly unknown[],
    act: () => Promise<unknown>,
  ): Promise<unknown> {
    switch (fault) {
      case 'killed before':
        return die()
      case 'killed after':
        await act()
        return die()
      case 'killed within':
        await begin(call, given, started.services.ports.store)
        return die()
      case 'unanswered':
        await act()
        return failed(call)
      case 'lagging':
        return before?.get(call) ?? act()
      case 'disk full':
        isFull = true
        throw new ExecutorError('state_unwritable', 'ENOSPC: no space left on device, write')
      case 'unreachable':
        return failed(call)
      case 'outrun':
        world.outrun()
        return act()
      case 'forbidden':
        world.place.refusal = { code: 'branch_protected', detail: 'GH013' }
        return act()
    }
  }
  /** After the call: a lane that is about to keep an answer may die beside another one. */
  function noteKept(method: string, given: readonly unknown[]): void {
    if (method === 'store.record') {
      const hashes = answersIn(given[1])
      if (world.machines === 'fresh machines') unpushed = [...unpushed, ...hashes]
      else unkept -= hashes.length
    }
    if (method === 'refs.push') {
      const { files } = given[1] as Wanted
      const texts = [...files.values()].join('\n')
      const left = unpushed.filter((hash) => !texts.includes(hash))
      unkept -= unpushed.length - left.length
      unpushed = left
    }
  }
  const wrap = <T extends object>(door: string, port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        const method = `${door}.${String(name)}`
        if (typeof member !== 'function' || silent.has(method)) return member
        return async (...given: unknown[]) => {
          if (isDead) throw new Killed()
          const place = { index: points.length, unkept, writes }
          if (method === 'model.complete') unkept += 1
          const point = pointOf(method, given, place)
          points.push(point)
          if (isWrite(method)) writes += 1
          await turn(point.index)
          if (isDead) throw new Killed()
          const act = async (): Promise<unknown> => {
            const result: unknown = await Reflect.apply(member, target, given)
            noteKept(method, given)
            return result
          }
          if (before !== null && point.effects.length > 0) await lookBefore(world, before)
          if (before !== null && method === 'refs.push') {
            before.set('refs.fetch', await (target as unknown as SharedRefs).fetch())
          }
          untested = [...untested, ...testedBy(method, given)]
          const isStruck = strike?.at === point.index
          const result = await (isStruck ? meet(strike.fault, method, given, act) : act())
          if (isDead) throw new Killed()
          if (!isFull) untested = untested.filter((folder) => !keepsTests(folder, method, given))
          return result
        }
      },
    })
  const started = world.start(wrap)
  const { ports, discussion } = started.services
  return {
    ...started,
    services: {
      ports: {
        ...ports,
        forge: wrap('forge', ports.forge),
        workspace: wrap('workspace', ports.workspace),
        store: wrap('store', ports.store),
        model: wrap('model', ports.model),
        sandbox: wrap('sandbox', ports.sandbox),
      },
      discussion: wrap('discussion', discussion),
    },
    points,
    unkept: () => unkept,
    untested: () => untested.length,
  }
}

const answersIn = (entries: unknown): readonly string[] =>
  (entries as readonly JournalEntry[]).flatMap((entry) =>
    entry.kind === 'answered' ? entry.hash : [],
  )

/** Whether a write keeps the result of the tests in this folder: a step of the task, or its observation. */
function keepsTests(folder: string, method: string, given: readonly unknown[]): boolean {
  const kind = method === 'store.save' ? 'stepped' : method === 'store.record' ? 'observed' : null
  const entries = kind === null ? [] : ((given[1] ?? []) as readonly JournalEntry[])
  return entries.some((entry) => {
    const task = 'task' in entry && entry.kind === kind ? entry.task : null
    return task !== null && folder.endsWith(`/${task}`)
  })
}

const testedBy = (method: string, given: readonly unknown[]): readonly string[] => {
  const { folder } = method === 'sandbox.run' ? (given[0] as SandboxRequest) : { folder: '' }
  return isOfChange(folder) ? [folder] : []
}

/** The part of a write to the store that comes first. */
async function begin(method: string, given: readonly unknown[], store: Store): Promise<void> {
  if (method === 'store.save') {
    const [
      {
        run: { id: runId },
      },
      entries = [],
    ] = given as [RunState, (readonly JournalEntry[])?]
    await store.record(runId, entries)
  } else {
    const [run, entries] = given as [string, readonly JournalEntry[]]
    await store.record(run, entries.slice(0, -1))
  }
}

/** How each port says that the other side cannot be reached. */
function failed(method: string): ForgeRefusal | ModelReply {
  const detail = '502 Bad Gateway'
  if (method === 'model.complete') {
    return { status: 'unavailable', reason: detail, retryAt: null, usage: noUsage }
  }
  if (isAnswering(method)) return { status: 'refused', code: 'forge_unreachable', detail }
  const code: ErrorCode = /^(?:workspace|refs)\./.test(method) ? 'git_failed' : 'forge_unreachable'
  throw new ExecutorError(code, detail)
}
