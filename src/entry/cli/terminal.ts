import { stripVTControlCharacters, styleText } from 'node:util'
import { createRedactor } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { LiveLine, Screen } from '../progress/open-progress.ts'
import { secretsOfEnvironment } from '../redact/redact-ports.ts'
import { openLiveLine } from './live-line.ts'
import { wrapWords } from './wrap-words.ts'

/** The person's terminal: results go to standard output, everything else to standard error. */
export interface Terminal extends Screen {
  readonly directory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** True when a person can answer questions. */
  readonly isTTY: boolean
  /** Prints one or more lines for the person, wrapped at words to the width of the terminal. */
  say(text: string): void
  /** Prints the result: one document, for a program or a pipe. */
  print(text: string): void
  /** Available where the cursor can move and nothing records the output: not in CI, not in a dumb terminal. */
  readonly live: LiveLine | null
  /** For text that is shown by other means; not for a text that is still to be read. */
  redact(text: string): string
}

/** A code that `paint` writes, or a character that controls a terminal or reverses the order of letters. */
const obeyed =
  /\u001B\[(?:[12]|22|3[12369])m|\r(?!\n)|[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g

const inLetters = (found: string): string =>
  `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}${found.slice(1)}`

/**
 * Opens the terminal of this process. Output has colors only on a terminal and never with NO_COLOR, masks secrets of the
 * environment and anything shaped like a token, and contains no control characters: a title with an escape character
 * shows `\u001b`, which is also its spelling in JSON.
 */
export function openTerminal(): Terminal {
  // `executor plan | head` closes the pipe early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    // Node loses an error that a listener throws while it settles a read of a file: `executor lint --json > FILE`.
    setImmediate(() => {
      throw new ExecutorError('disk_unwritable', error.message)
    })
  })
  const { stderr, env: environment } = process
  const paint: Terminal['paint'] = (format, text) => styleText(format, text, { stream: stderr })
  const isPainted = paint('red', '') !== ''
  const mask = createRedactor(secretsOfEnvironment(environment))
  const redact = (text: string) =>
    mask(text).replace(obeyed, (found) =>
      isPainted && found.length > 1 ? found : inLetters(found),
    )
  const live = isMovable(stderr.isTTY === true, environment) ? openLiveLine(stderr, redact) : null
  const write = live === null ? (text: string) => void stderr.write(text) : live.writeAbove
  return {
    directory: process.cwd(),
    environment,
    isTTY: stderr.isTTY === true && process.stdin.isTTY === true,
    say(text) {
      const clean = redact(text)
      write(`${stderr.isTTY ? wrapWords(clean, stderr.columns) : clean}\n`)
    },
    print: (text) => {
      // `paint` asks standard error, which may be a terminal while the result goes into a file.
      const isColoured = styleText('red', '', { stream: process.stdout }) !== ''
      const clean = isColoured ? redact(text) : stripVTControlCharacters(redact(text))
      process.stdout.write(clean.endsWith('\n') ? clean : `${clean}\n`)
    },
    paint,
    live,
    redact,
  }
}

/** Returns true where a line can be redrawn. As in other tools, `CI` means a log, and a dumb terminal cannot move its cursor. */
export const isMovable = (isTTY: boolean, { TERM, CI }: Terminal['environment']): boolean =>
  isTTY && TERM !== 'dumb' && (CI === undefined || CI === '' || CI === 'false' || CI === '0')
