import type { ProgramRun } from '../run-program.ts'
import type { Figure } from '../summary.ts'
import { isRightInTheEnd, type Mode } from './answers.ts'
import type { Language } from './exercise.ts'

/** One case, as its line of the results file has it. */
export interface ExerciseLine extends ProgramRun {
  readonly language: Language
  readonly name: string
  readonly mode: Mode
  /** True where the task's branch holds the reference solution, byte for byte. */
  readonly exact: boolean
  /** The commit of this project that played it. */
  readonly program: string
}

export const keyOf = ({
  language,
  name,
  mode,
}: Pick<ExerciseLine, 'language' | 'name' | 'mode'>): string =>
  JSON.stringify([language, name, mode])

/** The program calls it finished, and its tests passed. */
const isDone = ({ outcome, receipt }: ExerciseLine): boolean =>
  (outcome === 'done' || outcome === 'in_review') && receipt === 'passed'

const mostRequests: Readonly<Record<Mode, number>> = {
  ...{ correct: 1, echo: 2, syntax: 2, logic: 2, hopeless: 0, cheat: 0 },
}

/** As it must end: right answers arrive in so many requests, others do not. */
export function endsWell(line: ExerciseLine): boolean {
  if (!isRightInTheEnd(line.mode)) return !isDone(line)
  return isDone(line) && line.exact && line.requests <= mostRequests[line.mode]
}

/** The figures of a mode, with the bounds that it must keep. */
export function sumUp(mode: Mode, lines: readonly ExerciseLine[]): readonly Figure[] {
  const done = lines.filter(isDone)
  const of = lines.length
  if (!isRightInTheEnd(mode)) {
    return [{ name: `${mode}: done`, count: done.length, of, bound: { most: 0 } }]
  }
  const least = mode === 'logic' ? 0.98 : 1
  const name = `${mode}: done with the reference in at most ${mostRequests[mode]}`
  return [
    { name: `${mode}: done`, count: done.length, of },
    { name, count: lines.filter(endsWell).length, of, bound: { least } },
  ]
}
