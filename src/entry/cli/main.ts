import { ExecutorError } from '../../core/domain/errors.ts'
import { openTerminal, type Terminal } from './terminal.ts'

// Not awaited: a chunk of the bundle that needs this one would wait forever.
void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})

/** The whole program, and its only try/catch: every error becomes a sentence and an exit code here. */
async function runCli(argv: readonly string[]): Promise<number> {
  const terminal = openTerminal()
  // An error of a timer or a stream. Node would print it with a whole line of the bundle, and exit with 1.
  process.on('uncaughtException', (error) => process.exit(explain(error, terminal)))
  try {
    const { buildProgram } = await import('./program.ts')
    const { program, exitCode } = buildProgram(terminal)
    await program.parseAsync([...argv], { from: 'user' })
    return exitCode()
  } catch (error) {
    return explain(error, terminal)
  }
}

function explain(error: unknown, terminal: Terminal): number {
  if (error instanceof ExecutorError) {
    terminal.say(`${terminal.paint('red', 'error')} ${error.message}`)
    terminal.say(`${terminal.paint('cyan', 'next')}  ${error.next}`)
    return error.exitCode
  }
  if (isCommanderError(error)) return error.exitCode === 0 ? 0 : 2
  terminal.say(
    `${terminal.paint('red', 'internal error')} This is a bug in the executor. Report it with this text:`,
  )
  terminal.say(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return 5
}

const isCommanderError = (error: unknown): error is { readonly exitCode: number } =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('commander.')
