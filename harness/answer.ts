/** Answers in the wrapping that our prompts ask for: a path alone on a line, then one fence. */

/** What happens to one file; `null` is no file. */
export interface FileChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

export function fileBlock(path: string, text: string, info = ''): string {
  const runs = [...text.matchAll(/^\s*(`{3,})/gm)].map(([, ticks = '']) => ticks.length)
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)))
  return `${path}\n${fence}${info}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}\n\n`
}

export const wholeFiles = (changes: readonly FileChange[]): string =>
  changes
    .map(({ path, after }) => (after === null ? deletion(path) : fileBlock(path, after)))
    .join('')

export const deletion = (path: string): string => `DELETE: ${path}\n\n`

/** What a question about a failure is answered; it helps nobody. */
export const noExplanation = '{"reason": "unknown", "explanation": "It still fails."}'
