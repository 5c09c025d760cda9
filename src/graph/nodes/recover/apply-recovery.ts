import { type ChangeSet, openTree } from '../../../../packages/change/change.ts'
import {
  type DestructiveOperation,
  findOperations,
  openPolicyGate,
} from '../../../../packages/judge/judge.ts'
import { withSentence } from '../../../../packages/text/text.ts'
import type { Answer } from '../../../core/domain/answer.ts'
import type { Attempt, Proposal } from '../../../core/domain/attempt.ts'
import { branchOf, recoveryBranchOf } from '../../../core/domain/branches.ts'
import {
  attemptOf,
  changeState,
  fileVerdict,
  joinPatches,
  noteErrors,
  type StatePatch,
  untried,
} from '../../../core/domain/change-state.ts'
import { label } from '../../../core/domain/identity.ts'
import type { Amendment, RunState } from '../../../core/domain/run-state.ts'
import { withoutForge } from '../../../core/domain/unanswered.ts'
import type { TaskResult } from '../../../core/domain/verdict.ts'
import type { Ports } from '../../../core/ports.ts'
import { notAllowed } from '../../../core/proposal-hash.ts'
import {
  keepPatch,
  parkAttempt,
  settleQuestions,
  tellKept,
} from '../../../publish/effects/keep-attempt.ts'
import { readNotes } from '../../../publish/effects/keep-scratchpad.ts'
import { mergeRecovery, tellOutcome } from '../../../publish/effects/merge-recovery.ts'
import { publishAttempt, wordsFor } from '../../../publish/effects/publish-attempt.ts'
import { publishRecovery } from '../../../publish/effects/publish-on-recovery-branch.ts'
import { writeEscalation } from '../../../publish/report/write-pull-request.ts'
import { recordUnasked } from '../../../recovery/task/decide.ts'
import { amendmentOf } from '../../../recovery/task/judge-proposal.ts'
import { tellFailure } from '../../../recovery/task/tell-failure.ts'
import { loadRoadmap } from '../../../tasks/load-roadmap.ts'
import { readBaseAnew } from '../../../tasks/standing/find-standing.ts'
import type { StepOf } from '../../step.ts'

type Next = StepOf<'apply_recovery'>
type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'store' | 'clock'>

/** Carries out the approved proposal: new tasks, defer, skip, or handing the failed attempt to a person. */
export async function applyRecovery(before: RunState, ports: Needs): Promise<Next> {
  const attempt = attemptOf(before)
  const { proposal, task } = attempt
  if (proposal === null) throw new Error('There is no recovery to apply.')
  const { [task.id]: answer, ...answers } = before.asked.answers
  const state = changeState(before, { asked: { answers } })
  const step = await carryOut(state, attempt, proposal, answer, ports)
  // The next run resumes here, with the answer.
  if (step.outcome === 'forge_refused') return step
  return { ...step, patch: joinPatches({ asked: { answers } }, step.patch) }
}

async function carryOut(
  state: RunState,
  attempt: Attempt,
  proposal: Proposal,
  answer: Answer | undefined,
  ports: Needs,
): Promise<Next> {
  switch (proposal.strategy) {
    case 'DEFER':
      return setAside(fileVerdict(state, 'deferred', { reason: proposal.explanation }))
    case 'SKIP':
      await keepPatch(attempt, ports)
      return setAside(fileVerdict(state, 'skipped', { reason: proposal.explanation }))
    case 'DECOMPOSE':
    case 'REWRITE':
      return answer === undefined
        ? stackTasks(state, attempt, proposal, ports)
        : mergeTasks(state, attempt, proposal, answer, ports)
    default:
      return escalate(state, attempt, proposal, ports)
  }
}

const setAside = (patch: StatePatch): Next => ({
  outcome: 'task_set_aside',
  patch,
})

/** Merges the roadmap change that a person approved on the forge; the run continues from the new base. */
async function mergeTasks(
  state: RunState,
  attempt: Attempt,
  proposal: Proposal,
  answer: Answer,
  ports: Needs,
): Promise<Next> {
  const { id } = attempt.task
  const done = await mergeRecovery(attempt, proposal, answer, state, ports)
  switch (done.status) {
    case 'stale': {
      const reason = `the approval by ${answer.by} does not count: ${done.reason}`
      const { pullRequest } = done
      return { outcome: 'stale', patch: fileVerdict(state, 'waiting', { reason, pullRequest }) }
    }
    case 'refused': {
      const verdict = fileVerdict(state, 'waiting', { reason: done.reason })
      return { outcome: 'refused', patch: joinPatches(verdict, noteErrors(state, done.error)) }
    }
    case 'blocked': {
      await tellOutcome(done, proposal, answer, state, ports)
      const amendment = amendmentOf(attempt, proposal, answer.at ?? ports.clock.now())
      const { sha, pullRequest } = done
      const where = { branch: recoveryBranchOf(id), sha, pullRequest }
      return added(state, attempt, amendment, where, `; not merged yet: ${done.reason}`, ports)
    }
    case 'merged': {
      await tellOutcome(done, proposal, answer, state, ports)
      const { pullRequest } = done
      const said = `${id} was replaced by #${pullRequest.number}.`
      const settled = await settleQuestions(id, state, ports, { said, except: pullRequest.number })
      const fresh = await readBaseAnew(changeState(state, settled), ports)
      const amendments = state.roadmap.amendments.filter(({ task }) => task.id !== id)
      if (keepsItsId(proposal.tasks, attempt)) {
        const known = joinPatches(settled, fresh, { roadmap: { amendments } })
        const next = await tryOther(changeState(state, known), attempt, fresh.roadmap.base, ports)
        return { ...next, patch: joinPatches(known, next.patch) }
      }
      return {
        outcome: 'tasks_added',
        patch: joinPatches(
          settled,
          fresh,
          { roadmap: { amendments } },
          replaced(changeState(state, fresh), attempt, proposal, {
            branch: recoveryBranchOf(id),
            sha: null,
            pullRequest,
          }),
        ),
      }
    }
  }
}

/** Commits the new tasks to their own branch, and continues with them. */
async function stackTasks(
  state: RunState,
  attempt: Attempt,
  proposal: Proposal,
  ports: Needs,
): Promise<Next> {
  const at = ports.clock.now()
  const how = { asked: false, at, onto: attempt.start }
  await keepPatch(attempt, ports)
  const published = await publishRecovery(attempt, proposal, how, state, ports)
  if (published.status === 'refused') {
    const unreachable = withoutForge(state, published.error)
    if (unreachable !== null) return unreachable
    const verdict = fileVerdict(state, 'failed', { reason: published.reason })
    return { outcome: 'refused', patch: joinPatches(verdict, noteErrors(state, published.error)) }
  }
  const { branch, sha, pullRequest } = published
  const amendment = amendmentOf(attempt, proposal, at)
  return added(state, attempt, amendment, { branch, sha, pullRequest }, '', ports)
}

type Where = Pick<TaskResult, 'branch' | 'sha' | 'pullRequest'>

/** Reads the roadmap with the amendment, and stacks the work on its branch. */
async function added(
  state: RunState,
  attempt: Attempt,
  amendment: Amendment,
  where: Where & { readonly branch: string; readonly sha: string },
  more: string,
  ports: Needs,
): Promise<Next> {
  const roadmap = { amendments: [...state.roadmap.amendments, amendment] }
  if (keepsItsId(amendment.tasks, attempt)) {
    return tryOther(changeState(state, { roadmap }), attempt, where, ports)
  }
  return {
    outcome: 'tasks_added',
    patch: joinPatches(replaced(state, attempt, amendment, where, more), { roadmap }),
  }
}

/** True for a proposal that only names another model for the task: it needs no verdict to be tried again. */
const keepsItsId = (tasks: Proposal['tasks'], { task }: Attempt): boolean =>
  tasks.some(({ id, model }) => id === task.id && model !== undefined)

/** Starts another attempt at the task as the roadmap has it now, from the commit with its new line. */
async function tryOther(
  state: RunState,
  attempt: Attempt,
  { branch, sha }: Attempt['start'],
  ports: Needs,
): Promise<Next> {
  const { id } = attempt.task
  const tasks = (await loadRoadmap(state, ports))?.tasks ?? []
  const task = tasks.find((each) => each.id === id && each.model !== null)
  if (task === undefined) {
    const reason = `the roadmap on ${branch} names no model for ${id}`
    return { outcome: 'refused', patch: fileVerdict(state, 'failed', { reason }) }
  }
  const { roadmap } = state
  const said = `${id} names ${task.model}, on ${branch}`
  const next = { ...attempt, ...untried, plan: null, map: '', context: [] }
  return {
    outcome: 'other_model',
    patch: {
      roadmap: { amendments: roadmap.amendments, changes: [...roadmap.changes, said] },
      attempt: {
        ...{ ...next, task, start: { branch, sha }, number: attempt.number + 1 },
        earlier: tellFailure(attempt),
      },
    },
  }
}

/** Puts the new tasks in the place of the old one, also in the list of requested tasks. */
function replaced(
  state: RunState,
  { task: { id } }: Attempt,
  { strategy, tasks }: Pick<Amendment, 'strategy' | 'tasks'>,
  where: Where,
  more = '',
): StatePatch {
  const ids = tasks.map((task) => task.id)
  const said = `${strategy === 'DECOMPOSE' ? 'split into' : 'rewritten as'} ${ids.join(', ')}`
  const place = where.sha === null ? 'merged' : `on ${where.branch}`
  return joinPatches(fileVerdict(state, 'replaced', { reason: `${said}${more}`, ...where }), {
    run: { only: state.run.only && [...state.run.only, ...ids] },
    roadmap: { changes: [...state.roadmap.changes, `${id} ${said}, ${place}`] },
  })
}

/** The attempt is kept as a file where no branch shows it: without a forge, or without anything to publish. */
async function escalate(
  state: RunState,
  attempt: Attempt,
  proposal: Proposal,
  ports: Needs,
): Promise<Next> {
  if (ports.forge.kind === 'local') {
    const reason = await tellKept(proposal.explanation, attempt, ports)
    return setAside(fileVerdict(state, 'failed', { reason }))
  }
  const { changes, unasked } = await publishable(attempt, ports)
  if (changes.length === 0) await keepPatch(attempt, ports)
  const published = await publishAttempt(attempt, state, ports, {
    changes,
    outcome: 'needs-human',
    text: writeEscalation(
      ...([attempt, proposal, state, wordsFor(ports)] as const),
      await readNotes(attempt, state.run.id, ports),
    ),
    labels: [label.needsHuman],
    draft: ports.settings.pullRequest.draftWhenEscalated,
  })
  const { branch } = published
  const reason = proposal.explanation
  if (published.status === 'published') {
    const { pullRequest } = published
    const isThere = changes.length > 0
    const told = isThere ? withSentence(reason, `The attempt is on ${branch}.`) : reason
    const verdict = fileVerdict(state, 'failed', { reason: told, branch, pullRequest })
    const noted = recordUnasked(state, unasked, ports.clock.now())
    return setAside(
      joinPatches(verdict, noted, await keepForPeople(attempt, pullRequest, state, ports)),
    )
  }
  const unreachable = published.status === 'refused' && withoutForge(state, published.error)
  if (unreachable) return unreachable
  await keepPatch(attempt, ports)
  const verdict = fileVerdict(state, 'failed', { reason, branch })
  const error = published.status === 'refused' ? published.error : null
  return { outcome: 'refused', patch: joinPatches(verdict, noteErrors(state, error)) }
}

/** The new pull request is the question: it replaces earlier ones, and the attempt waits with it. */
async function keepForPeople(
  attempt: Attempt,
  pullRequest: TaskResult['pullRequest'],
  state: RunState,
  ports: Needs,
): Promise<StatePatch> {
  if (pullRequest === null) return {}
  const { id } = attempt.task
  const { number } = pullRequest
  const said = `The task failed again: see the attempt in #${number}.`
  const settled = await settleQuestions(id, state, ports, { said, except: number })
  await parkAttempt(attempt, ports.workspace)
  const question = { ...pullRequest, head: branchOf(id) }
  return joinPatches(settled, {
    tasks: { questions: { ...settled.tasks.questions, [id]: [question] } },
  })
}

/**
 * Drops what must not leave this machine even for a person's eyes: changes that the gate refuses, and unapproved
 * destructive operations, which the repository's own pipeline would run.
 */
async function publishable(
  attempt: Attempt,
  ports: Needs,
): Promise<{ readonly changes: ChangeSet; readonly unasked: readonly DestructiveOperation[] }> {
  // A loop of tools that is spent on failing changes leaves none on the branch.
  const changes = attempt.failure?.at === 'spent' ? [] : (attempt.draft?.changes ?? [])
  const start = await openTree(attempt.start.sha, ports.workspace)
  const refused = openPolicyGate(start, attempt, ports.settings).check(changes)
  if (refused.some(({ path }) => path === '')) return { changes: [], unasked: [] }
  const found = await findOperations(changes, start, ports.settings)
  const unapproved = notAllowed(found, attempt.allowed)
  const { pauseDestructive } = ports.settings
  const bad = new Set([...refused, ...(pauseDestructive ? unapproved : [])].map(({ path }) => path))
  const kept = changes.filter(({ path }) => !bad.has(path))
  const unasked = unapproved.filter(({ path }) => !bad.has(path))
  return { changes: kept, unasked }
}
