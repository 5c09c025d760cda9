import { styleText } from 'node:util'
import { createRedactor } from '../../text/secrets/redact.ts'
import { secretsOfEnvironment } from '../redact/known-secrets.ts'

/** The person's end of the program: results on standard output, everything else on standard error. */
export interface Terminal {
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly isTTY: boolean
  /** One line, or several, for the person. */
  say(text: string): void
  /** The result: one document, for a program or a pipe. */
  print(text: string): void
  paint(format: 'green' | 'red' | 'yellow' | 'dim' | 'bold' | 'cyan', text: string): string
  /** For what is shown by other means: a moving line. */
  redact(text: string): string
}

/**
 * Colours only on a terminal, and never where NO_COLOR is set. Nothing is said or printed that is a
 * secret of the environment or looks like a token.
 */
export function openTerminal(): Terminal {
  // `executor plan | head` closes the pipe early; that is no error of anybody's.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const isTTY = process.stderr.isTTY === true && process.stdin.isTTY === true
  const redact = createRedactor(secretsOfEnvironment(process.env))
  return {
    directory: process.cwd(),
    environment: process.env,
    isTTY,
    say: (text) => void process.stderr.write(`${redact(text)}\n`),
    print: (text) => {
      const clean = redact(text)
      process.stdout.write(clean.endsWith('\n') ? clean : `${clean}\n`)
    },
    paint: (format, text) => styleText(format, text, { stream: process.stderr }),
    redact,
  }
}
