import type { Attempt, Proposal, RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { amendmentOf } from '../../recovery/task/amendment-of.ts'
import { hashOfTasks } from '../../recovery/task/hash-attempt.ts'
import { replaceTask } from '../../roadmap/document/replace-task.ts'
import { writeRecovery } from '../report/write-recovery.ts'
import { type PublishedProposal, publishOnRecoveryBranch } from './publish-on-recovery-branch.ts'

/** New tasks in place of one, as a pull request: for a person to decide, or to stack work upon. */
export function publishRecovery(
  attempt: Attempt,
  proposal: Proposal,
  how: {
    readonly asked: boolean
    readonly at: string
    readonly onto: { readonly branch: string; readonly sha: string }
  },
  state: Pick<RunState, 'runId' | 'roadmap'>,
  ports: Pick<Ports, 'workspace' | 'forge' | 'settings' | 'clock'>,
): Promise<PublishedProposal> {
  const { granularity } = ports.settings
  const amendment = amendmentOf(attempt, proposal, how.at)
  const hash = hashOfTasks(proposal)
  const text = writeRecovery(attempt, proposal, { hash, asked: how.asked }, state, ports.settings)
  const edit = (roadmap: string) => replaceTask(roadmap, amendment, { granularity })
  const { task } = attempt
  return publishOnRecoveryBranch({ task, onto: how.onto, hash, text, edit }, state, ports)
}
