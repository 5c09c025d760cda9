import {
  type CodeProblem,
  isForbidding,
  openTree,
  type Tree,
} from '../../../../packages/change/change.ts'
import {
  findOperations,
  findProblems,
  openBaseline,
  openPolicyGate,
  type TestReport,
} from '../../../../packages/judge/judge.ts'
import { closestPath } from '../../../../packages/source/source.ts'
import type { Attempt, Failure } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  failureAt,
  joinPatches,
  patchAttempt,
  startOf,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Ports } from '../../../core/ports.ts'
import { notAllowed } from '../../../core/proposal-hash.ts'
import { missingExpectedFiles } from '../../../model/context/expected-files.ts'
import { mayReflect } from '../../../recovery/step/may-reflect.ts'
import { mayRepairCode } from '../../../recovery/step/next-request.ts'
import {
  foundByWriting,
  problemSignature,
  settleRepairs,
} from '../../../recovery/step/note-repair.ts'
import { allow, recordUnasked } from '../../../recovery/task/decide.ts'
import { wrongImports } from '../../../recovery/task/find-modules-from-later-tasks.ts'
import { isTooWeak } from '../../../recovery/task/no-usable-answers.ts'
import { loadOpenTasks } from '../../../tasks/load-roadmap.ts'
import type { Step, StepOf } from '../../step.ts'

type Next = StepOf<'validate_code'>
type Needs = Pick<Ports, 'workspace' | 'settings' | 'syntax' | 'clock' | 'sandbox'>

/**
 * Checks everything that needs no execution, in memory: unusable parts of the answer, paths and limits, the syntax of
 * every changed file, broken and lost imports, promised files that are missing, and weakened tests. Then it searches
 * a sound change for operations that cannot be undone.
 */
export async function validateCode(state: RunState, ports: Needs): Promise<Next> {
  const attempt = attemptOf(state)
  const start = await openTree(attempt.start.sha, ports.workspace)
  const gate = openPolicyGate(start, attempt, ports.settings)
  const openTasks = async () => (await loadOpenTasks(state, ports)).order
  const means: Parameters<typeof findProblems>[2] = {
    syntax: ports.syntax,
    before: () => reportBefore(state, ports),
    keepWrong: (broken) => wrongImports(broken, attempt, openTasks),
  }
  const problems = knownFirst(attempt.problems, [
    ...replyProblems(attempt, start.paths, gate),
    ...gate.check(attempt.draft?.changes ?? []),
    ...(await findProblems(attempt, start, means)),
    ...missingExpectedFiles(attempt, start.paths, gate.mayCreate, ports.settings),
  ])
  const remedies = settleSeen(attempt, problems)
  const settled = changeState(state, patchAttempt(state, { remedies }))
  if (problems.length === 0) return lookForDestructive(settled, start, ports)
  const inVain = attempt.draft?.refusals.some(({ lost }) => lost === 'again') === true
  const isVain = inVain || isTooWeak(state, { ...attempt, problems })
  if (!isVain && mayRepairCode(attempt, ports.settings)) {
    const outcome = mayReflect(attempt, ports.settings) ? 'invalid_again' : 'invalid'
    return { outcome, patch: patchAttempt(settled, { problems, destructive: [] }) }
  }
  const { draft } = attempt
  if (draft !== null && problems.every(({ type }) => type === 'reply') && equalsPresent(attempt)) {
    const claim = { ...draft, refusals: [], claimsDone: true }
    return { outcome: 'valid', patch: patchAttempt(settled, { draft: claim, problems: [] }) }
  }
  const failure = causeOf(attempt, spent(problems, attempt))
  return {
    outcome: 'repairs_spent',
    patch: patchAttempt(settled, { problems, failure, destructive: [] }),
  }
}

/**
 * True when the answers equal the present files: perhaps the task is done. Its own commands must show that, because a weak
 * model repeats what it was shown.
 */
const equalsPresent = ({ draft, task, feedback, failure }: Attempt): boolean =>
  draft?.changes.length === 0 &&
  draft.refusals.length > 0 &&
  draft.refusals.every(({ isEcho }) => isEcho) &&
  task.accept.length > 0 &&
  feedback === null &&
  failure === null

/** Lists earlier problems first until they are fixed: a bad repair is a separate problem. */
function knownFirst(
  before: readonly CodeProblem[],
  problems: readonly CodeProblem[],
): readonly CodeProblem[] {
  const known = new Set(before.map(({ path, message }) => `${path}\n${message}`))
  const isKnown = ({ path, message }: CodeProblem) => known.has(`${path}\n${message}`)
  return [...problems.filter(isKnown), ...problems.filter((each) => !isKnown(each))]
}

/** The test report of the unchanged code; that run began with the request to the model. */
async function reportBefore(state: RunState, ports: Needs): Promise<TestReport | null> {
  if (ports.settings.verify.mode === 'skip') return null
  return (await openBaseline(startOf(state), ports)).report()
}

/** Leaves problems that only writing can find undecided until the next write. */
function settleSeen(attempt: Attempt, problems: readonly CodeProblem[]): Attempt['remedies'] {
  const unseen = attempt.problems.filter(foundByWriting).map(problemSignature)
  const settled = settleRepairs(attempt, problems)
  return attempt.remedies.map((each, index) =>
    unseen.includes(each.signature) ? each : (settled[index] ?? each),
  )
}

/** Stops for operations that no approval covers; only notes them when asking is switched off. */
async function lookForDestructive(
  state: RunState,
  start: Tree,
  ports: Needs,
): Promise<Step<'valid' | 'destructive'>> {
  const { settings, clock } = ports
  const { draft, allowed } = attemptOf(state)
  const found = await findOperations(draft?.changes ?? [], start, settings)
  const operations = notAllowed(found, allowed)
  if (operations.length === 0) {
    return { outcome: 'valid', patch: patchAttempt(state, { problems: [], destructive: [] }) }
  }
  if (settings.pauseDestructive) {
    const patch = patchAttempt(state, { problems: [], destructive: operations })
    return { outcome: 'destructive', patch }
  }
  return {
    outcome: 'valid',
    patch: joinPatches(
      patchAttempt(state, { problems: [], ...allow(allowed, operations) }),
      recordUnasked(state, operations, clock.now()),
    ),
  }
}

/**
 * Names the existing file when an answer copied a wrong name from the roadmap. Where the file may not be changed at all,
 * no better edit helps.
 */
function replyProblems(
  { draft }: Attempt,
  paths: readonly string[],
  gate: ReturnType<typeof openPolicyGate>,
): readonly CodeProblem[] {
  const changed = (draft?.changes ?? []).map(({ path }) => path)
  return (draft?.refusals ?? []).map(({ path, reason }) => {
    const isKnown = path === '' || paths.includes(path) || changed.includes(path)
    const edit = { action: 'modify', path, before: '', content: '' } as const
    const mayLeave = changed.length > 0 && paths.includes(path)
    const forbidden = mayLeave ? gate.check([edit]).find(isForbidding) : undefined
    const meant = isKnown ? null : closestPath(path, paths)
    const message = meant === null ? reason : `${reason}. If you mean ${meant}, edit that.`
    return forbidden ?? { path, type: 'reply', message, line: 0, column: 0 }
  })
}

/** The failing test that was being repaired remains the cause, whatever its repair looks like. */
function causeOf({ failure }: Attempt, end: Failure): Failure {
  if (failure?.at !== 'failed') return end
  const problems = end.problems.filter(({ type }) => type !== 'reply')
  const message = problems.length === 0 ? failure.message : `${failure.message}; ${end.message}`
  return { ...failure, at: end.at, message, problems }
}

function spent(
  problems: readonly CodeProblem[],
  { validationRepairs: repairs, draft }: Attempt,
): Failure {
  const first = problems[0]
  // Text that the model wrote instead of files, perhaps a question.
  const said = (draft?.refusals ?? []).filter(({ path }) => path === '')
  const place = first && first.line > 0 ? `:${first.line}` : ''
  const message = `still not valid after ${repairs} repairs: ${first?.path}${place} ${first?.message}`
  const output = said.map(({ excerpt }) => excerpt).join('\n')
  return failureAt('repairs_spent', message, { problems, output })
}
