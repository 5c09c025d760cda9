import { userInfo } from 'node:os'
import { createInterface } from 'node:readline'
import { type AskedChoice, answerNow } from '../core/domain/answer.ts'
import type { Person, Question } from '../core/ports.ts'

export interface TerminalPersonOptions {
  readonly input: NodeJS.ReadableStream
  /** Standard error: standard output is for the result. */
  readonly output: NodeJS.WritableStream
  readonly isTTY: boolean
}

/** One letter each; `retry` cannot have `r`, which rejects. */
const letters: Readonly<Record<AskedChoice, string>> = {
  approve: 'a',
  reject: 'r',
  skip: 's',
  retry: 't',
  defer: 'd',
}

/** Asks at the terminal, and waits. What was typed before the question is no answer to it. */
export function createTerminalPerson(options: TerminalPersonOptions): Person {
  return {
    present: options.isTTY,
    async ask(question) {
      if (!options.isTTY) return null
      options.output.write(`\n${printable(question.title)}\n\n${printable(question.body)}\n\n`)
      const choice = await readChoice(options, question)
      return choice && answerNow(choice, userName())
    },
  }
}

/** `null` at the end of input. Without terminal mode Ctrl-C stays what it is everywhere: a signal. */
async function readChoice(
  { input, output }: TerminalPersonOptions,
  { choices }: Question,
): Promise<AskedChoice | null> {
  const offer = choices.map((choice) => `[${letters[choice]}] ${choice}`).join('  ')
  const lines = createInterface({ input, terminal: false })
  try {
    output.write(`${offer} > `)
    for await (const line of lines) {
      const word = line.trim().toLowerCase()
      const found = choices.find((choice) => word === choice || word === letters[choice])
      if (found) return found
      output.write(`Please answer with one of: ${offer} > `)
    }
    return null
  } finally {
    lines.close()
  }
}

/** Text of strangers on a terminal: nothing that moves the cursor, hides, or reorders. */
function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(
      /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
      '\uFFFD',
    )
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'terminal'
  }
}
