import { ExecutorError } from '../domain/errors.ts'

/** How many are named where one is to be chosen. */
const mostNamed = 10

/**
 * The run that is meant by its id, by a beginning that no other has, or by `last`.
 *
 * @param known oldest first
 * @throws ExecutorError `unknown_run`
 */
export function findRun(text: string, known: readonly string[]): string {
  if (text === 'last') {
    const newest = known.at(-1)
    if (newest !== undefined) return newest
  }
  if (known.includes(text)) return text
  const found = text === '' ? [] : known.filter((run) => run.startsWith(text))
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  const runs = (found.length > 0 ? found : known).slice(-mostNamed).toReversed()
  const named = runs.length === 0 ? 'none is known here' : runs.join(', ')
  const what = found.length > 0 ? `${text} could be several` : `${text || '(none)'} is none`
  throw new ExecutorError('unknown_run', `${what}: ${named}`)
}
