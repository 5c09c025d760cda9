import type { Attempt, RunState } from '../../core/domain/run-state.ts'
import type { Ports } from '../../core/ports.ts'
import { hashOfOperations } from '../../recovery/task/hash-attempt.ts'
import { annotateTask } from '../../roadmap/document/annotate-task.ts'
import { writeDestructiveProposal } from '../report/write-destructive-proposal.ts'
import { type PublishedProposal, publishOnRecoveryBranch } from './publish-on-recovery-branch.ts'

/** The question whether a change may be written: the change itself goes nowhere. */
export function publishDestructiveQuestion(
  attempt: Attempt,
  onto: { readonly branch: string; readonly sha: string },
  state: Pick<RunState, 'runId' | 'roadmap'>,
  ports: Pick<Ports, 'workspace' | 'forge' | 'settings' | 'clock'>,
): Promise<PublishedProposal> {
  const { task, destructive } = attempt
  const { granularity } = ports.settings
  const hash = hashOfOperations(attempt)
  const text = writeDestructiveProposal(attempt, hash, state, ports.settings)
  const places = destructive.map(({ category, path, line }) => `${category} ${path}:${line}`)
  const note = `asked at ${ports.clock.now()} whether ${task.id} may do what cannot be taken back: ${places.slice(0, 10).join(', ')}`
  const edit = (roadmap: string) => annotateTask(roadmap, task, note, { granularity })
  return publishOnRecoveryBranch({ task, onto, hash, text, edit }, state, ports)
}
