import { createHash } from 'node:crypto'
import type { Asked, RunState } from '../core/domain/run-state.ts'
import { noUsage } from '../core/domain/usage.ts'
import type { RepositoryView } from '../core/ports/workspace.ts'
import type { Ports } from '../core/ports.ts'

export const nothingAsked: Asked = { answers: {}, feedback: {}, grants: {}, issues: [] }

/** Which run is meant: another one must not go on with its state. */
export function nameRequest(request: {
  readonly only: readonly string[] | null
  readonly dryRun: boolean
  readonly asked?: Asked
}): string {
  const { only, dryRun, asked = nothingAsked } = request
  const { answers, feedback, grants, issues } = asked
  const text = JSON.stringify([only, dryRun, answers, feedback, grants, issues])
  return createHash('sha256').update(text).digest('hex')
}

/** The state before the first node. The run's id sorts by time and is unique. */
export function newRun(
  ports: Pick<Ports, 'clock' | 'random' | 'settings'>,
  request: {
    readonly only: readonly string[] | null
    readonly dryRun: boolean
    readonly asked?: Asked
    readonly remark?: string | null
    /** What an earlier run learned of a roadmap without boxes: the same tasks keep their ids. */
    readonly normalized?: RunState['normalized']
    /** Tasks that earlier runs replaced; those merged meanwhile no longer fit and fall away. */
    readonly amendments?: RunState['amendments']
    /** Changes of an earlier run that wait for a person. */
    readonly parked?: RunState['parked']
    readonly failedBefore?: RunState['failedBefore']
    readonly lacked?: RunState['lacked']
    readonly stuck?: RunState['stuck']
    readonly gap?: RunState['gap']
  },
  view: RepositoryView,
): RunState {
  const startedAt = ports.clock.now()
  const stamp = startedAt.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return {
    version: 2,
    runId: `run-${stamp}-${ports.random.hex(6)}`,
    startedAt,
    completedAt: null,
    dryRun: request.dryRun,
    approvalMode: ports.settings.approvalMode,
    roadmap: ports.settings.roadmap,
    base: view.base,
    only: request.only,
    ...(request.asked ?? nothingAsked),
    request: nameRequest(request),
    remark: request.remark ?? null,
    normalized: request.normalized ?? null,
    amendments: request.amendments ?? [],
    preview: null,
    next: 'parse_roadmap',
    attempt: null,
    parked: request.parked ?? {},
    results: {},
    heads: {},
    questions: {},
    failedBefore: request.failedBefore ?? {},
    lacked: request.lacked ?? {},
    retried: [],
    usage: noUsage,
    calls: 0,
    seconds: 0,
    nodes: {},
    recoveries: [],
    destructive: [],
    roadmapChanges: [],
    errors: [],
    hidden: [],
    limits: [],
    retryAt: null,
    stopped: null,
    stuck: request.stuck,
    resumeAt: null,
    pullRequestsOpened: 0,
    openPullRequests: [],
    windows: {},
    corrections: {},
    held: {},
    gap: request.gap ?? null,
  }
}
