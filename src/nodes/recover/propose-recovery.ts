import { askModel } from '../../budget/ask-model.ts'
import { attemptOf, fileVerdict } from '../../domain/attempt.ts'
import type { Proposal, RecoveryRecord, RunState } from '../../domain/run-state.ts'
import { branchOf } from '../../domain/task-id.ts'
import { keepPatch } from '../../effects/keep-patch.ts'
import type { Step } from '../../graph/step.ts'
import type { Ports } from '../../ports.ts'
import { readProposedTasks, recoverPrompt } from '../../prompts/recover.ts'
import { loadRoadmap } from '../../reconcile/load-roadmap.ts'
import { checkProposedTasks } from '../../recovery/check-proposed-tasks.ts'
import { chooseStrategy, escalation } from '../../recovery/choose-strategy.ts'
import { mustAsk } from '../../recovery/must-ask.ts'

type Outcome = 'needs_approval' | 'approved' | 'logged_only'
type Needs = Pick<
  Ports,
  'settings' | 'person' | 'clock' | 'store' | 'model' | 'workspace' | 'forge'
>

const answerTokens = 1_500
/** The first answer, and one more with what was wrong with it. */
const tries = 2

/**
 * A way on that a person can read: REWRITE, DECOMPOSE, DEFER, SKIP or ESCALATE, with the reason and
 * the evidence. New tasks come from the model and are checked; without usable ones it escalates.
 */
export async function proposeRecovery(state: RunState, ports: Needs): Promise<Step<Outcome>> {
  if (attemptOf(state).feedback !== null) return keepReviewedWork(state, ports)
  const chosen = attemptOf(state).proposal ?? chooseStrategy(attemptOf(state), state.retried)
  const { proposal, spent } = await withTasks(chosen, state, ports)
  const after = { ...state, ...spent }
  const attempt = { ...attemptOf(after), proposal }
  const patch = { ...spent, attempt }
  const decision = mustAsk(proposal.strategy, ports.settings, ports.person.present)
  if (decision === 'ask') return { outcome: 'needs_approval', patch }
  if (decision === 'go') {
    return {
      outcome: 'approved',
      patch: { ...patch, ...record(after, proposal, 'approved', ports) },
    }
  }
  const kept = await keepPatch(attempt, ports)
  const where = kept === null ? '' : ` The attempt is kept in ${kept}.`
  const titles = proposal.tasks.map(({ title }) => `"${title}"`).join(', ')
  const instead = titles === '' ? '' : ` Proposed instead: ${titles}.`
  const reason = `${proposal.explanation}${instead}${where}`
  return {
    outcome: 'logged_only',
    patch: {
      ...patch,
      ...fileVerdict({ ...after, attempt }, 'failed', { reason }),
      ...record(after, proposal, 'logged', ports),
    },
  }
}

/** A revision that failed changes nothing: what was reviewed stays as it is, and the words are kept. */
async function keepReviewedWork(state: RunState, ports: Needs): Promise<Step<Outcome>> {
  const attempt = attemptOf(state)
  const kept = await keepPatch(attempt, ports)
  const where = kept === null ? '' : ` The attempt is kept in ${kept}.`
  const why = attempt.failure?.message ?? 'it failed'
  const branch = branchOf(attempt.task.id)
  const reason = `the revision could not be done, and the pull request is as it was: ${why}${where}`
  return { outcome: 'logged_only', patch: fileVerdict(state, 'failed', { reason, branch }) }
}

interface Worded {
  readonly proposal: Proposal
  readonly spent: Partial<RunState>
}

/** New tasks for the two strategies that need them; a proposal that has them already keeps them. */
async function withTasks(proposal: Proposal, state: RunState, ports: Needs): Promise<Worded> {
  const { strategy, tasks } = proposal
  if ((strategy !== 'DECOMPOSE' && strategy !== 'REWRITE') || tasks.length > 0) {
    return { proposal, spent: {} }
  }
  if (!mayReplace(ports)) return { proposal: escalation(proposal), spent: {} }
  const roadmap = await loadRoadmap(state, ports)
  const others = (roadmap?.tasks ?? []).map(({ id }) => id)
  let spent: Partial<RunState> = {}
  let objection: string | null = null
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const now: RunState = { ...state, ...spent }
    const { task, plan, map, failure } = attemptOf(now)
    const asked = await askModel(now, ports, {
      purpose: 'recover',
      messages: recoverPrompt({ strategy, task, plan, map, failure, objection }),
      maxOutputTokens: answerTokens,
      json: false,
    })
    if (asked.status !== 'answered') break
    spent = { ...spent, ...asked.patch }
    const checked = checkProposedTasks(readProposedTasks(asked.text), task, strategy, others)
    if (checked.status === 'ok') return { proposal: { ...proposal, tasks: checked.tasks }, spent }
    objection = checked.reason
  }
  return { proposal: escalation(proposal), spent }
}

/** Where nobody could answer a question and none may be skipped, nothing is paid for wording one. */
function mayReplace({ forge, settings, person }: Needs): boolean {
  if (!settings.recovery) return false
  return forge.kind === 'local' || settings.approvalMode === 'auto' || person.present
}

function record(
  state: RunState,
  proposal: Proposal,
  decision: RecoveryRecord['decision'],
  { settings, clock }: Pick<Ports, 'settings' | 'clock'>,
): Pick<RunState, 'recoveries'> {
  const { id } = attemptOf(state).task
  const by = `approval-mode: ${settings.approvalMode}`
  return {
    recoveries: [...state.recoveries, { taskId: id, proposal, decision, by, at: clock.now() }],
  }
}
