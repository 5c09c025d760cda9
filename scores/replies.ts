import { diffFaults, fatalFaults } from '../test/changeset/diff-faults.ts'
import {
  ambiguousDiffs,
  diffsWith,
  type FaultyEdit,
  faultyDiffs,
  judgeAnswer,
} from '../test/changeset/faulty-edits.ts'
import { countRow, type Score, type ScoreRow, timeScore } from './score.ts'

const everyOne = { minRight: 1, maxWrong: 0 }

/**
 * Real edits of eleven real files in ten languages, written as unified diffs and broken as models
 * break them. Right is the meant text, character for character; a part that is refused makes the
 * whole refused. Edits that fit in two places even when nothing is wrong with them are left out,
 * and scored apart: their refusal is what is wanted.
 */
export function scoreReplies(): Promise<Score> {
  return timeScore('replies', async () => [
    row(
      'diff, one fault (all kinds)',
      Object.keys(diffFaults).flatMap((fault) => diffsWith(fault, 20, 7)),
      everyOne,
    ),
    row('diff, three stacked faults', faultyDiffs(1_000, 3, 11), {
      minRight: 0.85,
      maxWrong: 0.01,
    }),
    refusals(
      'diff with invented context is refused',
      Object.keys(fatalFaults).flatMap((fault) => diffsWith(fault, 100, 7)),
    ),
    refusals('diff that fits in two places is refused', ambiguousDiffs(100, 7)),
  ])
}

function row(label: string, cases: readonly FaultyEdit[], bound: ScoreRow['bound']): ScoreRow {
  return countRow(label, cases.map(judgeAnswer), bound)
}

/** Cases that nobody could know the answer of: to refuse is right, anything else is wrong. */
function refusals(label: string, cases: readonly FaultyEdit[]): ScoreRow {
  const results = cases.map((one) => (judgeAnswer(one) === 'refused' ? 'right' : 'wrong'))
  return countRow(label, results, everyOne)
}
