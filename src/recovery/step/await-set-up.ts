import type { Diagnosis } from '../../core/domain/diagnosis.ts'
import type { RunError, RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { lastLines } from '../../text/diagnosis/plain-text.ts'
import { type StartCommit, startBaseline } from '../../verify/run/baseline.ts'
import { isStillSo } from '../../verify/run/look-again.ts'
import type { NotPrepared } from '../../verify/run/verify-folder.ts'

interface Ended {
  readonly outcome: 'not_prepared'
  readonly patch: Partial<RunState>
}

/** Of what an installer said, for a person: its last lines. */
const mostLines = 10

/**
 * Begins the baseline, and waits once in a run until what the tests need is installed: before the
 * first model request. Where one cause ended the run before, it is looked for first. `null`: the step
 * goes on; else the run ends, and no task is charged.
 */
export async function awaitSetUp(
  state: RunState,
  start: StartCommit,
  ports: Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock'>,
): Promise<Ended | null> {
  const found = await startBaseline(start, ports)
  if (found === 'known') return null
  const { stuck } = state
  const error = await (async () => {
    if (found !== 'ready') return notPrepared(found)
    return stuck !== undefined && (await isStillSo(stuck, start, ports)) ? stillSo(stuck) : null
  })()
  if (error === null) return null
  const errors = [...state.errors, error]
  return { outcome: 'not_prepared', patch: { errors, attempt: null } }
}

const stillSo = ({ message, install }: Diagnosis): RunError => ({
  code: 'still_so',
  message: `What ended the last run is still so, so no model was asked: ${message}`,
  next: `${install === null ? 'Mend that' : `Install it: ${install}`} and run it again. verify-mode: skip goes on without tests.`,
  taskId: null,
})

function notPrepared({ reason, output, error }: NotPrepared): RunError {
  const said = error.program === null ? lastLines(output, mostLines).join('\n') : ''
  return {
    code: 'not_prepared',
    message: `The tests cannot run on the code as it is, so no model was asked. ${reason}`,
    ...(said === '' ? {} : { output: said }),
    next: 'Mend that and run it again. verify-mode: skip goes on without tests.',
    taskId: null,
  }
}
