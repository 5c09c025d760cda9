import { createDataMask } from '../../packages/text/text.ts'
import { excludeFromGit } from '../adapters/user-checkout.ts'
import type { Ports } from '../core/ports.ts'
import { buildReport } from '../publish/report/build-report.ts'
import { composeLocal } from './compose/compose-local.ts'
import { stopCalls } from './compose/stop-calls.ts'
import type { RunEvent } from './events/event-schema.ts'
import { walk } from './walk.ts'

type Composed = Parameters<typeof composeLocal>[0]

export interface ProcessRun extends Composed {
  /** Ids; all open tasks when not given. */
  readonly task?: readonly string[] | undefined
  readonly fresh?: boolean | undefined
  readonly emit?: ((event: RunEvent) => void) | undefined
  /** The other repositories, in a workspace of several. */
  readonly elsewhere?: Ports['elsewhere']
}

/**
 * Runs in a process that has other work before and after: without an exit, a signal handler, or a word on standard output.
 * After an abort, the report says `cancelled`, and the same request resumes.
 */
export async function runInProcess({ task, fresh, emit, elsewhere, ...request }: ProcessRun) {
  const { repository, dryRun = false, signal } = request
  const composed = await composeLocal(request)
  const session = stopCalls({ ...composed, ports: { ...composed.ports, elsewhere } })
  try {
    if (!dryRun) await excludeFromGit(repository, '.executor/')
    const asked = { ...(task && { task }), fresh: fresh ?? false, dryRun }
    const state = await walk(session, asked, signal, emit)
    const events = await session.ports.store.journal(state.run.id)
    const mask = createDataMask(session.redact)
    return {
      state: mask(state),
      report: mask(buildReport(state, { events })),
      reportPath: session.reportPath,
    }
  } finally {
    await session.close()
  }
}
