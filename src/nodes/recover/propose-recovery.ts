import { attemptOf, fileVerdict, patchAttempt } from '../../domain/attempt.ts'
import type { Proposal, RunState } from '../../domain/run-state.ts'
import { keepPatch } from '../../effects/keep-patch.ts'
import type { Step } from '../../graph/step.ts'
import type { Ports } from '../../ports.ts'
import { chooseStrategy } from '../../recovery/choose-strategy.ts'
import { mustAsk } from '../../recovery/must-ask.ts'

type Outcome = 'needs_approval' | 'approved' | 'logged_only'

/** A way on that a person can read: DEFER, SKIP or ESCALATE, with the reason and the evidence. */
export async function proposeRecovery(
  state: RunState,
  ports: Pick<Ports, 'settings' | 'person' | 'clock' | 'store'>,
): Promise<Step<Outcome>> {
  const attempt = attemptOf(state)
  const proposal = attempt.proposal ?? chooseStrategy(attempt, state.retried)
  const patch = patchAttempt(state, { proposal })
  const decision = mustAsk(proposal.strategy, ports.settings, ports.person.present)
  if (decision === 'ask') return { outcome: 'needs_approval', patch }
  if (decision === 'go') {
    return {
      outcome: 'approved',
      patch: { ...patch, ...record(state, proposal, 'approved', ports) },
    }
  }
  const kept = await keepPatch(attempt, ports)
  const where = kept === null ? '' : ` The attempt is kept in ${kept}.`
  const verdict = fileVerdict(state, 'failed', { reason: `${proposal.explanation}${where}` })
  return {
    outcome: 'logged_only',
    patch: { ...patch, ...verdict, ...record(state, proposal, 'logged', ports) },
  }
}

function record(
  state: RunState,
  proposal: Proposal,
  decision: 'approved' | 'logged',
  { settings, clock }: Pick<Ports, 'settings' | 'clock'>,
): Pick<RunState, 'recoveries'> {
  const { id } = attemptOf(state).task
  const by = `approval-mode: ${settings.approvalMode}`
  return {
    recoveries: [...state.recoveries, { taskId: id, proposal, decision, by, at: clock.now() }],
  }
}
