import * as core from '@actions/core'
import { ExecutorError } from '../../domain/errors.ts'
import { inertLog } from '../../safety/neutralise.ts'
import { createRedactor } from '../../safety/redact.ts'
import { act } from './act.ts'

/** One workflow run, and its only try/catch. */
export async function runAction(): Promise<number> {
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('The job was cancelled.'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const code = await act(controller.signal)
    // What was cut off may still run; leaving ends it.
    if (controller.signal.aborted) process.exit(code)
    return code
  } catch (error) {
    const redact = createRedactor([core.getInput('github-token'), core.getInput('api-key')])
    if (error instanceof ExecutorError) {
      core.setFailed(redact(`${error.message} ${error.next}`))
    } else {
      core.setFailed(redact(`A bug of ours, please report it: ${String(error)}`))
      if (error instanceof Error && error.stack) core.info(inertLog(redact(error.stack)))
    }
    return 1
  }
}
