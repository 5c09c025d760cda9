import { scoreJsonFiles } from './json-files.ts'
import type { Score } from './score.ts'

/** Every score, by the name that `npm run scores -- --only NAME` takes. */
export const allScores: Readonly<Record<string, () => Promise<Score>>> = {
  'json-files': scoreJsonFiles,
}
