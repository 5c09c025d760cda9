import { blockFaults, diffFaults, fatalFaults } from '../packages/judge/test/answer/diff-faults.ts'
import {
  ambiguousDiffs,
  editsWith,
  type FaultyEdit,
  type Form,
  faultyEdits,
  judgeAnswer,
} from '../packages/judge/test/answer/faulty-edits.ts'
import { judgeByGit, judgeExactly } from '../packages/judge/test/answer/other-appliers.ts'
import { countRow, type Score, type ScoreRow, timeScore } from './score.ts'

const everyOne = { minRight: 1, maxWrong: 0 }

/**
 * Edits of eleven files in ten languages, written as diffs and as blocks, and broken as models
 * break them. Right is the meant text, character for character; a part that is refused makes the
 * whole refused. Edits that fit in two places even when nothing is wrong with them are left out,
 * and scored apart: their refusal is what is wanted. `share` takes every so many cases, for a test that has
 * less time.
 */
export function scoreReplies(share = 1): Promise<Score> {
  const some = (count: number): number => Math.ceil(count / share)
  return timeScore('replies', async () => [
    row(
      'diff, one fault (all kinds)',
      withEach(Object.keys(diffFaults), 'diff', some(20)),
      everyOne,
    ),
    row('diff, three stacked faults', threeFaults('diff', some(1_000)), most),
    row(
      'SEARCH/REPLACE, one fault (all kinds)',
      withEach(blockFaults, 'blocks', some(20)),
      everyOne,
    ),
    row('SEARCH/REPLACE, three stacked faults', threeFaults('blocks', some(1_000)), most),
    ...Object.keys(fatalFaults).map((fault) =>
      row(`diff, ${fault}`, withEach([fault], 'diff', some(100)), certain),
    ),
    refusals(
      'diff that fits in two places is refused',
      ambiguousDiffs(some(100), seed, { isNumbered: false }),
    ),
    row(
      'diff that fits in two places, with right numbers',
      ambiguousDiffs(some(100), seed, { isNumbered: true }),
      everyOne,
    ),
    countRow(
      'beside it: git apply, three stacked faults',
      await judgeByGit(threeFaults('diff', some(150))),
      none,
    ),
    countRow(
      'beside it: exact SEARCH/REPLACE, three stacked faults',
      threeFaults('blocks', some(1_000)).map(judgeExactly),
      none,
    ),
  ])
}

/** What other tools make of the same edits has no bound. */
const none = { minRight: 0, maxWrong: 1 }
const most = { minRight: 0.85, maxWrong: 0.01 }
/** Refused wherever the other lines do not prove what is meant. */
const certain = { minRight: 0.25, maxWrong: 0 }
const seed = 11

function withEach(faults: readonly string[], form: Form, count: number): readonly FaultyEdit[] {
  return faults.flatMap((fault) => editsWith(fault, form, { count, seed }))
}

function threeFaults(form: Form, count: number): readonly FaultyEdit[] {
  return faultyEdits(form, { count, faults: 3, seed })
}

function row(label: string, cases: readonly FaultyEdit[], bound: ScoreRow['bound']): ScoreRow {
  return countRow(label, cases.map(judgeAnswer), bound)
}

/** Cases that nobody could know the answer of: to refuse is right, anything else is wrong. */
function refusals(label: string, cases: readonly FaultyEdit[]): ScoreRow {
  const results = cases.map((one) => (judgeAnswer(one) === 'refused' ? 'right' : 'wrong'))
  return countRow(label, results, everyOne)
}
