import type { CodeProblem } from '../../../packages/change/change.ts'
import { openBaseline, type TestFailure, type TestReport } from '../../../packages/judge/judge.ts'
import { isTestFile } from '../../../packages/source/source.ts'
import {
  attemptOf,
  changeState,
  joinPatches,
  patchAttempt,
  type StatePatch,
  startOf,
} from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { OutcomeOf } from '../../core/domain/steps.ts'
import { newLoop, type ToolLoop } from '../../core/domain/tool-loop.ts'
import { showProblems } from '../../model/prompts/repair-code.ts'
import { showFailures } from '../../model/prompts/repair-test.ts'
import { checkDraft } from './change.ts'
import { recordedRun } from './record-turn.ts'
import { readToolArguments, textArgument } from './tool-arguments.ts'
import { type ToolPorts, type ToolResult, wrongCall } from './tool-result.ts'

/**
 * Runs the project's tests on the draft: checks it, writes it into the task's folder and compares with the unchanged
 * code, as every strategy does. Without a change it shows the tests of the unchanged code.
 */
export async function runTests(state: RunState, ports: ToolPorts): Promise<ToolResult> {
  const attempt = attemptOf(state)
  if (attempt.draft === null || attempt.draft.changes.length === 0)
    return showBaseline(state, ports)
  if (attempt.loop?.hasPassed === true) {
    return {
      observation: 'The tests passed on this change already. Call done.',
      summary: 'passed before',
    }
  }
  const checked = await checkDraft(state, ports)
  if (checked.problems.length > 0) return notUsable(checked.problems)
  if (checked.destructive.length > 0) {
    const observation =
      'Not run: a person has to approve an operation in the change first. Call done.'
    return { observation, summary: needsApproval }
  }
  const { testRuns, pending } = attempt.loop ?? newLoop
  if (hasJustFailed(attempt.loop)) return stillFails
  if (testRuns >= ports.settings.limits.toolTestRuns) {
    const observation = 'No test run is left. Call done when the change is complete.'
    return { observation, summary: 'none left', fault: 'call' }
  }
  const tested = await verifyNow(state, ports)
  // The answer's own calls behind this one may be a part of the change.
  const isWhole = checked.missing.length === 0 && pending.length <= 1
  return isWhole && isAccepted(changeState(state, tested.patch))
    ? { ...tested, ends: 'verified' }
    : tested
}

/** An accept command of the task failed before and passes now: the task is done, whatever the model would say. */
function isAccepted(state: RunState): boolean {
  const { task, loop, receipt, draft } = attemptOf(state)
  if (loop?.hasPassed !== true || receipt?.result !== 'passed') return false
  // Tests that are written first pass an accept command before the code that they are for is there.
  if ((draft?.changes ?? []).every(({ path }) => isTestFile(path))) return false
  return receipt.commands.some(
    ({ command, exitCode, before }) =>
      task.accept.includes(command) && exitCode === 0 && before !== null && before?.exitCode !== 0,
  )
}

const needsApproval = 'needs approval'

function notUsable(problems: readonly CodeProblem[]): ToolResult {
  const shown = problems.map((problem) => ({ ...problem, excerpt: '' }))
  const observation = `Not run: the change is not usable yet.\n${showProblems(shown)}`
  return { observation, summary: 'not usable yet', fault: 'change' }
}

/** Writes and verifies the draft by the same nodes that follow the loop otherwise. */
async function verifyNow(state: RunState, ports: ToolPorts): Promise<ToolResult> {
  const known = await recordedRun(state, ports)
  if (known !== null) return known
  const written = await ports.checks.write_files(state, ports)
  const patch = written.patch ?? {}
  const after = changeState(state, patch)
  const { failure, problems } = attemptOf(after)
  if (written.outcome === 'cannot_run') {
    return { observation: failure?.message ?? '', summary: 'cannot run', patch, ends: 'cannot_run' }
  }
  if (written.outcome === 'destructive') {
    const observation = 'Not run: a person has to approve what this change installs. Call done.'
    return { observation, summary: needsApproval, patch }
  }
  if (written.outcome !== 'written') {
    const said = problems.map(({ message }) => message).join('\n') || (failure?.message ?? '')
    const undone = patchAttempt(after, { failure: attemptOf(state).failure })
    return {
      observation: `Not written: ${said}`,
      summary: 'not written',
      fault: 'change',
      patch: joinPatches(patch, undone),
    }
  }
  const judged = await ports.checks.verify_task(after, ports)
  return readJudgement(after, judged.outcome, joinPatches(patch, judged.patch))
}

function readJudgement(
  state: RunState,
  outcome: OutcomeOf<'verify_task'>,
  patch: StatePatch,
): ToolResult {
  const { broken, failure, tests, receipt } = attemptOf(changeState(state, patch))
  const { loop } = attemptOf(state)
  const counted = (hasPassed: boolean) => ({
    ...(loop ?? newLoop),
    testRuns: (loop?.testRuns ?? 0) + 1,
    hasPassed,
  })
  const noted = (hasPassed: boolean) =>
    joinPatches(patch, patchAttempt(changeState(state, patch), { loop: counted(hasPassed) }))
  switch (outcome) {
    case 'passed':
    case 'unverified':
    case 'already_satisfied': {
      const summary = tests === null ? 'no tests' : countPassed(tests)
      const verdict = outcome === 'unverified' ? 'No test failed' : 'The tests pass'
      const note = outcome === 'unverified' ? ` ${receipt?.notes.at(-1) ?? ''}` : ''
      return {
        observation: `${verdict}: ${summary}.${note} Call done.`,
        summary,
        patch: noted(true),
        hasRun: true,
      }
    }
    case 'cannot_run':
      return {
        observation: failure?.message ?? '',
        summary: 'cannot run',
        patch,
        ends: 'cannot_run',
        hasRun: true,
      }
    default: {
      const observation = broken.length > 0 ? showFailures(broken) : (failure?.message ?? '')
      const [first] = broken
      // A failure without a file is one of our own findings: its words say more than its name.
      const said = first?.file == null ? (first ?? failure)?.message : first.test
      const summary = `${failedOf}${said ?? ''}`
      const facts = { summary, fault: 'tests', patch: noted(false), hasRun: true } as const
      return { observation, ...facts }
    }
  }
}

async function showBaseline(state: RunState, ports: ToolPorts): Promise<ToolResult> {
  if (ports.settings.verify.mode === 'skip') {
    return { observation: 'Tests are switched off in this run.', summary: 'switched off' }
  }
  const known = await recordedRun(state, ports)
  if (known !== null) return known
  const report = await (await openBaseline(startOf(state), ports)).report()
  if (report === null) return { observation: 'The tests cannot run here.', summary: 'cannot run' }
  const failures: readonly TestFailure[] = report.commands.flatMap((command) => command.failures)
  const passed = countPassed(report)
  if (failures.length === 0) {
    return { observation: `Without a change: ${passed}.`, summary: passed, hasRun: true }
  }
  const summary = `${passed}, ${failures.length} failed`
  const observation = `Without a change: ${summary}.\n${showFailures(failures)}`
  return { observation, summary, hasRun: true }
}

function countPassed({ commands }: TestReport): string {
  const passed = commands.reduce((sum, { counts }) => sum + (counts?.passed ?? 0), 0)
  return `${passed} passed`
}

/**
 * Ends the loop. A change whose tests have passed is committed; any other is tested first, while a test run is left.
 * A change that a person must approve continues to the question.
 */
export async function finishLoop(
  input: string,
  state: RunState,
  ports: ToolPorts,
): Promise<ToolResult> {
  const { draft, loop } = attemptOf(state)
  const given = readToolArguments(input, 'summary')
  const summary = textArgument(given, 'summary', 'text', 'reason').trim()
  if (draft === null || draft.changes.length === 0) {
    // A weak model takes a change that could not be read for made.
    if (given.nothing !== true && !wasTold(loop, noChange)) return tellNoChange
    const nothing = { changes: [], refusals: [], claimsDone: true, summary, notes: [] }
    const patch = patchAttempt(state, { draft: nothing })
    return { observation: '', summary: 'nothing to do', patch, ends: 'claims_done' }
  }
  const named = summary === '' ? draft : { ...draft, summary }
  const now = changeState(state, patchAttempt(state, { draft: named }))
  const ends = { observation: '', summary: 'done' }
  const { problems, missing, destructive } = await checkDraft(now, ports)
  const isTested = ports.settings.verify.mode !== 'skip'
  const isLeft = (loop?.testRuns ?? 0) < ports.settings.limits.toolTestRuns
  const patch = patchAttempt(now, {})
  if (problems.length > 0) return { ...notUsable(problems), patch }
  if (missing.length > 0 && !wasTold(loop, missingOf)) return { ...tellMissing(missing), patch }
  if (destructive.length > 0) return { ...ends, patch, ends: 'finished' }
  if (loop?.hasPassed === true) return { ...ends, patch, ends: 'verified' }
  if (!isTested || !isLeft) return { ...ends, patch, ends: 'finished' }
  if (hasJustFailed(loop)) return { ...stillFails, patch }
  const tested = await verifyNow(now, ports)
  const after = attemptOf(changeState(now, tested.patch))
  const whole = { ...tested, patch: joinPatches(patch, tested.patch) }
  if (after.loop?.hasPassed === true) return { ...whole, ends: 'verified' }
  // What the change installs shows only once its lock files are renewed.
  return tested.summary === needsApproval ? { ...whole, ends: 'finished' } : whole
}

const failedOf = 'failed: '

/** True when the tests ran and failed on exactly this draft. */
export function hasJustFailed(loop: ToolLoop | null): boolean {
  const turns = loop?.turns ?? []
  const written = turns.findLastIndex(({ tool }) => tool === 'write_diff')
  return turns.slice(written + 1).some(({ summary }) => summary.startsWith(failedOf))
}

/** Not another change that fails: a model often asks for the test run that has just been made for it. */
const stillFails = wrongCall('The tests fail on this change, as shown above. Fix it first.')

const missingOf = 'missing: '

/** A model that calls `done` again has thought about it. */
const wasTold = (loop: ToolLoop | null, what: string): boolean =>
  loop?.turns.some(({ tool, summary }) => tool === 'done' && summary.startsWith(what)) === true

const noChange = 'no change yet'

const tellNoChange: ToolResult = {
  observation: 'There is no change yet. Write it.',
  summary: noChange,
  fault: 'call',
}

function tellMissing(missing: readonly CodeProblem[]): ToolResult {
  const said = missing.map(({ message }) => message).join('\n')
  const [first] = missing
  return {
    observation: `Not done yet:\n${said}\nOr call done again if the task does not need it.`,
    summary: `${missingOf}${first?.path ?? ''}`,
    fault: 'call',
  }
}
