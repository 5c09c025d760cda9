import { attemptOf, fileVerdict } from '../../core/domain/attempt.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { withoutForge } from '../../core/domain/unanswered.ts'
import type { Ports } from '../../core/ports.ts'
import { proposalBase } from '../../recovery/task/proposal-base.ts'
import { tellKept } from './keep-patch.ts'
import { parkAttempt } from './park-attempt.ts'
import { publishDestructiveQuestion } from './publish-destructive-question.ts'
import { publishRecovery } from './publish-recovery.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'clock' | 'store'>

interface Asked {
  readonly outcome: 'waiting' | 'forge_refused'
  readonly patch: Partial<RunState>
}

/**
 * Puts the question of the attempt under way before people as a pull request, and keeps the attempt
 * where the run that hears the answer finds it. The patch files the verdict: the run goes on. A forge
 * that cannot be reached now is asked by the next run.
 */
export async function askOnForge(state: RunState, ports: Needs): Promise<Asked> {
  const attempt = attemptOf(state)
  const { id } = attempt.task
  // Kept first: a question whose attempt is lost could not be answered.
  const parked = await parkAttempt(attempt, ports.workspace)
  const onto = await proposalBase(attempt, state, ports)
  const published =
    attempt.proposal === null
      ? await publishDestructiveQuestion(attempt, onto, state, ports)
      : await publishRecovery(
          attempt,
          attempt.proposal,
          { asked: true, at: ports.clock.now(), onto },
          state,
          ports,
        )
  if (published.status === 'refused') {
    const unreachable = withoutForge(state, published.error)
    if (unreachable !== null) return unreachable
    const said = `nobody could be asked: ${published.reason}`
    const reason = await tellKept(said, attempt, ports)
    const errors = published.error === null ? state.errors : [...state.errors, published.error]
    return { outcome: 'waiting', patch: { ...fileVerdict(state, 'failed', { reason }), errors } }
  }
  const { branch, pullRequest } = published
  const question = pullRequest && { ...pullRequest, head: branch }
  const others = (state.questions[id] ?? []).filter(({ number }) => number !== question?.number)
  const lost = parked.status === 'published' ? '' : '; the attempt itself could not be kept'
  const asks = attempt.proposal === null ? 'destructive operations' : 'other tasks in its place'
  const reason = `waits for an answer about ${asks} in ${question === null ? branch : `#${question.number}`}${lost}`
  return {
    outcome: 'waiting',
    patch: {
      ...fileVerdict(state, 'waiting', { reason, branch, pullRequest }),
      parked: { ...state.parked, [id]: attempt },
      questions: { ...state.questions, [id]: question === null ? others : [...others, question] },
    },
  }
}
