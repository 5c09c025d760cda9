import type { Draft } from '../../../packages/change/change.ts'
import { readDraft } from '../../../packages/judge/judge.ts'
import type { AnswerForm, TriedRequest } from '../../core/domain/answer-form.ts'
import type { ContextFile } from '../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  joinPatches,
  patchAttempt,
  type StatePatch,
} from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { ModelRequest } from '../../core/ports/model.ts'
import type { Ports } from '../../core/ports.ts'
import { askModel, firstOf, type ModelAnswer, type ModelPorts } from '../../model/ask/ask-model.ts'
import { modelFor } from '../../model/budget/check-budget.ts'
import { aroundAttempt } from '../../model/context/around-attempt.ts'
import { shortenFile } from '../../model/prompts/compose-prompt.ts'
import { draftPrompt } from '../../model/prompts/draft.ts'
import { chooseLesson, withoutEcho } from '../../model/prompts/examples/lessons.ts'
import { answerRoom, chooseForm } from '../../model/size/complexity.ts'

/** What a request for all of a change holds beside the task. */
export interface DraftQuestion {
  readonly purpose: ModelRequest['purpose']
  readonly request: TriedRequest
  /** Why the answer before could not serve, with the lines that show it. */
  readonly defect?: string
  /** Code that an earlier answer edited without having been shown it. */
  readonly unseen?: readonly ContextFile[]
  readonly endsWhenSilent?: boolean
}

/** The first request of an attempt. */
export const firstRequest = (form: AnswerForm): TriedRequest => ({
  ...{ rung: 'first', form, sample: 0, why: '' },
})

/** The form of a request for these files, by what this run knew of its model when it began. */
export function formFor(
  state: RunState,
  { settings }: Pick<Ports, 'settings'>,
  files: readonly ContextFile[],
  targets: readonly string[],
): AnswerForm {
  const measured = state.learned.forms?.[modelFor(state, settings)]
  return chooseForm(files, targets, settings.model.form, measured)
}

/** The form of a request for the files of this attempt. */
export function draftForm(state: RunState, ports: Pick<Ports, 'settings'>): AnswerForm {
  const { context, targets } = attemptOf(state)
  return formFor(state, ports, context, targets)
}

/** Asks for all of a change, with the code that the attempt has gathered. */
export function askForDraft(
  state: RunState,
  ports: ModelPorts,
  { purpose, request, defect, unseen = [], endsWhenSilent }: DraftQuestion,
): Promise<ModelAnswer> {
  const attempt = attemptOf(state)
  const { task, plan, context, targets, recalled, feedback, earlier = null, refinement } = attempt
  const others = context.filter(({ path }) => unseen.every((each) => each.path !== path))
  const messages = (share: number) =>
    draftPrompt({
      ...{ task, plan, targets, recalled, feedback, refinement, history: earlier },
      ...{ form: request.form, defect: defect ?? '' },
      map: shortenFile(attempt.map, attempt.map.length * share),
      files: [...firstOf(others, share), ...firstOf(unseen, share)],
    })
  return askModel(state, ports, {
    ...{ purpose, messages: request.rung === 'first' ? messages(1) : messages },
    ...answerRoom(context, targets),
    ...(request.sample > 0 && { sample: request.sample }),
    ...(endsWhenSilent !== undefined && { endsWhenSilent }),
  })
}

type Answered = Extract<ModelAnswer, { readonly status: 'answered' }>

/**
 * Reads an answer to `askForDraft`: the draft, without what repeats the worked example, and the patch that notes how it
 * was asked for.
 *
 * @param base the changes that the answer builds on; empty for an answer that stands alone
 */
export async function readAsked(
  state: RunState,
  asked: Answered,
  request: TriedRequest,
  ports: Pick<Ports, 'workspace'>,
  base: Pick<Draft, 'changes' | 'refusals'> = { changes: [], refusals: [] },
): Promise<{ readonly draft: Draft; readonly patch: StatePatch }> {
  const after = changeState(state, asked.patch)
  const attempt = attemptOf(after)
  const { task, plan, map, context: files, targets } = attempt
  const noted = patchAttempt(after, { requests: [...attempt.requests, request] })
  const patch = joinPatches(asked.patch, noted)
  if (asked.runaway) return { draft: neverEnding, patch }
  const read = await readDraft(asked.text, {
    base: base.changes,
    refused: base.refusals,
    end: asked,
    takesFunctions: request.form === 'function',
    expectedPath: onlyOf(targets.length > 0 ? targets : task.files),
    ...(await aroundAttempt(attempt, ports)),
  })
  return { draft: withoutEcho(read, chooseLesson({ task, plan, map, files })), patch }
}

/** The draft of an answer that was cut off because it repeated itself: nothing of it can be used. */
const neverEnding: Draft = {
  changes: [],
  refusals: [
    {
      path: '',
      reason: 'The answer repeated itself and was cut off. Write each line once.',
      excerpt: '',
    },
  ],
  claimsDone: false,
  summary: '',
  notes: [],
}

/** The file that a code block without a name must be. */
function onlyOf([only, ...others]: readonly string[]): string | undefined {
  return others.length === 0 && only?.includes('*') === false ? only : undefined
}
