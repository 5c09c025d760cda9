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

/** What a run is told besides what it is asked for, and what it begins with where nobody tells it. */
const nothingKnown = {
  /** What an earlier run learned of a roadmap without boxes: the same tasks keep their ids. */
  normalized: null,
  /** Tasks that earlier runs replaced; those merged meanwhile no longer fit and fall away. */
  amendments: [],
  /** Changes of an earlier run that wait for a person. */
  parked: {},
  failedBefore: {},
  lacked: {},
  stuck: undefined,
  gap: null,
  remark: null,
} as const satisfies Partial<RunState>

export type KnownBefore = Partial<Pick<RunState, keyof typeof nothingKnown>>

/** The state before the first node. The run's id sorts by time and is unique. */
export function newRun(
  ports: Pick<Ports, 'clock' | 'random' | 'settings'>,
  request: Parameters<typeof nameRequest>[0],
  view: RepositoryView,
  known: KnownBefore = {},
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
    ...nothingKnown,
    ...known,
    preview: null,
    next: 'parse_roadmap',
    attempt: null,
    results: {},
    heads: {},
    questions: {},
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
    resumeAt: null,
    pullRequestsOpened: 0,
    openPullRequests: [],
    windows: {},
    corrections: {},
    held: {},
  }
}
