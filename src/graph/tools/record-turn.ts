import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { attemptOf, changesOf, patchAttempt } from '../../core/domain/change-state.ts'
import type { JournalEntry } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { ToolCall } from '../../core/domain/tool-loop.ts'
import type { Ports } from '../../core/ports.ts'
import type { ToolResult } from './tool-result.ts'

/** In characters; the journal has the whole answer besides. */
const longestNoted = 500

/** Tools that run tests: a resumed run reads their result instead of running them again. */
const tests: ReadonlySet<string> = new Set(['run_tests', 'done'])

const hashOf = (input: string): string => createHash('sha256').update(input).digest('hex')

/** Writes the turn to the journal before it is used. */
export async function recordTurn(
  { tool, input, thought }: ToolCall,
  { before, after, result }: Record<'before' | 'after', RunState> & { result: ToolResult },
  { store }: Pick<Ports, 'store'>,
): Promise<void> {
  const attempt = attemptOf(after)
  const { observation, summary, fault, ends } = result
  const { tests: report, receipt, broken, failure, remedies, loop } = attempt
  const hasRun = tests.has(tool) && report !== attemptOf(before).tests
  // A run that asked the model, or renewed lock files, is repeated: its answers and files are known.
  const isWhole =
    after.spent.calls === before.spent.calls &&
    isDeepStrictEqual(changesOf(attempt.draft), changesOf(attemptOf(before).draft))
  const tested = { attempt: { tests: report, receipt, broken, failure, remedies, loop } }
  const event: JournalEntry = {
    ...{ kind: 'observed', task: attempt.task.id, attempt: attempt.number },
    ...{ turn: attemptOf(before).loop?.turns.length ?? 0, tool, thought, observation, summary },
    ...{ input: input.slice(0, longestNoted).toWellFormed(), hash: hashOf(input) },
    isOk: fault === undefined,
  }
  const facts = { ...tested, ...(ends && { ends }), ...(fault && fault !== 'call' && { fault }) }
  const entry = hasRun && isWhole ? { ...event, tested: facts } : event
  await store.record(after.run.id, [entry])
}

/** The result of a test run that ended just before this run was killed. */
export async function recordedResult(
  { tool, input }: ToolCall,
  state: RunState,
  { store }: Pick<Ports, 'store'>,
): Promise<ToolResult | null> {
  const { starts, number, task, loop } = attemptOf(state)
  if (starts === 1 || !tests.has(tool)) return null
  const turn = loop?.turns.length ?? 0
  const hash = hashOf(input)
  const found = (await store.journal(state.run.id)).findLast(
    (event) =>
      event.kind === 'observed' &&
      event.task === task.id &&
      event.attempt === number &&
      event.turn === turn &&
      event.hash === hash,
  )
  if (found?.kind !== 'observed' || found.tested === undefined) return null
  const { observation, summary, tested } = found
  const { attempt, fault } = tested
  const ends = isEnd(tested.ends) ? tested.ends : undefined
  const patch = patchAttempt(state, attempt)
  return { observation, summary, patch, ...(fault && { fault }), ...(ends && { ends }) }
}

const isEnd = (outcome: string | undefined): outcome is 'verified' | 'cannot_run' =>
  outcome === 'verified' || outcome === 'cannot_run'
