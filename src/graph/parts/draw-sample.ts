import type { Draft } from '../../../packages/change/change.ts'
import { openRepair } from '../../../packages/judge/judge.ts'
import { isTestFile } from '../../../packages/source/source.ts'
import type { TriedRequest } from '../../core/domain/answer-form.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import { attemptOf, leftOutOf, type StatePatch, wayOf } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import type { ModelAnswer, ModelPorts } from '../../model/ask/ask-model.ts'
import { partsOf } from '../../model/planning/parts.ts'
import { showFailures, tellLeftOut } from '../../model/prompts/repair-test.ts'
import { askForDraft, readAsked } from './ask-for-draft.ts'

export type Answered = Extract<ModelAnswer, { readonly status: 'answered' }>

/** An answer to a request for a draft, and how to read it. */
export interface AskedForDraft {
  readonly asked: ModelAnswer
  read(asked: Answered): Promise<{ readonly draft: Draft; readonly patch: StatePatch }>
}

/** True where one request asks for all of a change: neither a group, nor a plan's parts, nor tools, nor a review. */
export const mayDraw = (attempt: Attempt, { settings }: Pick<Ports, 'settings'>): boolean =>
  wayOf(attempt, settings.strategy) !== 'tools' &&
  attempt.task.members === undefined &&
  attempt.feedback === null &&
  partsOf(attempt.plan).length === 0

/**
 * Asks the first question again, as another sample, with the failures of the last answer but not its code, which a weak
 * model would repeat. The answer stands alone and replaces the draft.
 */
export async function drawSample(
  state: RunState,
  request: TriedRequest,
  ports: ModelPorts & Pick<Ports, 'workspace'>,
): Promise<AskedForDraft> {
  const attempt = attemptOf(state)
  const tests = attempt.context.filter(({ path, whole }) => whole && isTestFile(path))
  const sources = new Map(tests.map(({ path, text }) => [path, text]))
  const repair = openRepair(attempt)
  const failures = showFailures(repair.failures, sources)
  const leftOut = tellLeftOut(leftOutOf(attempt.draft))
  const defect = `Your last answer fails these tests:\n${failures}${leftOut && `\n${leftOut}`}`
  const asked = await askForDraft(state, ports, { purpose: 'repair_test', request, defect })
  return {
    asked,
    async read(answer) {
      const alone = await readAsked(state, answer, request, ports)
      if (alone.draft.changes.length > 0 && alone.draft.refusals.length === 0) {
        const before = { ...attempt, draft: ownTests(attempt, alone.draft) }
        return { ...alone, draft: await openRepair(before).guard(alone.draft) }
      }
      // A model may edit the draft that it remembers.
      const base = { changes: attempt.draft?.changes ?? [], refusals: [] }
      const onTop = await readAsked(state, answer, request, ports, base)
      const isEdit = onTop.draft.refusals.length === 0
      return isEdit ? { ...onTop, draft: await repair.guard(onTop.draft) } : alone
    },
  }
}

/** Of the draft before, the new tests that this one has as well: they may differ, and may not be weaker. */
function ownTests({ draft: before }: Attempt, { changes }: Draft): Draft | null {
  if (before === null) return null
  const kept = before.changes.filter(
    ({ action, path }) =>
      action === 'create' && isTestFile(path) && changes.some((each) => each.path === path),
  )
  return { ...before, changes: kept }
}
