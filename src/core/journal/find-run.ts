import { ExecutorError } from '../domain/errors.ts'

/** Number of runs that a message names. */
const mostNamed = 10

/**
 * Finds a run by its id, by an unambiguous beginning, or by `last`.
 *
 * @param known oldest first
 * @throws ExecutorError `unknown_run`, `no_run`
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
  if (known.length === 0) throw new ExecutorError('no_run')
  const isAmbiguous = found.length > 0
  const runs = (isAmbiguous ? found : known).slice(-mostNamed).toReversed().join(', ')
  const what = isAmbiguous
    ? `Several runs begin with ${text}: ${runs}.`
    : `There is no run ${text || 'without a name'}. Newest first: ${runs}.`
  throw new ExecutorError('unknown_run', what)
}
