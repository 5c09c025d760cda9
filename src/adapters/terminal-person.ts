import { userInfo } from 'node:os'
import { createInterface } from 'node:readline'
import { type AskedChoice, answerNow } from '../core/domain/answer.ts'
import type { Person, Question } from '../core/ports.ts'
import { type EditedText, openInEditor } from './text-editor.ts'

export interface TerminalPersonOptions {
  readonly input: NodeJS.ReadableStream
  /** Standard error, because standard output is for the result. */
  readonly output: NodeJS.WritableStream
  readonly isTTY: boolean
  /** Opens a text for editing; by default in the environment's editor. */
  readonly editor?: (text: string) => Promise<EditedText>
}

/** One letter each; `r` rejects, so `retry` has `t`. */
const letters: Readonly<Record<AskedChoice, string>> = {
  approve: 'a',
  reject: 'r',
  skip: 's',
  retry: 't',
  defer: 'd',
}

/** What people type as well. */
const words: Readonly<Partial<Record<string, AskedChoice>>> = {
  y: 'approve',
  yes: 'approve',
  n: 'reject',
  no: 'reject',
}

/** Asks at the terminal and waits. Lines typed before the question do not answer it. */
export function createTerminalPerson(options: TerminalPersonOptions): Person {
  return {
    present: options.isTTY,
    async ask(question) {
      if (!options.isTTY) return null
      options.output.write(`\n${printable(question.title)}\n\n${printable(question.body)}\n\n`)
      for (let text = question.edit?.text ?? ''; ; ) {
        const choice = await readChoice(options, question)
        if (choice !== 'edit') return choice && answerNow(choice, userName())
        const edited = await editTasks(text, question, options)
        if (edited.status === 'ok') {
          return { ...answerNow('edit', userName()), tasks: edited.tasks }
        }
        // Keep the person's text.
        text = edited.text
        options.output.write(`Not changed: ${printable(edited.reason)}.\n`)
      }
    },
  }
}

const heading = `<!-- These tasks replace the task that failed: one to five checkboxes. Save and close the editor to use them;
     delete all of them to go back to the question. -->

`

/** Returns the saved tasks, or why there are none and the text to start from next time. */
async function editTasks(
  text: string,
  { edit }: Question,
  { editor = (given) => openInEditor(given, process.env) }: TerminalPersonOptions,
) {
  const saved = await editor(`${heading}${text}`)
  if (saved.status === 'failed') return { status: 'failed', reason: saved.reason, text } as const
  const written = saved.text.replaceAll(/<!--[\s\S]*?-->\s*/g, '')
  if (written.trim() === '') {
    return { status: 'failed', reason: 'nothing was saved', text: edit?.text ?? '' } as const
  }
  const read = edit?.read(written) ?? {
    status: 'refused',
    reason: 'this question accepts no tasks',
  }
  return read.status === 'ok'
    ? read
    : ({ status: 'failed', reason: read.reason, text: written } as const)
}

/** Returns `null` at the end of input. Without terminal mode, Ctrl-C remains a signal. */
async function readChoice(
  { input, output }: TerminalPersonOptions,
  { choices, edit }: Question,
): Promise<AskedChoice | 'edit' | null> {
  const offered = [
    ...choices.map((choice) => ({ choice, letter: letters[choice] })),
    ...(edit === undefined ? [] : [{ choice: 'edit', letter: 'e' } as const]),
  ]
  const offer = offered.map(({ choice, letter }) => `[${letter}] ${choice}`).join('  ')
  const lines = createInterface({ input, terminal: false })
  try {
    output.write(`${offer} > `)
    for await (const line of lines) {
      // Also accepts `/approve`, as in a comment.
      const word = line.trim().toLowerCase().replace(/^\//, '')
      const found = offered.find(
        ({ choice, letter }) => [choice, letter].includes(word) || words[word] === choice,
      )
      if (found) return found.choice
      output.write(`Answer with one of: ${offer} > `)
    }
    return null
  } finally {
    lines.close()
  }
}

/** Replaces characters of foreign text that move the cursor, hide or reorder. */
const printable = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(
      /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
      '\uFFFD',
    )

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return 'terminal'
  }
}
