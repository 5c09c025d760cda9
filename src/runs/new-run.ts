import { createHash } from 'node:crypto'
import { changeState } from '../core/domain/change-state.ts'
import { type Asked, type RunState, stateVersion } from '../core/domain/run-state.ts'
import { noUsage } from '../core/domain/usage.ts'
import type { RepositoryView } from '../core/ports/workspace.ts'
import type { Ports } from '../core/ports.ts'

export const nothingAsked: Asked = { answers: {}, feedback: {}, grants: {}, issues: [] }

/** Identifies the request: a different one must not resume its state. */
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

/** Knowledge of earlier runs of this roadmap, and the start of this one. */
export interface KnownBefore {
  /** Keeps the ids of tasks without boxes; drops amendments that were merged meanwhile. */
  readonly roadmap?: Pick<RunState['roadmap'], 'normalized' | 'amendments'>
  readonly tasks?: Pick<RunState['tasks'], 'parked' | 'failedBefore' | 'lacked'>
  readonly progress?: Pick<RunState['progress'], 'stuck' | 'awaitsTests'>
  readonly run?: Pick<RunState['run'], 'remark' | 'gap'>
  readonly learned?: Pick<RunState['learned'], 'forgotten' | 'windows' | 'speeds' | 'forms'>
}

/** The state before the first node. The run's id sorts by time and is unique. */
export function newRun(
  ports: Pick<Ports, 'clock' | 'random' | 'settings'>,
  request: Parameters<typeof nameRequest>[0],
  view: RepositoryView,
  known: KnownBefore = {},
): RunState {
  const startedAt = ports.clock.now()
  const stamp = startedAt.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const fresh: RunState = {
    version: stateVersion,
    run: {
      id: `run-${stamp}-${ports.random.hex(6)}`,
      startedAt,
      completedAt: null,
      dryRun: request.dryRun,
      approvalMode: ports.settings.approvalMode,
      only: request.only,
      request: nameRequest(request),
      remark: null,
      gap: null,
    },
    roadmap: {
      path: ports.settings.roadmap,
      base: view.base,
      normalized: null,
      amendments: [],
      preview: null,
      changes: [],
    },
    asked: request.asked ?? nothingAsked,
    progress: { next: 'parse_roadmap', resumeAt: null, stopped: null, retryAt: null, limits: [] },
    attempt: null,
    tasks: {
      results: {},
      parked: {},
      heads: {},
      questions: {},
      failedBefore: {},
      lacked: {},
      retried: [],
      leases: {},
    },
    spent: { usage: noUsage, calls: 0, seconds: 0, nodes: {} },
    record: { recoveries: [], destructive: [], errors: [], hidden: [] },
    learned: { windows: {}, corrections: {}, thinking: [], forgotten: [] },
    pullRequests: { opened: 0, open: [] },
  }
  return changeState(fresh, known)
}
