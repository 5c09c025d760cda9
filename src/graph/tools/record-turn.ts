import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { changesOf } from '../../../packages/change/change.ts'
import { attemptOf, patchAttempt } from '../../core/domain/change-state.ts'
import type { JournalEntry } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { ToolCall } from '../../core/domain/tool-call.ts'
import { newLoop } from '../../core/domain/tool-loop.ts'
import type { Ports } from '../../core/ports.ts'
import type { ToolResult } from './tool-result.ts'

/** In characters; the journal has the whole answer besides. */
const longestNoted = 500

/** A test result belongs to one draft. */
const hashOf = (state: RunState): string =>
  createHash('sha256')
    .update(JSON.stringify(attemptOf(state).draft?.changes ?? []))
    .digest('hex')

/** Writes the turn to the journal before it is used. */
export async function recordTurn(
  { tool, input, thought }: ToolCall,
  { before, after, result }: Record<'before' | 'after', RunState> & { result: ToolResult },
  { store }: Pick<Ports, 'store'>,
): Promise<void> {
  const attempt = attemptOf(after)
  const { observation, summary, fault, hasRun = false } = result
  const event: JournalEntry = {
    ...{ kind: 'observed', task: attempt.task.id, attempt: attempt.number },
    ...{ turn: attemptOf(before).loop?.turns.length ?? 0, tool, thought, observation, summary },
    ...{ input: input.slice(0, longestNoted).toWellFormed(), hash: hashOf(before) },
    isOk: fault === undefined,
  }
  const entry = hasRun ? { ...event, tested: factsOf(before, after, result) } : event
  await store.record(after.run.id, [entry])
}

function factsOf(before: RunState, after: RunState, { ends, fault }: ToolResult) {
  const { tests: report, receipt, broken, failure, remedies, loop, draft } = attemptOf(after)
  const { testRuns, hasPassed } = loop ?? newLoop
  // A run that asked the model, or renewed lock files, is repeated: its answers and files are known.
  const isWhole =
    after.spent.calls === before.spent.calls &&
    isDeepStrictEqual(changesOf(draft), changesOf(attemptOf(before).draft))
  return {
    ...{ isWhole, loop: { testRuns, hasPassed } },
    attempt: { tests: report, receipt, broken, failure, remedies },
    ...(ends && { ends }),
    ...(fault && fault !== 'call' && { fault }),
  }
}

/** The result of this turn's test run, when the journal has it: the run was killed after it. */
export async function recordedRun(
  state: RunState,
  { store }: Pick<Ports, 'store'>,
): Promise<ToolResult | null> {
  const { number, task, loop } = attemptOf(state)
  const turn = loop?.turns.length ?? 0
  const hash = hashOf(state)
  const found = (await store.journal(state.run.id)).findLast(
    (event) =>
      event.kind === 'observed' &&
      event.task === task.id &&
      event.attempt === number &&
      event.turn === turn &&
      event.hash === hash,
  )
  if (found?.kind !== 'observed' || found.tested?.isWhole !== true) return null
  const { observation, summary, tested } = found
  const { attempt, fault } = tested
  const patch = patchAttempt(state, { ...attempt, loop: { ...(loop ?? newLoop), ...tested.loop } })
  return {
    ...{ observation, summary, patch, hasRun: true },
    ...(fault && { fault }),
    ...(tested.ends === 'cannot_run' && { ends: tested.ends }),
  }
}
