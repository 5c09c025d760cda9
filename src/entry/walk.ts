import { ExecutorError } from '../core/domain/errors.ts'
import type { RunState } from '../core/domain/run-state.ts'
import { dryRunPorts } from '../runs/run-ports.ts'
import { runRoadmap } from '../runs/run-roadmap.ts'
import type { Session } from './compose/compose.ts'
import { cleanEvent } from './events/clean-event.ts'
import type { RunEvent } from './events/event-schema.ts'
import type { RunFailure } from './events/read-entry.ts'
import { tellEvents } from './events/tell-events.ts'

interface Walked {
  /** Ids; all open tasks when not given. */
  readonly task?: readonly string[]
  readonly fresh?: boolean
  readonly dryRun?: boolean
}

/** Walks through one run of a session; `emit` receives its events. */
export async function walk(
  session: Session,
  { task: only, fresh = false, dryRun = false }: Walked,
  signal: AbortSignal,
  emit: ((event: RunEvent) => void) | null = null,
): Promise<RunState> {
  const ports = dryRun ? dryRunPorts(session.ports) : session.ports
  const plain = { ports, observer: session.observer }
  const told = emit && tellEvents((event) => emit(cleanEvent(event, session.redact)), plain)
  const run = told ?? plain
  try {
    const state = await runRoadmap(run.ports, {
      only: only ?? null,
      fresh,
      dryRun,
      signal,
      observer: run.observer,
    })
    told?.ended(state)
    return state
  } catch (error) {
    told?.failed(failureOf(error))
    throw error
  } finally {
    session.endProgress()
  }
}

const failureOf = (error: unknown): RunFailure =>
  error instanceof ExecutorError
    ? error
    : { exitCode: 5, code: 'internal', message: String(error), next: 'This is a bug: report it.' }
