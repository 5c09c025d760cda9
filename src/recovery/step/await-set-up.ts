import type { RunError, RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { lastLines } from '../../text/diagnosis/plain-text.ts'
import { type StartCommit, startBaseline } from '../../verify/run/baseline.ts'
import type { NotPrepared } from '../../verify/run/verify-folder.ts'

interface Ended {
  readonly outcome: 'not_prepared'
  readonly patch: Partial<RunState>
}

/** Of what an installer said, for a person: its last lines. */
const mostLines = 10

/**
 * Begins the baseline, and waits once in a run until what the tests need is installed: before the
 * first model request. `null`: the step goes on; else the run ends, and no task is charged.
 */
export async function awaitSetUp(
  state: RunState,
  start: StartCommit,
  ports: Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock'>,
): Promise<Ended | null> {
  const found = await startBaseline(start, ports)
  if (found === null) return null
  const errors = [...state.errors, notPrepared(found)]
  return { outcome: 'not_prepared', patch: { errors, attempt: null } }
}

function notPrepared({ reason, output, error }: NotPrepared): RunError {
  const said = error.program === null ? lastLines(output, mostLines) : []
  return {
    code: 'not_prepared',
    message: [
      `The tests cannot run on the code as it is, so no model was asked. ${reason}`,
      ...said,
    ].join('\n'),
    next: 'Mend that and run it again. verify-mode: skip goes on without tests.',
    taskId: null,
  }
}
