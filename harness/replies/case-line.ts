import type { Figure } from '../summary.ts'

/**
 * What an answer came to: the tree that was meant, a refusal, or another tree; `unclear` is the refusal of one
 * that says another tree as well.
 */
export type Outcome = 'right' | 'refused' | 'unclear' | 'wrong'

/** One reply, as its line of the results file has it. */
export interface ReplyLine {
  /** A commit, or an exercise. */
  readonly source: string
  readonly wrapping: string
  /** False for an answer that must not be taken as it is. */
  readonly isRight: boolean
  readonly outcome: Outcome
  /** What was said against it, or which files are others. */
  readonly reason: string
  /** The commit of this project that played it. */
  readonly program: string
}

export const keyOf = ({ source, wrapping }: Pick<ReplyLine, 'source' | 'wrapping'>): string =>
  JSON.stringify([source, wrapping])

const mostRefused = 0.02

/** The figures of a run, with the bounds that it must keep. */
export function sumUp(lines: readonly ReplyLine[]): readonly Figure[] {
  const [right, wrong] = [true, false].map((is) => lines.filter(({ isRight }) => isRight === is))
  const count = (among: readonly ReplyLine[] = [], outcome: Outcome) =>
    among.filter((line) => line.outcome === outcome).length
  const of = right?.length ?? 0
  return [
    { name: 'right answers, taken as meant', count: count(right, 'right'), of },
    {
      name: 'right answers, refused',
      ...{ count: count(right, 'refused'), of, bound: { most: mostRefused } },
    },
    {
      name: 'right answers that mean another tree, too, refused',
      count: count(right, 'unclear'),
      of,
    },
    {
      name: 'wrong or partial ones, refused',
      ...{ count: count(wrong, 'refused'), of: wrong?.length ?? 0 },
    },
    {
      name: 'wrong or partial ones, come out as meant',
      ...{ count: count(wrong, 'right'), of: wrong?.length ?? 0 },
    },
    {
      name: 'another tree than was meant',
      ...{ count: count(lines, 'wrong'), of: lines.length, bound: { most: 0 } },
    },
  ]
}

/** A line that did not end as it must. */
export const isMissed = ({ isRight, outcome }: ReplyLine): boolean =>
  outcome === 'wrong' || (isRight && outcome === 'refused')
