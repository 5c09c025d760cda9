/** Where a process meets the outside, and what can go wrong there. */
import type { Wanted } from '../../src/adapters/durable-store/shared-state.ts'
import type { EffectKind } from '../../src/core/domain/journal-event.ts'
import type { ModelRequest } from '../../src/core/ports/model.ts'

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
  /** Somebody else pushed first. */
  | 'outrun'
  /** The repository does not let us, and will not. */
  | 'forbidden'

/** One call through a port, of a process. */
export interface Point {
  readonly index: number
  /** `forge.upsertComment`; of the model with what it is asked for, `model.complete draft`. */
  readonly call: string
  readonly faults: readonly Fault[]
  readonly effects: readonly EffectKind[]
  /** Answers of the model that are paid for, and that no other process could find, before this call. */
  readonly unkept: number
  /** How much was written before it, anywhere: a death after reads alone is like the one before them. */
  readonly writes: number
}

export interface Strike {
  readonly at: number
  readonly fault: Fault
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
  'refs.fetch': lists,
  'refs.push': [...writes, 'outrun', 'forbidden'],
}

/**
 * What each call writes outside this machine. `people` and `dispatch` are requests to GitHub without a
 * call of their own: `github-calls.ts` has their places.
 */
const effectsOf: Readonly<Record<string, readonly EffectKind[]>> = {
  'forge.upsertPullRequest': ['pull_request'],
  'forge.upsertComment': ['comment'],
  'forge.upsertReviewComment': ['review_comment'],
  'forge.merge': ['merge'],
  'forge.close': ['close'],
  'forge.retarget': ['retarget'],
  'forge.label': ['label'],
  'forge.upsertIssue': ['issue'],
  'discussion.react': ['reaction'],
  'discussion.answer': ['comment'],
  'workspace.publish': ['branch'],
  'workspace.park': ['park'],
}

export function pointOf(
  method: string,
  given: readonly unknown[],
  place: Pick<Point, 'index' | 'unkept' | 'writes'>,
): Point {
  const purpose = method === 'model.complete' ? (given[0] as ModelRequest).purpose : null
  return {
    ...place,
    call: purpose === null ? method : `${method} ${purpose}`,
    faults: purpose === null ? (faultsOf[method] ?? always) : writesOfModel(purpose),
    effects: method === 'refs.push' ? pushedBy(given[1] as Wanted) : (effectsOf[method] ?? []),
  }
}

const pushedBy = ({ files, leases }: Wanted): readonly EffectKind[] => [
  ...(files.size > 0 ? (['state'] as const) : []),
  ...(leases.size > 0 ? (['claim'] as const) : []),
]

/** Whether anything is otherwise after such a call. */
export const isWrite = (method: string): boolean =>
  method === 'model.complete' || faultsOf[method]?.some(isOfWrites) === true

const isOfWrites = (fault: Fault): boolean => fault === 'unanswered' || fault === 'disk full'

/** Whether it answers that it could not be reached, where others throw. */
export const isAnswering = (method: string): boolean =>
  faultsOf[method]?.includes('unanswered') === true

/** Without a model a failure is put before a person: another way through the graph, not a fault. */
const writesOfModel = (purpose: ModelRequest['purpose']): readonly Fault[] =>
  purpose === 'classify' || purpose === 'recover' ? always : writes
