import { count, object, type Stored, text } from '../text/text.ts'

/** One problem in one file. Lines and columns are 1-based; 0 stands for the whole file. */
export const codeProblemSchema = object({
  path: text,
  /** `syntax`, `scope`, `protected`, `size`, `reply`, `elision`, … */
  type: text,
  /** Plain words: the fault, and what was expected. */
  message: text,
  line: count,
  column: count,
})

export type CodeProblem = Stored<typeof codeProblemSchema>

const forbidding: ReadonlySet<string> = new Set(['path', 'protected', 'scope', 'tests'])

/** True for a problem that no other text of the same file can solve. */
export const isForbidding = ({ type }: Pick<CodeProblem, 'type'>): boolean => forbidding.has(type)
