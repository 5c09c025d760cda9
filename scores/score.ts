/**
 * A score: how a part of the program does on a set of cases whose right answers are known from
 * elsewhere. Every case is one of three: right, refused (an honest "cannot tell", which costs a
 * request or a person but breaks nothing) or wrong. Bounds are shares from 0 to 1, so that they hold
 * for a whole set and for a sample of it; `664 / 668` says where a share comes from.
 */
export interface ScoreRow {
  readonly label: string
  readonly cases: number
  readonly right: number
  readonly refused: number
  readonly wrong: number
  readonly bound: {
    /** The least share of the cases that must be right. */
    readonly minRight: number
    /** The greatest share of the cases that may be wrong. */
    readonly maxWrong: number
  }
}

export interface Score {
  readonly name: string
  readonly rows: readonly ScoreRow[]
  readonly seconds: number
}

/** True when the row reaches its bound. A set without cases, or with cases that were not counted, does not. */
export function holds({ cases, right, refused, wrong, bound }: ScoreRow): boolean {
  const allCounted = cases > 0 && right + refused + wrong === cases
  return allCounted && right / cases >= bound.minRight && wrong / cases <= bound.maxWrong
}

/** The rows below their bounds, one line each: nothing for a score that holds the line. */
export function missed({ name, rows }: Pick<Score, 'name' | 'rows'>): readonly string[] {
  if (rows.length === 0) return [`${name}: nothing was scored`]
  return rows
    .filter((row) => !holds(row))
    .map(
      ({ label, cases, right, refused, wrong, bound }) =>
        `${name}, ${label}: of ${cases} cases ${right} right, ${refused} refused, ${wrong} wrong; ` +
        `bound: ${bound.minRight * cases} right, ${bound.maxWrong * cases} wrong`,
    )
}

export type Result = 'right' | 'refused' | 'wrong'

/** Counts results into a row. */
export function countRow(
  label: string,
  results: readonly Result[],
  bound: ScoreRow['bound'],
): ScoreRow {
  const count = (wanted: Result) => results.filter((result) => result === wanted).length
  return {
    label,
    cases: results.length,
    right: count('right'),
    refused: count('refused'),
    wrong: count('wrong'),
    bound,
  }
}

/** Takes the time of the work that yields the rows. */
export async function timeScore(
  name: string,
  work: () => Promise<readonly ScoreRow[]>,
): Promise<Score> {
  const started = performance.now()
  const rows = await work()
  return { name, rows, seconds: (performance.now() - started) / 1000 }
}
