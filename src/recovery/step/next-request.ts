/** Which request follows an answer that does not serve: each differs from those before in what matters. */
import type { AnswerForm, TriedRequest } from '../../core/domain/answer-form.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { otherForm } from '../../model/size/choose-form.ts'

/** The number of the next sample of an attempt. */
const nextSample = ({ requests }: Pick<Attempt, 'requests'>): number =>
  1 + Math.max(0, ...requests.map(({ sample }) => sample))

/**
 * After an answer of which nothing can be used: another form where the files allow it and it was not tried, else another
 * sample.
 *
 * @param first the form of a first request for these files
 */
export function afterUnusable(
  attempt: Pick<Attempt, 'requests' | 'draft' | 'context' | 'problems'>,
  first: AnswerForm,
): TriedRequest {
  const { requests, draft, context, problems } = attempt
  const why = problems[0]?.message ?? 'the last answer could not be used'
  const last = requests.at(-1)?.form ?? first
  // A small file is sent whole again even where it lost code: an edit of it would lose more answers.
  const losesCode = draft?.refusals.some(({ lost }) => lost !== undefined) === true
  const form = (losesCode && first !== 'whole') || draft?.isCut ? 'edits' : otherForm(last, context)
  const isNew = form !== last && !requests.some((each) => each.form === form)
  return isNew
    ? { rung: 'other_form', form, sample: 0, why }
    : { rung: 'sample', form: last, sample: nextSample(attempt), why }
}

/** Samples that the attempt has drawn after red tests. */
const drawn = ({ requests }: Pick<Attempt, 'requests'>): number =>
  requests.filter(({ rung }) => rung === 'sample').length

/** After red tests: the first request again, as another sample; `null` once all samples are drawn. */
export function afterRed(
  attempt: Pick<Attempt, 'requests' | 'failure'>,
  { samples }: Pick<Settings, 'samples'>,
): TriedRequest | null {
  const [first] = attempt.requests
  if (first === undefined || drawn(attempt) >= samples) return null
  const why = attempt.failure?.message ?? 'tests fail'
  return { rung: 'sample', form: first.form, sample: nextSample(attempt), why }
}

type Counted = Pick<Attempt, 'requests' | 'testRepairs' | 'validationRepairs'>

/** True while requests are left in all: 1 + `validation-repairs` + `test-repairs`. */
const isRoom = (
  { testRepairs, validationRepairs }: Counted,
  { limits }: Pick<Settings, 'limits'>,
) => testRepairs + validationRepairs < limits.testRepairs + limits.validationRepairs

/**
 * True while an attempt whose tests are red may ask once more. Where samples are drawn, it may use up what the repairs of
 * code that does not parse have left.
 */
export function mayTryAgain(
  attempt: Counted,
  settings: Pick<Settings, 'limits' | 'samples'>,
): boolean {
  const { limits, samples } = settings
  if (attempt.testRepairs < limits.testRepairs) return isRoom(attempt, settings)
  const isDrawn = limits.testRepairs > 0 && samples > 0 && attempt.requests.length > 0
  return isDrawn && isRoom(attempt, settings)
}

/** True while an attempt may ask for a repair of an answer that is not valid. */
export const mayRepairCode = (attempt: Counted, settings: Pick<Settings, 'limits'>): boolean =>
  attempt.validationRepairs < settings.limits.validationRepairs && isRoom(attempt, settings)
