import { deletion, type FileChange } from '../answer.ts'

/** A form of answers that models were seen to use. */
export interface Wrapping {
  readonly name: string
  /** A public page that shows or asks for it; `null` where none was looked up. */
  readonly seen: string | null
  /** The answer; `null` where this form cannot say the change. */
  readonly write: (changes: readonly FileChange[]) => string | null
}

/** A file that is there before and after. */
export interface Modified extends FileChange {
  readonly before: string
  readonly after: string
}

export const isModified = (change: FileChange): change is Modified =>
  Boolean(change.before) && Boolean(change.after)

export const endsWithBreak = (text: string | null): boolean => !text || text.endsWith('\n')

/** Each change as its own part; `null` where one of them cannot be said. */
export function eachChange(
  write: (change: FileChange) => string | null,
): (changes: readonly FileChange[]) => string | null {
  return (changes) => {
    const parts = changes.map((change) =>
      change.after === null ? deletion(change.path) : write(change),
    )
    return parts.every((part) => part !== null) ? parts.join('') : null
  }
}

/** Around a text that has no line like that of the fence. */
export function fenced(info: string, text: string, sign = '`'): string {
  const runs = [...text.matchAll(/^\s*(`{3,}|~{3,})/gm)].map(([, run = '']) => run.length)
  const fence = sign.repeat(Math.max(3, ...runs.map((length) => length + 1)))
  return `${fence}${info}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}\n`
}

const names: Readonly<Record<string, string>> = {
  ...{ js: 'javascript', ts: 'typescript', py: 'python', rs: 'rust', md: 'markdown', yml: 'yaml' },
}

/** The word that models put behind a fence. */
export function languageOf(path: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1] ?? ''
  return names[ending] ?? ending
}

/** A comment of one line, as the file's language has it; `null` where it has none. */
export function commentIn(path: string, words: string): string | null {
  if (/\.(?:[cm]?[jt]sx?|go|rs|java|c|h|cpp|cs|kt|swift|php)$/.test(path)) return `// ${words}`
  if (/\.(?:py|rb|sh|ya?ml|toml)$/.test(path)) return `# ${words}`
  return /\.(?:md|html)$/.test(path) ? `<!-- ${words} -->` : null
}
