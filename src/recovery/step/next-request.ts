/** Which request follows an answer that does not serve: each differs from those before in what matters. */
import type { AnswerForm, TriedRequest } from '../../core/domain/answer-form.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { otherForm } from '../../model/size/complexity.ts'

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

/** After a repair that sent the faulty code again: the first request as another sample, which does not show that code. */
export const afterCopy = (
  attempt: Pick<Attempt, 'requests' | 'problems'>,
  first: AnswerForm,
): TriedRequest => ({
  ...{ rung: 'sample', form: first, sample: nextSample(attempt) },
  why: attempt.problems[0]?.message ?? 'the repair changed nothing',
})

/** Samples that the attempt has drawn after red tests. */
const drawn = ({ requests }: Pick<Attempt, 'requests'>): number =>
  requests.filter(({ rung }) => rung === 'sample').length

/** Errors that state the missing name and its line: a model that sees the code repairs them. */
const ofNames =
  /^(?:NameError|UnboundLocalError|ReferenceError|ImportError|ModuleNotFoundError|SyntaxError|IndentationError)$/

/** True when the first request shows the tests that are red, or the answer wrote them: another sample can respect them. */
function areShown({ broken, context, draft }: Pick<Attempt, 'broken' | 'context' | 'draft'>) {
  const paths = new Set([...context, ...(draft?.changes ?? [])].map(({ path }) => path))
  return broken.every(({ file }) => file === null || paths.has(file))
}

/**
 * After red tests: the first request again, as another sample. `null` where a repair comes next: where code breaks that
 * the first request does not show; once, for a name that is missing; and once all samples are drawn.
 */
export function afterRed(
  attempt: Pick<Attempt, 'requests' | 'failure' | 'broken' | 'testRepairs' | 'context' | 'draft'>,
  { samples }: Pick<Settings, 'samples'>,
): TriedRequest | null {
  const [first] = attempt.requests
  if (first === undefined || drawn(attempt) >= samples || !areShown(attempt)) return null
  const isRepaired = attempt.testRepairs > drawn(attempt)
  if (!isRepaired && ofNames.test(attempt.broken[0]?.errorType ?? '')) return null
  const why = attempt.failure?.message ?? 'tests fail'
  return { rung: 'sample', form: first.form, sample: nextSample(attempt), why }
}

/** Answers after red tests; the one to a request that shows them to a model that saw nothing to do is one of these. */
const afterTests = ({ requests, testRepairs }: Pick<Attempt, 'requests' | 'testRepairs'>): number =>
  testRepairs + requests.filter(({ rung }) => rung === 'red_tests').length

type Answered = Pick<Attempt, 'requests' | 'testRepairs' | 'validationRepairs'>
type Allowed = Pick<Settings, 'limits' | 'samples'>

/** Where samples are drawn, an attempt may not use up all its limits: no task that was done took that many answers. */
function hasAnswersLeft(attempt: Answered, { limits, samples }: Allowed): boolean {
  const most = Math.max(limits.testRepairs, samples) + Math.max(limits.validationRepairs, 1)
  const answers = 1 + attempt.validationRepairs + afterTests(attempt)
  return drawn(attempt) === 0 || answers < most
}

/**
 * True while an attempt whose tests are red may ask once more: for as many answers as there may be repairs; and, where it
 * draws samples and tests that were red before set the goal, for as many as there may be samples.
 */
export function mayTryAgain(
  attempt: Answered & Pick<Attempt, 'receipt'>,
  { limits, samples }: Allowed,
): boolean {
  if (!hasAnswersLeft(attempt, { limits, samples })) return false
  const tried = afterTests(attempt)
  const wasRed = (attempt.receipt?.before?.failed ?? 0) > 0
  const drawsOn = wasRed && drawn(attempt) > 0 && tried < samples
  return tried < limits.testRepairs || (limits.testRepairs > 0 && drawsOn)
}

/** True while an attempt whose answer cannot be used may ask once more. */
export const mayRepairCode = (attempt: Answered, allowed: Allowed): boolean =>
  attempt.validationRepairs < allowed.limits.validationRepairs && hasAnswersLeft(attempt, allowed)
