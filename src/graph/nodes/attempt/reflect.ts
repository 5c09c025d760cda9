import { changesOf, contentAfter } from '../../../../packages/change/change.ts'
import { showText } from '../../../../packages/text/text.ts'
import type { Attempt } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  joinPatches,
  patchAttempt,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { OutcomeOf } from '../../../core/domain/steps.ts'
import { withoutAnswer } from '../../../core/domain/unanswered.ts'
import { askModel, type ModelPorts } from '../../../model/ask/ask-model.ts'
import { readReflection, reflectPrompt } from '../../../model/prompts/reflect.ts'
import type { StepOf } from '../../step.ts'

/** An answer of three lines. */
const reflectionTokens = 200

/**
 * Asks why the change failed, in three short lines that the next request shows. A useless answer changes nothing: the
 * attempt continues, and this failure counts as reflected on.
 */
export async function reflect(state: RunState, ports: ModelPorts): Promise<StepOf<'reflect'>> {
  const attempt = attemptOf(state)
  const { task, reflections } = attempt
  const failure = failureOf(attempt)
  const asked = await askModel(state, ports, {
    purpose: 'reflect',
    messages: (share) =>
      reflectPrompt({
        task,
        change: share < 1 ? '' : changeOf(attempt),
        failure,
        earlier: reflections.filter((each) => each !== ''),
      }),
    maxOutputTokens: reflectionTokens,
  })
  if (asked.status === 'over_budget' || asked.status === 'unavailable') {
    return withoutAnswer(state, asked)
  }
  const said = asked.status === 'answered' ? readReflection(asked.text) : ''
  const after = changeState(state, asked.patch)
  const patch = patchAttempt(after, { reflections: [...reflections, said] })
  return { outcome: nextAfter(attempt), patch: joinPatches(asked.patch, patch) }
}

function nextAfter({ loop, problems }: Attempt): OutcomeOf<'reflect'> {
  if (loop?.isOpen === true) return 'reflected_tools'
  return problems.length > 0 ? 'reflected_code' : 'reflected_tests'
}

function failureOf({ loop, problems, failure }: Attempt): string {
  if (loop?.isOpen === true) return loop.turns.at(-1)?.observation ?? ''
  const lines = problems.map(({ path, line, message }) => `${path}:${line}: ${message}`)
  const found = lines.length > 0 ? lines.join('\n') : (failure?.message ?? '')
  return showText('failure.txt', found).text
}

const changeOf = ({ draft }: Attempt): string =>
  changesOf(draft)
    .map(
      (change) =>
        `${change.path}\n${showText(change.path, contentAfter(change) ?? 'deleted').text}`,
    )
    .join('\n\n')
