/**
 * Refinements of first requests: what a request holds or leaves out because of how earlier first answers ended, by the
 * shape of the task and with the same model.
 *
 * - Below ten usual samples, and where four of five first answers pass, nothing is tried.
 * - One refinement at a time is on trial, in the order of the list, if the failures suggest it: every other task of the
 *   shape gets it, so that both kinds of samples come from the same weeks and the same work.
 * - From ten samples on it is kept if the 95 % interval of its rate lies above the usual rate, and dropped if it lies
 *   below. After forty samples without a difference it is dropped, too.
 *
 * A kept refinement is judged again with each sample, so it is dropped when it no longer helps.
 */
import { type FirstAnswers, type Refinement, refinements, type TaskShape } from '../domain/route.ts'
import { largeContext } from './fold-events.ts'
import { type Help, helpOf } from './learning.ts'
import { comparedFrom } from './routing.ts'
import { type Interval, wilsonInterval } from './statistics.ts'

/** From this rate of first answers that pass, a trial has little to gain. */
const goodEnough = 0.8
/** Samples after which a trial ends without a result. */
const mostTried = 40
/** The share of failures, or of requests, that suggests a refinement. */
const telling = 1 / 3

export type TrialState = 'on_trial' | 'kept' | 'dropped'

/** A refinement that was tried for tasks of one shape, beside those without any. */
export interface RefinementFigures {
  readonly shape: TaskShape
  readonly refinement: Refinement
  readonly samples: number
  readonly first: number
  readonly usual: { readonly samples: number; readonly first: number }
  /** Of the rate with the refinement. */
  readonly confidence: Interval | null
  readonly state: TrialState
}

/** The refinements that have samples, each with its figures. */
export function judgeRefinements(answers: readonly FirstAnswers[]): readonly RefinementFigures[] {
  const shapes = [...new Set(answers.map(({ shape }) => shape))]
  return shapes.flatMap((shape) =>
    refinements
      .map((refinement) => judge(shape, refinement, answers))
      .filter(({ samples }) => samples > 0),
  )
}

/** The refinement for the next first request of a task with this shape, or `null`. */
export function chooseRefinement(
  shape: TaskShape,
  answers: readonly FirstAnswers[],
): Refinement | null {
  const usual = answers.filter((each) => each.shape === shape && each.refinement === '')
  const { samples, first } = sum(usual)
  if (samples < comparedFrom || first / samples >= goodEnough) return null
  for (const refinement of refinements) {
    const tried = judge(shape, refinement, answers)
    if (tried.state === 'kept') return refinement
    if (tried.state === 'dropped') continue
    if (tried.samples === 0 && !suggests[refinement](usual)) continue
    return tried.samples <= samples - comparedFrom ? refinement : null
  }
  return null
}

function judge(
  shape: TaskShape,
  refinement: Refinement,
  answers: readonly FirstAnswers[],
): RefinementFigures {
  const ofShape = answers.filter((each) => each.shape === shape)
  const usual = sum(ofShape.filter((each) => each.refinement === ''))
  const tried = sum(ofShape.filter((each) => each.refinement === refinement))
  const confidence = wilsonInterval(tried.first, tried.samples)
  const help = helpOf(tried.samples, confidence, usual.first / usual.samples)
  const state = stateOf(help, tried.samples)
  return { shape, refinement, ...tried, usual, confidence, state }
}

function stateOf(help: Help, samples: number): TrialState {
  if (help === 'helps') return 'kept'
  return help === 'hinders' || samples >= mostTried ? 'dropped' : 'on_trial'
}

function sum(answers: readonly FirstAnswers[]) {
  const total = (key: 'samples' | 'first') => answers.reduce((all, one) => all + one[key], 0)
  return { samples: total('samples'), first: total('first') }
}

type Suggests = (usual: readonly FirstAnswers[]) => boolean

const afterErrors =
  (...types: readonly string[]): Suggests =>
  (usual) => {
    const missed = (some: readonly FirstAnswers[]) => sum(some).samples - sum(some).first
    return missed(usual.filter((each) => types.includes(each.errorType))) >= telling * missed(usual)
  }

/** Whether the usual first answers suggest that it might help. */
const suggests: Readonly<Record<Refinement, Suggests>> = {
  copy_edits: afterErrors('validation', 'model_error'),
  close_code: afterErrors('syntax_error'),
  import_known: afterErrors('missing_dependency'),
  stay_in_scope: afterErrors('permission_denied'),
  keep_tests: afterErrors('test_failure'),
  no_lesson: () => true,
  less_code: (usual) =>
    sum(usual.filter(({ context }) => context === largeContext)).samples >=
    telling * sum(usual).samples,
}
