/** Where a process meets the outside, and what can go wrong there. */
import { type ErrorCode, ExecutorError } from '../../src/domain/errors.ts'
import type { EffectKind, JournalEntry } from '../../src/domain/journal-event.ts'
import type { RunState } from '../../src/domain/run-state.ts'
import { noUsage } from '../../src/domain/usage.ts'
import type { ForgeRefusal } from '../../src/ports/forge.ts'
import type { ModelReply, ModelRequest, Store } from '../../src/ports.ts'
import type { Services } from '../../src/runs/services.ts'

export type Fault =
  | 'killed before'
  | 'killed after'
  /** Of a write to the store: what it consists of was begun. */
  | 'killed within'
  /** It took effect, and nobody was told: 502 after the write, a cut connection, a time-out. */
  | 'unanswered'
  /** It did not take effect: 502 before, no connection, a rate limit that takes too long. */
  | 'unreachable'
  | 'disk full'
  /** A list as it was before the last write. */
  | 'lagging'

/** One call through a port, of a process. */
export interface Point {
  readonly index: number
  /** `forge.upsertComment`; of the model with what it is asked for, `model.complete draft`. */
  readonly call: string
  readonly faults: readonly Fault[]
  readonly effects: readonly EffectKind[]
  /** An answer of the model is paid for, and not in the journal: before this call, and after it. */
  readonly unkept: { readonly before: boolean; readonly after: boolean }
}

export interface Strike {
  readonly at: number
  readonly fault: Fault
}

/** The machine is gone. Nothing below `entry` may take it for something that can be handled. */
class Killed extends Error {
  constructor() {
    super('killed')
    this.name = 'Killed'
  }
}

const always: readonly Fault[] = ['killed before', 'killed after']
const writes: readonly Fault[] = [...always, 'unanswered', 'unreachable']
const reads: readonly Fault[] = [...always, 'unreachable']
const lists: readonly Fault[] = [...reads, 'lagging']
const saves: readonly Fault[] = [...always, 'killed within', 'disk full']

const faultsOf: Readonly<Record<string, readonly Fault[]>> = {
  'forge.pullRequests': lists,
  'forge.pullRequest': reads,
  'forge.checks': reads,
  'forge.upsertPullRequest': writes,
  'forge.upsertComment': writes,
  'forge.upsertReviewComment': writes,
  'forge.merge': writes,
  'forge.mergeWhenGreen': writes,
  'forge.close': writes,
  'forge.retarget': writes,
  'forge.label': writes,
  'forge.upsertIssue': writes,
  'discussion.self': reads,
  'discussion.overview': lists,
  'discussion.remarksSince': lists,
  'discussion.remark': reads,
  'discussion.threads': reads,
  'discussion.labelling': reads,
  'discussion.variable': reads,
  'discussion.react': writes,
  'discussion.answer': writes,
  'workspace.refresh': reads,
  'workspace.parked': reads,
  'workspace.publish': writes,
  'workspace.park': writes,
  'store.save': saves,
  'store.record': saves,
  'store.recordSpending': [...always, 'disk full'],
  'store.writeReport': [...always, 'disk full'],
}

/** What each call writes outside this machine; kinds without a call here have points at another level. */
const effectsOf: Readonly<Record<string, readonly EffectKind[]>> = {
  'forge.upsertPullRequest': ['pull_request'],
  'forge.upsertComment': ['comment'],
  'forge.upsertReviewComment': ['review_comment'],
  'forge.merge': ['merge'],
  'forge.mergeWhenGreen': ['merge'],
  'forge.close': ['close'],
  'forge.retarget': ['retarget'],
  'forge.label': ['label'],
  'forge.upsertIssue': ['issue'],
  'discussion.react': ['reaction'],
  'discussion.answer': ['comment'],
  'workspace.publish': ['branch'],
  'workspace.park': ['park'],
}

/** What the lists of the forge show, by call, before the newest write. */
export type Before = Map<string, unknown>

/** Looks at the lists as they are now, for those that will lag. */
export async function lookBefore({ ports, discussion }: Services, before: Before): Promise<void> {
  before.set('forge.pullRequests', await ports.forge.pullRequests())
  before.set('discussion.overview', await discussion.overview())
  before.set('discussion.remarksSince', await discussion.remarksSince('1970-01-01T00:00:00Z'))
}

/** The ports of a process whose calls are counted, one of which may go wrong; after its death none answers. */
export interface Process {
  readonly services: Services
  readonly points: readonly Point[]
}

/** `before`: kept up to date, and answered by what lags. */
export function watch(
  services: Services,
  strike: Strike | null,
  before: Before | null = null,
): Process {
  const points: Point[] = []
  let isUnkept = false
  let isDead = false
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
        await begin(call, given, services.ports.store)
        return die()
      case 'unanswered':
        await act()
        return failed(call)
      case 'lagging':
        return before?.get(call) ?? act()
      case 'disk full':
        throw new ExecutorError('state_unwritable', 'ENOSPC: no space left on device, write')
      case 'unreachable':
        return failed(call)
    }
  }
  const wrap = <T extends object>(door: string, port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        const method = `${door}.${String(name)}`
        if (typeof member !== 'function' || method === 'workspace.folder') return member
        return async (...given: unknown[]) => {
          if (isDead) throw new Killed()
          const wasUnkept = isUnkept
          if (method === 'model.complete') isUnkept = true
          if (method === 'store.record' && isAnswer(given[1])) isUnkept = false
          const unkept = { before: wasUnkept, after: isUnkept }
          const point = pointOf(points.length, method, given, unkept)
          points.push(point)
          const act = (): Promise<unknown> => Reflect.apply(member, target, given)
          if (before !== null && point.effects.length > 0) await lookBefore(services, before)
          const isStruck = strike?.at === point.index
          const result = await (isStruck ? meet(strike.fault, method, given, act) : act())
          if (isDead) throw new Killed()
          return result
        }
      },
    })
  const { ports, discussion } = services
  return {
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
  }
}

function pointOf(
  index: number,
  method: string,
  given: readonly unknown[],
  unkept: Point['unkept'],
): Point {
  const purpose = method === 'model.complete' ? (given[0] as ModelRequest).purpose : null
  const effects = effectsOf[method] ?? []
  return {
    index,
    call: purpose === null ? method : `${method} ${purpose}`,
    faults: purpose === null ? (faultsOf[method] ?? always) : writesOfModel(purpose),
    effects,
    unkept,
  }
}

/** Without a model a failure is put before a person: another way through the graph, not a fault. */
const writesOfModel = (purpose: ModelRequest['purpose']): readonly Fault[] =>
  purpose === 'classify' || purpose === 'recover' ? always : writes

const isAnswer = (entries: unknown): boolean =>
  Array.isArray(entries) && entries.some(({ kind }: JournalEntry) => kind === 'answered')

/** The part of a write to the store that comes first. */
async function begin(method: string, given: readonly unknown[], store: Store): Promise<void> {
  if (method === 'store.save') {
    const [{ runId }, entries = []] = given as [RunState, (readonly JournalEntry[])?]
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
  const isWrite = faultsOf[method]?.includes('unanswered') === true
  if (isWrite) return { status: 'refused', code: 'forge_unreachable', detail }
  const code: ErrorCode = method.startsWith('workspace.') ? 'git_failed' : 'forge_unreachable'
  throw new ExecutorError(code, detail)
}
