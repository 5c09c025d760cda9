import { resolve } from 'node:path'
import { errorCode } from '../../../packages/files/files.ts'
import { type LineStream, openLineStream } from '../../adapters/line-stream.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Terminal } from './terminal.ts'

/**
 * Opens the place of `--events`; `null` without the flag. A place that is lost later ends the events, not the run.
 *
 * @throws ExecutorError `bad_usage` when it cannot be written, or when `--json` needs standard output
 */
export function openEventLines(
  { events, json }: { readonly events?: string | boolean; readonly json?: boolean },
  terminal: Terminal,
): LineStream | null {
  if (events === undefined || events === false) return null
  const path = events === true || events === '-' ? null : resolve(terminal.directory, events)
  if (path === null && json) {
    throw new ExecutorError(
      'bad_usage',
      '--events and --json both need standard output: name a file for the events, --events=FILE.',
    )
  }
  try {
    return openLineStream(path, (reason) =>
      terminal.say(`note: the events end here, and the run continues: ${reason}`),
    )
  } catch (error) {
    const why = errorCode(error) ?? String(error)
    throw new ExecutorError('bad_usage', `--events: ${path} cannot be written: ${why}.`)
  }
}
