import type { Task } from '../../core/domain/task.ts'
import { visibleText } from '../../text/markdown/inline-text.ts'
import { readLabel } from '../document/read-fields.ts'

const fence = /^\s*(?:`{3,}|~{3,})/

/** The task's own words: title and details, without its metadata, code blocks and comments. */
export function proseOf({ title, details }: Task): string {
  const lines: string[] = [title]
  let isCode = false
  for (const line of visibleText(details).split('\n')) {
    if (fence.test(line)) isCode = !isCode
    else if (!isCode && readLabel(line) === null) lines.push(line)
  }
  return lines.join('\n')
}

/** The places of a document's tasks. */
export class TaskPlaces {
  readonly #lines: readonly string[]

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  /** Where the task begins: its bullet. */
  ofTask({ line }: Pick<Task, 'line'>): { readonly line: number; readonly column: number } {
    const text = this.#lines[line - 1] ?? ''
    return { line, column: text.length - text.trimStart().length + 1 }
  }

  /** Where the task names this for the first time; its beginning when it does not, word for word. */
  ofWords(task: Task, words: string): { readonly line: number; readonly column: number } {
    for (let line = task.line; line <= task.endLine; line++) {
      const column = (this.#lines[line - 1] ?? '').indexOf(words)
      if (column >= 0) return { line, column: column + 1 }
    }
    return this.ofTask(task)
  }

  /** Where its metadata of this name stands. */
  ofField(task: Task, name: 'budget'): { readonly line: number; readonly column: number } {
    for (let line = task.line; line <= task.endLine; line++) {
      const text = this.#lines[line - 1] ?? ''
      if (readLabel(text)?.name === name) {
        return { line, column: text.length - text.trimStart().length + 1 }
      }
    }
    return this.ofTask(task)
  }
}

/** A title as a message quotes it. */
export function quotedTitle(title: string): string {
  return JSON.stringify(title.length > 60 ? `${title.slice(0, 59)}…` : title)
}
