import type { Task } from '../../core/domain/task.ts'
import { visibleText } from '../../text/markdown/inline-text.ts'
import { proseLines, readLabel } from '../document/read-fields.ts'

/** The task's own words: title and details, without its metadata, code blocks and comments. */
export const proseOf = ({ title, details }: Task): string =>
  [title, ...proseLines(visibleText(details))].join('\n')

interface Place {
  readonly line: number
  readonly column: number
}

/** The places of a document's tasks. */
export class TaskPlaces {
  readonly #lines: readonly string[]

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  /** Where the task begins: its bullet. */
  ofTask({ line }: Pick<Task, 'line'>): Place {
    const text = this.#lines[line - 1] ?? ''
    return { line, column: text.length - text.trimStart().length + 1 }
  }

  /** Where the task names this for the first time; its beginning when it does not, word for word. */
  ofWords(task: Task, words: string): Place {
    const line = this.#lineOf(task, (text) => text.includes(words))
    if (line === null) return this.ofTask(task)
    return { line, column: (this.#lines[line - 1] ?? '').indexOf(words) + 1 }
  }

  /** Where its metadata of this name stands. */
  ofField(task: Task, name: 'budget'): Place {
    const line = this.#lineOf(task, (text) => readLabel(text)?.name === name)
    return this.ofTask({ line: line ?? task.line })
  }

  #lineOf({ line: first, endLine }: Task, isMeant: (text: string) => boolean): number | null {
    const found = this.#lines.slice(first - 1, endLine).findIndex(isMeant)
    return found < 0 ? null : first + found
  }
}

/** A title as a message quotes it. */
export function quotedTitle(title: string): string {
  return JSON.stringify(title.length > 60 ? `${title.slice(0, 59)}…` : title)
}
