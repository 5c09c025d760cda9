import { attemptOf, patchAttempt } from '../../domain/attempt.ts'
import type { CodeProblem } from '../../domain/problem.ts'
import type { RunState } from '../../domain/run-state.ts'
import type { Step } from '../../graph/step.ts'
import type { Ports } from '../../ports.ts'
import { checkDiff } from '../../safety/gate.ts'
import { gateRules } from '../../safety/gate-rules.ts'
import { materialise } from '../../verify/materialise.ts'

/**
 * Writes the change set into a fresh folder of the task's own, all or nothing, and then asks
 * git what really changed: the gate's second look is at the disk, not at the plan.
 */
export async function writeFiles(
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Step<'written' | 'refused'>> {
  const attempt = attemptOf(state)
  const changes = attempt.draft?.changes ?? []
  const written = await materialise(attempt, ports)
  if (written.status === 'refused') return refuse(state, `${written.path}: ${written.reason}`, [])
  const files = await ports.workspace.listFiles(attempt.start.sha)
  const rules = gateRules(attempt, files, ports.settings)
  const problems = checkDiff(await ports.workspace.diff(written.folder), changes, rules)
  if (problems.length === 0) return { outcome: 'written' }
  await ports.workspace.discard(attempt.task.id)
  return refuse(state, 'the files on disk differ from the validated change', problems)
}

function refuse(
  state: RunState,
  message: string,
  problems: readonly CodeProblem[],
): Step<'refused'> {
  const failure = { at: 'refused', message, problems, failures: [], output: '' }
  return { outcome: 'refused', patch: patchAttempt(state, { failure, problems }) }
}
