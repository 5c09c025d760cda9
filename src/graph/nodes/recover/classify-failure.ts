import { changesOf } from '../../../../packages/change/change.ts'
import type { Attempt, Classification, Failure } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  fileVerdict,
  patchAttempt,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Ports } from '../../../core/ports.ts'
import type { ModelPorts } from '../../../model/ask/ask-model.ts'
import { askReadable } from '../../../model/ask/ask-readable.ts'
import {
  classificationForm,
  classifyPrompt,
  readClassification,
} from '../../../model/prompts/classify.ts'
import { nextWay } from '../../../recovery/task/choose-route.ts'
import { classifyByPattern, lookAround } from '../../../recovery/task/classify-by-pattern.ts'
import { broughtNothing, hadItsTries, tellHowFar } from '../../../recovery/task/how-far.ts'
import { isJoined, joinTasks } from '../../../recovery/task/join-tasks.ts'
import { judgePackages, knownPackages } from '../../../recovery/task/judge-packages.ts'
import { isTooWeak, isUnusedSoFar } from '../../../recovery/task/no-usable-answers.ts'
import { partGroup } from '../../../recovery/task/part-group.ts'
import { inOneLine, tellRepairs } from '../../../recovery/task/tell-repairs.ts'
import { loadOpenTasks } from '../../../tasks/load-roadmap.ts'
import type { Step } from '../../step.ts'

const answerTokens = 300

/**
 * Finds out why the attempt failed: by patterns and facts first, by the model when they do not tell. With `strategy: auto`, an
 * attempt that more code could have helped is followed by one with tools instead.
 */
export async function classifyFailure(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace' | 'leases'>,
): Promise<Step<'classified' | 'rerouted' | 'joined' | 'parted' | 'dissolved'>> {
  const failure = failureOf(state)
  if (attemptOf(state).task.members !== undefined) return partOrDissolve(state, failure)
  const { order } = await loadOpenTasks(state, ports)
  const around = await lookAround(attemptOf(state), order, ports)
  const pattern = classifyByPattern({ failure, ...around })
  const joined = pattern && (await joinTasks(state, attemptOf(state), pattern, ports))
  if (joined !== null) return { outcome: 'joined', patch: joined }
  const next =
    pattern === null || pattern.reason === 'task_too_vague' ? nextWay(state, ports) : null
  if (next !== null) return { outcome: 'rerouted', patch: { attempt: next } }
  const known = classifyByFacts(state, failure, pattern)
  if (known !== null) {
    return { outcome: 'classified', patch: patchAttempt(state, { failure, classification: known }) }
  }
  return askWhy(state, failure, ports)
}

/**
 * A group is not asked about: its tasks that failed go alone, and the rest is checked again; where nothing tells them
 * apart, or they import each other, each goes alone.
 */
function partOrDissolve(state: RunState, { message }: Failure): Step<'parted' | 'dissolved'> {
  const attempt = attemptOf(state)
  const parted = isJoined(state.tasks, attempt.task.id) ? null : partGroup(state, attempt)
  if (parted !== null) return { outcome: 'parted', patch: parted }
  return { outcome: 'dissolved', patch: fileVerdict(state, 'failed', { reason: message }) }
}

/**
 * No request asks why a model failed that had its tries at a clear task, or that brought nothing usable for two tasks
 * in a row. Where such a model asks back, other words would not help it.
 */
function classifyByFacts(
  state: RunState,
  failure: Failure,
  pattern: Classification | null,
): Classification | null {
  const attempt = attemptOf(state)
  const isTold =
    hadItsTries(attempt) ||
    (broughtNothing(attempt) && isUnusedSoFar(state)) ||
    isTooWeak(state, attempt)
  if (pattern !== null && !(isTold && pattern.reason === 'task_too_vague')) return pattern
  if (!isTold) return classifyByPlan(attempt, failure)
  const facts = { by: 'pattern', installCommand: null, suppliedBy: [] } as const
  return { reason: 'unknown', explanation: tellHowFar(attempt), ...facts }
}

/** When repairs fail on a task that the plan rated highly complex, the plan was right. */
function classifyByPlan({ plan }: Attempt, failure: Failure): Classification | null {
  if (plan?.complexity !== 'high' || failure.at !== 'repairs_spent') return null
  return {
    reason: 'task_too_complex',
    explanation: `The plan rated the task highly complex, and repairs failed: ${failure.message}`,
    by: 'pattern',
    installCommand: null,
    suppliedBy: [],
  }
}

/** An unreachable model, an empty budget or an unusable answer leaves the reason unknown. */
async function askWhy(
  state: RunState,
  failure: Failure,
  ports: ModelPorts & Pick<Ports, 'workspace'>,
): Promise<Step<'classified'>> {
  const attempt = attemptOf(state)
  const { task, earlier = '', draft } = attempt
  const repairs = [...(earlier === '' ? [] : [inOneLine(earlier)]), ...tellRepairs(attempt)]
  const tries = { repairs, changes: changesOf(draft) }
  const question = {
    purpose: 'classify',
    messages: (share: number) => classifyPrompt(task, failure, tries, share),
    maxOutputTokens: answerTokens,
    json: true,
    form: classificationForm(failure),
  } as const
  const asked = await askReadable(state, ports, question, async (said) => {
    const read = readClassification(said, failure)
    if ('problem' in read) return read
    const known = await knownPackages(attemptOf(state), ports)
    const problem = judgePackages(read.value.explanation, known)
    return problem === null ? read : { problem: `"explanation": ${problem}` }
  })
  const answer = asked.status === 'read' ? asked.value : null
  const classification: Classification = {
    reason: answer?.reason ?? 'unknown',
    explanation: answer?.explanation ?? failure.message,
    by: answer === null ? 'none' : 'model',
    installCommand: null,
    suppliedBy: [],
  }
  const after = changeState(state, asked.patch)
  const { usage, calls } = after.spent
  return {
    outcome: 'classified',
    patch: {
      spent: { usage, calls },
      learned: { windows: after.learned.windows },
      ...patchAttempt(after, { failure, classification }),
    },
  }
}

function failureOf(state: RunState): Failure {
  const { failure } = attemptOf(state)
  if (failure === null) throw new Error('There is no failure to classify.')
  return failure
}
