import type { Answer, AskedChoice } from '../../domain/answer.ts'
import { attemptOf, fileVerdict, patchAttempt, untried } from '../../domain/attempt.ts'
import type { DestructiveDecision } from '../../domain/destructive.ts'
import type { Attempt, Proposal, RecoveryRecord, RunState } from '../../domain/run-state.ts'
import { keepPatch } from '../../effects/keep-patch.ts'
import type { Step } from '../../graph/step.ts'
import type { Ports } from '../../ports.ts'
import { allow, recordDestructive } from '../../recovery/decide-destructive.ts'
import { summariseDestructive } from '../../report/describe-destructive.ts'
import { writeDestructiveQuestion } from '../../report/write-destructive-question.ts'
import { writeQuestion } from '../../report/write-question.ts'

type Outcome =
  | 'approved'
  | 'write_anyway'
  | 'other_strategy'
  | 'retry'
  | 'rejected'
  | 'skipped'
  | 'waiting'
type Needs = Pick<Ports, 'person' | 'clock' | 'store'>

/** A person may ask for a new attempt this often; the counter keeps the walk finite. */
const retriesByPerson = 3

/**
 * Asks the person at the terminal, about a recovery or about destructive operations of a change;
 * without an answer the attempt is parked and the run goes on.
 */
export async function awaitApproval(state: RunState, ports: Needs): Promise<Step<Outcome>> {
  const { proposal, destructive } = attemptOf(state)
  if (proposal !== null) return askAboutRecovery(state, proposal, ports)
  if (destructive.length > 0) return askAboutOperations(state, ports)
  throw new Error('There is nothing to approve.')
}

async function askAboutRecovery(
  state: RunState,
  proposal: Proposal,
  ports: Needs,
): Promise<Step<Outcome>> {
  const attempt = attemptOf(state)
  const { task } = attempt
  const choices = choicesFor(attempt, proposal, state.retried)
  const { id: taskId, title } = task
  const body = writeQuestion(attempt, proposal)
  const answer = await ports.person.ask({ taskId, title, body, choices })
  const decided = (decision: RecoveryRecord['decision']) => ({
    recoveries: [
      ...state.recoveries,
      { taskId, proposal, decision, by: answer?.by ?? 'nobody', at: ports.clock.now() },
    ],
  })
  switch (answer?.choice) {
    case 'approve':
      return { outcome: 'approved', patch: decided('approved') }
    case 'defer': {
      const other: Proposal = { ...proposal, strategy: 'DEFER', tasks: [] }
      return { outcome: 'other_strategy', patch: patchAttempt(state, { proposal: other }) }
    }
    case 'retry':
      return { outcome: 'retry', patch: { attempt: anew(attempt) } }
    case 'skip':
      return {
        outcome: 'skipped',
        patch: { ...decided('rejected'), ...end(state, 'skipped', answer) },
      }
    case 'reject':
      return {
        outcome: 'rejected',
        patch: { ...decided('rejected'), ...end(state, 'rejected', answer) },
      }
    default: {
      const reason = `waits for an answer: ${proposal.explanation}`
      return {
        outcome: 'waiting',
        patch: {
          ...decided('waiting'),
          ...fileVerdict(state, 'waiting', { reason }),
          parked: { ...state.parked, [taskId]: attempt },
        },
      }
    }
  }
}

/** An approval covers just these operations; the change itself stays as it is. */
async function askAboutOperations(state: RunState, ports: Needs): Promise<Step<Outcome>> {
  const attempt = attemptOf(state)
  const { task, destructive: operations, allowed } = attempt
  const choices: AskedChoice[] = ['approve', 'skip', 'reject']
  if (attempt.number < retriesByPerson) choices.push('retry')
  const body = writeDestructiveQuestion(attempt)
  const answer = await ports.person.ask({ taskId: task.id, title: task.title, body, choices })
  const decided = (decision: DestructiveDecision['decision']) =>
    recordDestructive(state, {
      operations,
      decision,
      by: answer?.by ?? 'nobody',
      at: ports.clock.now(),
    })
  switch (answer?.choice) {
    case 'approve': {
      const approved = patchAttempt(state, allow(allowed, operations))
      return { outcome: 'write_anyway', patch: { ...decided('approved'), ...approved } }
    }
    case 'retry':
      return { outcome: 'retry', patch: { ...decided('rejected'), attempt: anew(attempt) } }
    case 'skip':
    case 'reject': {
      const outcome = answer.choice === 'skip' ? 'skipped' : 'rejected'
      return { outcome, patch: { ...decided('rejected'), ...end(state, outcome, answer) } }
    }
    default: {
      const kept = await keepPatch(attempt, ports)
      const where = kept === null ? '' : `. The whole change is in ${kept}`
      const reason = `waits: the change contains destructive operations: ${summariseDestructive(operations)}${where}`
      return {
        outcome: 'waiting',
        patch: {
          ...decided('waiting'),
          ...fileVerdict(state, 'waiting', { reason }),
          parked: { ...state.parked, [task.id]: attempt },
        },
      }
    }
  }
}

function choicesFor(
  attempt: Attempt,
  proposal: Proposal,
  retried: readonly string[],
): readonly AskedChoice[] {
  const choices: AskedChoice[] = ['approve', 'skip', 'reject']
  const once = !retried.includes(attempt.task.id)
  if (proposal.strategy === 'ESCALATE' && once) choices.push('defer')
  if (attempt.number < retriesByPerson) choices.push('retry')
  return choices
}

const end = (state: RunState, verdict: 'skipped' | 'rejected', answer: Answer) =>
  fileVerdict(state, verdict, { reason: `${verdict} by ${answer.by}` })

/** The same task from its start again: counters zeroed, what was spent kept. */
function anew(attempt: Attempt): Attempt {
  return { ...attempt, ...untried, number: attempt.number + 1 }
}
