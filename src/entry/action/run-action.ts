import { ExecutorError } from '../../core/domain/errors.ts'
import { act } from './act.ts'
import { openRunner } from './runner.ts'

/** One workflow run, and its only try/catch. */
export async function runAction(): Promise<number> {
  const runner = openRunner()
  const controller = new AbortController()
  const stop = () => controller.abort(new Error('The job was cancelled.'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    const code = await act(runner, controller.signal)
    // What was cut off may still run; leaving ends it.
    if (controller.signal.aborted) process.exit(code)
    return code
  } catch (error) {
    if (error instanceof ExecutorError) {
      runner.fail(`${error.message} ${error.next}`)
    } else {
      runner.fail(`A bug of ours, please report it: ${String(error)}`)
      if (error instanceof Error && error.stack) runner.say(error.stack)
    }
    return 1
  }
}
