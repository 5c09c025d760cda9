/** Code as a model writes it that does not see where the change belongs: it parses, and it does not help. */
import { wordsOf } from './choose-call.ts'
import type { Language } from './sources.ts'
import type { Task } from './task.ts'

const bodies: Readonly<Record<Language, (name: string) => string>> = {
  javascript: (name) => `function ${name}(value) {\n  return value\n}\n`,
  python: (name) => `def ${name}(value):\n    return value\n`,
  go: (name) => `func ${name}(value string) string {\n\treturn value\n}\n`,
  rust: (name) => `pub fn ${name}(value: &str) -> &str {\n    value\n}\n`,
}

export function guessCode({ language, text }: Pick<Task, 'language' | 'text'>): string {
  const word = wordsOf(text)[0] ?? 'value'
  return bodies[language](`apply_${word.toLowerCase()}`)
}

/** The same as a file of its own. */
export function guessFile(task: Task, path: string): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const other = [...task.files].find(([each]) => each.startsWith(folder) && each.endsWith('.go'))
  const clause = task.language === 'go' ? /^package \w+$/m.exec(other?.[1] ?? '') : null
  const head = task.language === 'go' ? `${clause?.[0] ?? 'package main'}\n\n` : ''
  return head + guessCode(task)
}
