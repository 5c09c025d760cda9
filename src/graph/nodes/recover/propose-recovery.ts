import { idWithModel } from '../../../../packages/roadmap/roadmap.ts'
import type { Proposal } from '../../../core/domain/attempt.ts'
import { branchOf } from '../../../core/domain/branches.ts'
import {
  attemptOf,
  changeState,
  fileVerdict,
  joinPatches,
  type StateFacts,
  type StatePatch,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { type Unanswered, withoutAnswer } from '../../../core/domain/unanswered.ts'
import type { Ports } from '../../../core/ports.ts'
import { hashOfTasks } from '../../../core/proposal-hash.ts'
import { askReadable } from '../../../model/ask/ask-readable.ts'
import { shortenFile } from '../../../model/prompts/compose-prompt.ts'
import { readProposedTasks, recoverPrompt, recoveryForms } from '../../../model/prompts/recover.ts'
import { keepPatch, tellKept } from '../../../publish/effects/keep-attempt.ts'
import { checkProposedTasks } from '../../../recovery/task/check-proposed-tasks.ts'
import { chooseStrategy, escalation, mustAsk } from '../../../recovery/task/choose-strategy.ts'
import { recordDecision } from '../../../recovery/task/decide.ts'
import { isJoined } from '../../../recovery/task/join-tasks.ts'
import { judgeWording, objectionTo, placeOf } from '../../../recovery/task/judge-proposal.ts'
import { tellTried } from '../../../recovery/task/tell-tried.ts'
import type { Step, StepOf } from '../../step.ts'

type Next = StepOf<'propose_recovery'>
type Needs = Pick<
  Ports,
  'settings' | 'person' | 'clock' | 'store' | 'model' | 'workspace' | 'forge'
>

const answerTokens = 1_500

/**
 * Proposes a way on that a person can read: REWRITE, DECOMPOSE, DEFER, SKIP or ESCALATE, with the reason and the
 * evidence. The model words new tasks, which are checked; without usable ones it escalates.
 */
export async function proposeRecovery(state: RunState, ports: Needs): Promise<Next> {
  if (attemptOf(state).feedback !== null) return keepReviewedWork(state, ports)
  const { id } = attemptOf(state).task
  // A task that was in a group with those it waits for, which failed, waits in vain.
  const retried = [...state.tasks.retried, ...(isJoined(state.tasks, id) ? [id] : [])]
  const { fallback } = ports.settings.model
  const chosen = attemptOf(state).proposal ?? chooseStrategy(attemptOf(state), retried, fallback)
  const { proposal, spent, unanswered } = await withTasks(chosen, state, ports)
  const after = changeState(state, spent)
  if (unanswered !== undefined) return withoutWords(unanswered, after, ports)
  const attempt = { ...attemptOf(after), proposal }
  const patch = joinPatches(spent, { attempt })
  if (chosen.wish !== undefined && proposal.wish === undefined) {
    return keepQuestion(chosen, changeState(after, { attempt: attemptOf(after) }), ports)
  }
  const decision = mustAsk(proposal, ports.settings, ports.person.present)
  if (decision === 'ask') return { outcome: 'needs_approval', patch }
  if (decision === 'go') {
    const recorded = proposal.wish === undefined ? record(after, proposal, 'approved', ports) : {}
    return { outcome: 'approved', patch: joinPatches(patch, recorded) }
  }
  const titles = proposal.tasks.map(({ title }) => `"${title}"`).join(', ')
  const instead = titles === '' ? '' : ` Proposed instead: ${titles}.`
  const reason = await tellKept(`${proposal.explanation}${instead}`, attempt, ports)
  return {
    outcome: 'logged_only',
    patch: joinPatches(
      patch,
      fileVerdict(changeState(after, { attempt }), 'failed', { reason }),
      record(after, proposal, 'logged', ports),
    ),
  }
}

/** When the model cannot word a person's wish, the earlier question stays. */
function keepQuestion(
  { strategy, wish }: Proposal,
  state: RunState,
  { clock }: Pick<Ports, 'clock'>,
): Next {
  const attempt = attemptOf(state)
  const [question] = state.tasks.questions[attempt.task.id] ?? []
  const pullRequest = question ? { number: question.number, url: question.url } : null
  const reason = `the model found no usable tasks for the ${strategy} that ${wish?.by} asked for`
  const said: Proposal = { strategy, reason: 'unknown', explanation: reason, tasks: [] }
  return {
    outcome: 'logged_only',
    patch: joinPatches(
      { spent: { usage: state.spent.usage }, attempt },
      fileVerdict(state, 'waiting', { reason, pullRequest }),
      recordDecision(state, said, 'logged', { by: 'nobody', at: clock.now() }),
    ),
  }
}

/** A failed revision changes nothing: the reviewed work and the review's words stay. */
async function keepReviewedWork(state: RunState, ports: Needs): Promise<Next> {
  const attempt = attemptOf(state)
  const why = attempt.failure?.message ?? 'it failed'
  const branch = branchOf(attempt.task.id)
  const said = `the revision failed, and the pull request is unchanged: ${why}`
  const reason = await tellKept(said, attempt, ports)
  return { outcome: 'logged_only', patch: fileVerdict(state, 'failed', { reason, branch }) }
}

/**
 * An unreachable model leaves the question to the next run. An exhausted budget is reported for the task, whose work
 * is kept.
 */
async function withoutWords(
  unanswered: Unanswered,
  state: RunState,
  ports: Needs,
): Promise<Step<'over_budget' | 'unavailable'>> {
  if (unanswered.status === 'over_budget') await keepPatch(attemptOf(state), ports)
  return withoutAnswer(state, unanswered)
}

interface Worded {
  readonly proposal: Proposal
  readonly spent: StatePatch
  /** The question that went unanswered. */
  readonly unanswered?: Unanswered
}

/** Returns the proposal with new tasks where its strategy needs them; keeps the tasks that it has. */
async function withTasks(proposal: Proposal, state: RunState, ports: Needs): Promise<Worded> {
  const { strategy, tasks } = proposal
  if (tasks[0]?.model !== undefined) {
    return { proposal: await named(proposal, tasks[0].model, state, ports), spent: {} }
  }
  if ((strategy !== 'DECOMPOSE' && strategy !== 'REWRITE') || tasks.length > 0) {
    return { proposal, spent: {} }
  }
  const place = await placeOf(proposal, state, ports)
  if (place === null || !mayReplace(proposal, ports)) {
    return { proposal: escalation(proposal), spent: {} }
  }
  const { task, plan, map, failure } = attemptOf(state)
  const tried = tellTried(attemptOf(state), state.record.recoveries)
  const wish = proposal.wish?.text ?? ''
  const question = {
    purpose: 'recover',
    messages: (share: number) => {
      const shown = shortenFile(map, map.length * share)
      return recoverPrompt({ strategy, task, plan, map: shown, failure, tried, wish })
    },
    maxOutputTokens: answerTokens,
    json: false,
    form: recoveryForms[strategy],
  } as const
  const asked = await askReadable(state, ports, question, (answer) => {
    const raw = readProposedTasks(answer)
    if ('problem' in raw) return raw
    const unfit = judgeWording(raw.value, attemptOf(state), place)
    if (unfit !== null) return { problem: unfit }
    const checked = checkProposedTasks(raw.value, task, strategy, place.others)
    if (checked.status === 'refused') return { problem: checked.reason }
    const worded = { ...proposal, tasks: checked.tasks }
    const problem = objectionTo(worded, attemptOf(state), place)
    return problem === null ? { value: worded } : { problem }
  })
  const { status, patch: spent } = asked
  if (status === 'read') return { proposal: asked.value, spent }
  return status === 'unreadable' || status === 'too_large'
    ? { proposal: escalation(proposal), spent }
    : { proposal, spent: {}, unanswered: asked }
}

/**
 * A proposal that only names another model, with the id that the task has then; an escalation where the roadmap may
 * not or cannot have that line.
 */
async function named(
  proposal: Proposal,
  model: string,
  state: RunState,
  ports: Needs,
): Promise<Proposal> {
  const { task } = attemptOf(state)
  const place = mayReplace(proposal, ports) ? await placeOf(proposal, state, ports) : null
  const id = place && idWithModel(place.roadmap, task, model, place)
  const instead: Proposal = { ...proposal, strategy: 'ESCALATE', tasks: [] }
  if (place === null || id === null) return instead
  const worded = { ...proposal, tasks: proposal.tasks.map((each) => ({ ...each, id })) }
  return place.turnedDown.includes(hashOfTasks(worded)) ? instead : worded
}

/** False when nothing may change and no person asked: wording a proposal would cost tokens for nothing. */
function mayReplace({ wish }: Proposal, { forge, settings, person }: Needs): boolean {
  if (wish !== undefined) return true
  if (!settings.recovery) return false
  return forge.kind === 'local' || settings.approvalMode !== 'review_only' || person.present
}

function record(
  state: RunState,
  proposal: Proposal,
  decision: 'approved' | 'logged',
  { settings, clock }: Pick<Ports, 'settings' | 'clock'>,
): StateFacts<'record.recoveries'> {
  const by = `approval-mode: ${settings.approvalMode}`
  return recordDecision(state, proposal, decision, { by, at: clock.now() })
}
