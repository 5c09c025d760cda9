import { changesBetween, type Draft, type Refusal } from '../../../packages/change/change.ts'
import { readDraft } from '../../../packages/judge/judge.ts'
import { clip, nameSome } from '../../../packages/text/text.ts'
import type { Attempt, PlanPart } from '../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  failureAt,
  joinPatches,
  patchAttempt,
  withEarlierNotes,
} from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { OutcomeOf } from '../../core/domain/steps.ts'
import type { Ports } from '../../core/ports.ts'
import type { ModelAnswer } from '../../model/ask/ask-model.ts'
import { aroundAttempt } from '../../model/context/around-attempt.ts'
import { filesOfPart, nextPart, partsOf, untouched } from '../../model/planning/parts.ts'
import { lessonFor } from '../../model/prompts/draft-part.ts'
import { withoutEcho } from '../../model/prompts/examples/lessons.ts'
import type { Step } from '../step.ts'

type Answered = Extract<ModelAnswer, { readonly status: 'answered' }>
type Outcome = Extract<
  OutcomeOf<'execute_task'>,
  'part_drafted' | 'drafted' | 'claims_done' | 'failed'
>

/**
 * Reads the answer for one part into the draft of the parts before it. Asks once more, for this part alone, when
 * something of the answer cannot be used. A part that brings nothing twice fails the task if a later part needs it;
 * otherwise its refusals stay in the draft, and `repair_code` asks for just that.
 */
export async function takePart(
  state: RunState,
  part: PlanPart,
  asked: Answered,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Step<Outcome>> {
  const after = changeState(state, asked.patch)
  const attempt = attemptOf(after)
  const before = attempt.draft
  const progress = attempt.parts ?? untouched
  const isSecond = progress.again !== ''
  const answered = await readPart(part, asked, attempt, isSecond, ports)
  const refusals = answered.refusals
  const draft = mergeDrafts(answered, before)
  const step = (outcome: Outcome, change: Partial<Attempt>): Step<Outcome> => ({
    outcome,
    patch: joinPatches(asked.patch, patchAttempt(after, change)),
  })
  if (refusals.length > 0 && !isSecond) {
    const again = clip(nameSome(refusals.map(explain), mostReasons), longestReason)
    return step('part_drafted', { draft, parts: { ...progress, again } })
  }
  const written = changesBetween(before?.changes ?? [], draft.changes).map(({ path }) => path)
  const wrote = written.length > 0 || draft.changes.some(({ path }) => part.files.includes(path))
  const left = wrote || !refusals.every(({ isEcho }) => isEcho) ? refusals : []
  if (!wrote && left.length > 0 && isNeeded(part, attempt)) {
    return step('failed', { draft: null, parts: null, failure: failureOf(part, left, attempt) })
  }
  const done = [...progress.done, part.id]
  // A later part may write the file that an earlier one could not.
  const open = progress.refusals.filter(({ path }) => !written.includes(path))
  const parts = { done, refusals: [...open, ...left.map(aboutPart(part))], again: '' }
  if (nextPart({ ...attempt, parts }) !== null) {
    return step('part_drafted', { draft: { ...draft, refusals: [] }, parts })
  }
  const claimsDone = draft.changes.length + parts.refusals.length === 0
  const whole = { ...draft, refusals: parts.refusals, claimsDone }
  return step(claimsDone ? 'claims_done' : 'drafted', { draft: whole, parts })
}

/** Reads the answer on top of the parts before it. A second answer may settle what was wrong with the first. */
async function readPart(
  part: PlanPart,
  asked: Answered,
  attempt: Attempt,
  isSecond: boolean,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Draft> {
  const { task, map, draft } = attempt
  const [only, ...others] = part.files
  const read = await readDraft(asked.text, {
    end: asked,
    base: draft?.changes ?? [],
    ...(isSecond && { refused: draft?.refusals ?? [] }),
    expectedPath: others.length === 0 ? only : undefined,
    ...(await aroundAttempt(attempt, ports)),
  })
  const files = await filesOfPart(part, attempt, ports)
  return withoutEcho(read, lessonFor({ task, part, map, files }))
}

const mergeDrafts = (draft: Draft, before: Draft | null): Draft => ({
  ...withEarlierNotes(draft, before),
  summary: before?.summary || draft.summary,
})

const explain = ({ path, reason }: Refusal): string => (path === '' ? reason : `${path}: ${reason}`)

/** In characters, of the reasons that are quoted back; how many. */
const longestReason = 800
const mostReasons = 4

/** A refusal of the whole answer is about the part's first file. */
const aboutPart =
  ({ does, files }: PlanPart) =>
  (refusal: Refusal): Refusal =>
    refusal.path === ''
      ? {
          ...refusal,
          path: files[0] ?? '',
          reason: `nothing was written for "${does}": ${refusal.reason}`,
        }
      : refusal

const isNeeded = ({ id }: PlanPart, { plan, parts }: Attempt): boolean =>
  partsOf(plan).some((other) => other.needs.includes(id) && parts?.done.includes(other.id) !== true)

/** `step 3 of 5 failed …; steps 1 and 2 are dropped`. */
function failureOf(part: PlanPart, refusals: readonly Refusal[], { plan }: Attempt) {
  const parts = partsOf(plan)
  const number = parts.findIndex(({ id }) => id === part.id) + 1
  const why = clip(nameSome(refusals.map(explain), mostReasons), longestReason)
  const dropped = ['', 'step 1 is dropped, and', 'steps 1 and 2 are dropped, and'][number - 1]
  const before = dropped ?? `steps 1 to ${number - 1} are dropped, and`
  const message = `step ${number} of ${parts.length} failed: ${why}; ${before} nothing was written`
  const problems = refusals.map(({ path, reason }) => ({
    ...{ path, type: 'reply', message: reason, line: 0, column: 0 },
  }))
  const output = refusals.map(({ excerpt }) => excerpt).join('\n')
  return failureAt('repairs_spent', message.replaceAll(/\s+/g, ' '), { problems, output })
}
