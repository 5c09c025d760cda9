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

/** What `paint` writes, or a character that a terminal obeys or that turns the order of letters. */
const obeyed =
  /\u001B\[(?:[12]|22|3[12369])m|\r(?!\n)|[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g

const inLetters = (found: string): string =>
  `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}${found.slice(1)}`

/**
 * Colours only on a terminal, and never where NO_COLOR is set. Nothing is said or printed that is a
 * secret of the environment, looks like a token, or would do something in a terminal: whoever wrote a
 * title, `\u001b` stands there in letters, which is also what JSON means by it.
 */
export function openTerminal(): Terminal {
  // `executor plan | head` closes the pipe early; that is no error of anybody's.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const isTTY = process.stderr.isTTY === true && process.stdin.isTTY === true
  const paint: Terminal['paint'] = (format, text) =>
    styleText(format, text, { stream: process.stderr })
  const isPainted = paint('red', '') !== ''
  const mask = createRedactor(secretsOfEnvironment(process.env))
  const redact = (text: string) =>
    mask(text).replace(obeyed, (found) =>
      isPainted && found.length > 1 ? found : inLetters(found),
    )
  return {
    directory: process.cwd(),
    environment: process.env,
    isTTY,
    say: (text) => void process.stderr.write(`${redact(text)}\n`),
    print: (text) => {
      const clean = redact(text)
      process.stdout.write(clean.endsWith('\n') ? clean : `${clean}\n`)
    },
    paint,
    redact,
  }
}
