import { attemptOf, fileVerdict, patchAttempt, untried } from '../../domain/attempt.ts'
import type { Attempt, Proposal, RecoveryRecord, RunState } from '../../domain/run-state.ts'
import type { Step } from '../../graph/step.ts'
import type { Answer, Ports } from '../../ports.ts'
import { writeQuestion } from '../../report/write-question.ts'

type Outcome = 'approved' | 'other_strategy' | 'retry' | 'rejected' | 'skipped' | 'waiting'

/** A person may ask for a new attempt this often; the counter keeps the walk finite. */
const retriesByPerson = 3

/** Asks the person at the terminal; without an answer the attempt is parked and the run goes on. */
export async function awaitApproval(
  state: RunState,
  ports: Pick<Ports, 'person' | 'clock'>,
): Promise<Step<Outcome>> {
  const attempt = attemptOf(state)
  const { task, proposal } = attempt
  if (proposal === null) throw new Error('There is nothing to approve.')
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

function choicesFor(
  attempt: Attempt,
  proposal: Proposal,
  retried: readonly string[],
): readonly Answer['choice'][] {
  const choices: Answer['choice'][] = ['approve', 'skip', 'reject']
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
