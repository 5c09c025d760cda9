import { type CodeProblem, countChanges, type Draft } from '../../../packages/change/change.ts'
import { openRepair, readDraft } from '../../../packages/judge/judge.ts'
import { countOf, showText } from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  patchAttempt,
  withEarlierNotes,
  withoutPaths,
} from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { aroundAttempt } from '../../model/context/around-attempt.ts'
import { type ShownProblem, showProblems } from '../../model/prompts/repair-code.ts'
import type { ToolPorts, ToolResult } from './tool-result.ts'

/**
 * Applies a change to the draft in memory, by the reader and the checks of every answer. A file that may not be
 * changed is left out; one that does not parse stays in the draft, where edits can fix it, and never on the disk.
 */
export async function writeDiff(
  input: string,
  state: RunState,
  ports: ToolPorts,
): Promise<ToolResult> {
  const attempt = attemptOf(state)
  const before = attempt.draft?.changes ?? []
  const read = await readDraft(input, {
    base: before,
    expectedPath: before.length === 1 ? before[0]?.path : undefined,
    ...(await aroundAttempt(attempt, ports)),
  })
  const answer = withEarlierNotes(read, attempt.draft)
  const guarded = await openRepair(attempt).guard(answer)
  // A model that sends its change again, perhaps to test it, does no harm.
  const isEcho = before.length > 0 && guarded.refusals.every((refusal) => refusal.isEcho === true)
  const refusals = (isEcho ? [] : guarded.refusals).map(({ path, reason, excerpt }) => ({
    ...{ path, type: 'reply', message: reason, line: 0, column: 0 },
    excerpt: showText(path, excerpt).text,
  }))
  const draft: Draft = { ...guarded, refusals: [], locks: undefined }
  const checked = await checkDraft(changeState(state, patchAttempt(state, { draft })), ports)
  const { forbidden } = openRepair(attemptOf(checked.state))
  const kept = withoutPaths(draft, forbidden)
  const now =
    forbidden.length === 0
      ? checked
      : await checkDraft(changeState(state, patchAttempt(state, { draft: kept })), ports)
  const problems = [...forbidden, ...now.problems]
  const shown = [...refusals, ...problems.map(withExcerpt(now.state))]
  const { problems: open, destructive } = now
  const checkedDraft = patchAttempt(now.state, { draft: kept, problems: open, destructive })
  // Its record has the operations that need no approval.
  const patch = { ...checkedDraft, record: now.state.record }
  // Otherwise the model takes an edit of a test that was discarded for made.
  const discarded = guarded.notes.slice(answer.notes.length).map((note) => `${note}.\n`)
  return { ...(shown.length === 0 ? tellSize(kept, discarded) : tellProblems(shown)), patch }
}

function tellSize({ changes }: Draft, discarded: readonly string[]): ToolResult {
  const { files, added, removed } = countChanges(changes)
  const size = `+${added} −${removed} in ${countOf(files, 'file')}`
  const observation = `${discarded.join('')}The change so far: ${size}. It is not tested yet.`
  return { observation, summary: size }
}

function tellProblems(shown: readonly ShownProblem[]): ToolResult {
  const [first] = shown
  return {
    observation: `Not usable yet:\n${showProblems(shown)}`,
    summary: [first?.path, first?.message].filter(Boolean).join(': '),
    fault: 'change',
  }
}

function withExcerpt(state: RunState): (problem: CodeProblem) => ShownProblem {
  const { excerptOf } = openRepair(attemptOf(state))
  return (problem) => ({ ...problem, excerpt: excerptOf(problem) })
}

/** The checks of `validate_code`. */
export async function checkDraft(
  state: RunState,
  ports: ToolPorts,
): Promise<{
  readonly state: RunState
  readonly problems: readonly CodeProblem[]
  /** Promised files that the draft does not have; it may still get them. */
  readonly missing: readonly CodeProblem[]
  readonly destructive: Attempt['destructive']
}> {
  // Repairs of this loop have limits of their own.
  const fresh = changeState(state, patchAttempt(state, { validationRepairs: 0, problems: [] }))
  const { patch } = await ports.checks.validate_code(fresh, ports)
  const after = changeState(fresh, patch)
  const { problems, destructive } = attemptOf(after)
  const { validationRepairs, failure } = attemptOf(state)
  const own = patchAttempt(after, { validationRepairs, failure })
  return {
    state: changeState(after, own),
    problems: problems.filter((problem) => !isMissing(problem)),
    missing: problems.filter(isMissing),
    destructive,
  }
}

const isMissing = ({ type }: CodeProblem): boolean => type === 'expected_file'

/** Checks the draft without running it. */
export async function staticAnalyze(state: RunState, ports: ToolPorts): Promise<ToolResult> {
  const { draft } = attemptOf(state)
  if (draft === null || draft.changes.length === 0) {
    return { observation: 'There is no change yet.', summary: 'no change yet' }
  }
  const { problems, destructive } = await checkDraft(state, ports)
  if (problems.length > 0) {
    return {
      observation: showProblems(problems.map(withExcerpt(state))),
      summary: `${problems.length} found`,
      fault: 'change',
    }
  }
  const note = destructive.length === 0 ? '' : ' A person has to approve it.'
  return {
    observation: `The change has no problem that can be seen.${note}`,
    summary: 'no problem',
  }
}
