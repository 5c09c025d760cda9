import type { ProgramRun } from '../run-program.ts'
import type { Shape } from './write-answer.ts'

export type ByHand = 'green' | 'red' | 'timed out' | 'not run'

/** What distinguishes one case from another. */
export interface CaseKey {
  readonly repository: string
  readonly commit: string
  readonly shape: Shape
  readonly wrong: boolean
  readonly verify: boolean
}

/** One case, as its line of the results file has it. */
export interface CaseLine extends CaseKey, ProgramRun {
  readonly parent: string
  readonly subject: string
  /** Paths in which the task's branch and what was answered differ; `null` where there is no branch. */
  readonly differs: readonly string[] | null
  /** The repository's own command, run outside the program before and after the change. */
  readonly byHand: {
    readonly command: string
    readonly before: ByHand
    readonly after: ByHand
  } | null
  /** The commit of this project that played it. */
  readonly program: string
}

export const keyOf = ({ repository, commit, shape, wrong, verify }: CaseKey): string =>
  JSON.stringify([repository, commit, shape, wrong, verify])

const arrived: readonly ProgramRun['outcome'][] = ['done', 'in_review', 'unverified']

/** True where the program calls the task finished and its branch holds what was answered, byte for byte. */
export const isExact = (line: CaseLine): boolean =>
  arrived.includes(line.outcome) && line.differs?.length === 0

/** True where the program pushed something else than what was answered, and calls it finished. */
export const isDifferent = (line: CaseLine): boolean =>
  arrived.includes(line.outcome) && line.differs?.length !== 0

export const isPassed = ({ outcome, receipt }: CaseLine): boolean =>
  arrived.includes(outcome) && receipt === 'passed'

/** Where a right answer must arrive: without tests everywhere, else where they are green by hand. */
export const mustArrive = ({ verify, wrong, byHand }: CaseLine): boolean =>
  !wrong && (!verify || (byHand?.before === 'green' && byHand.after === 'green'))

export const hasArrived = (line: CaseLine): boolean =>
  isExact(line) && (!line.verify || isPassed(line))
