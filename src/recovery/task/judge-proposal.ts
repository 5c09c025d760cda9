import { openTree } from '../../../packages/change/change.ts'
import { openPolicyGate } from '../../../packages/judge/judge.ts'
import { replaceTask } from '../../../packages/roadmap/roadmap.ts'
import type { Attempt, Proposal } from '../../core/domain/attempt.ts'
import { recoveryBranchOf } from '../../core/domain/branches.ts'
import { attemptOf, changeState } from '../../core/domain/change-state.ts'
import { readProposalMarker } from '../../core/domain/hidden-lines.ts'
import type { Amendment, RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Ports } from '../../core/ports.ts'
import { hashOfTasks } from '../../core/proposal-hash.ts'
import type { PlanGround } from '../../model/planning/judge-plan.ts'
import type { RawTask } from '../../model/prompts/recover.ts'
import { loadRoadmap } from '../../tasks/load-roadmap.ts'
import { judgePackages, type KnownPackages, knownPackages } from './judge-packages.ts'
import { judgeScope } from './judge-scope.ts'
import { lintProposal } from './lint-proposal.ts'

/** The roadmap that new tasks would join, and its constraints. */
export interface ProposalPlace {
  readonly roadmap: string
  readonly granularity: Settings['granularity']
  /** Ids of the other tasks. */
  readonly others: readonly string[]
  /** Hashes of proposals that people rejected or asked to replace. */
  readonly turnedDown: readonly string[]
  /** What the task may change. */
  readonly gate: PlanGround['gate']
  readonly packages: KnownPackages
}

/** `null` for a task without an item in the roadmap to replace: it came from a status sign or an issue. */
export async function placeOf(
  proposal: Proposal,
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings' | 'forge'>,
): Promise<ProposalPlace | null> {
  const attempt = attemptOf(state)
  const { granularity } = ports.settings
  const onto = await proposalBase(attempt, state, ports)
  const texts = await ports.workspace.readFiles(onto.sha, [state.roadmap.path])
  const roadmap = texts.get(state.roadmap.path) ?? ''
  const removed = amendmentOf(attempt, { ...proposal, tasks: [] }, '')
  if (replaceTask(roadmap, removed, { granularity }).status === 'refused') return null
  const tasks = (await loadRoadmap(state, ports))?.tasks ?? []
  const others = tasks.map(({ id }) => id)
  const turnedDown = await hashesTurnedDown(proposal, attempt, ports)
  const start = await openTree(attempt.start.sha, ports.workspace)
  const gate = openPolicyGate(start, attempt, ports.settings)
  const packages = await knownPackages(attempt, ports)
  return { roadmap, granularity, others, turnedDown, gate, packages }
}

/** Hashes of closed proposals; of the open one, too, when a person wants another. */
async function hashesTurnedDown(
  { wish }: Proposal,
  { task }: Attempt,
  { forge }: Pick<Ports, 'forge'>,
): Promise<readonly string[]> {
  if (forge.kind === 'local') return []
  const head = recoveryBranchOf(task.id)
  const asked = (await forge.pullRequests()).filter(
    (pull) => pull.head === head && (pull.state === 'closed' || wish !== undefined),
  )
  return asked.flatMap(({ body }) => readProposalMarker(body)?.hash ?? [])
}

/**
 * The objection to a model's own words for new tasks, as a sentence for the model, before any person sees them: their
 * files, their size, and the packages that they would have someone install.
 */
export function judgeWording(
  raw: readonly RawTask[],
  attempt: Attempt,
  { gate, packages }: ProposalPlace,
): string | null {
  const texts = raw.map(({ title, details }) => [title, ...details].join('\n'))
  return judgeScope(raw, attempt, gate) ?? judgePackages(texts.join('\n'), packages)
}

/** The objection to tasks that could join the roadmap, as a sentence for the model. */
export function objectionTo(
  proposal: Proposal,
  attempt: Attempt,
  place: ProposalPlace,
): string | null {
  if (place.turnedDown.includes(hashOfTasks(proposal))) {
    return 'exactly this was proposed before, and turned down'
  }
  const { roadmap, granularity } = place
  const edited = replaceTask(roadmap, amendmentOf(attempt, proposal, ''), { granularity })
  return edited.status === 'refused'
    ? edited.reason
    : lintProposal(edited.text, proposal.tasks, granularity)
}

/** The base branch when its roadmap has the task; otherwise the branch that the attempt builds on. */
export async function proposalBase(
  { task, start }: Attempt,
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<{ readonly branch: string; readonly sha: string }> {
  const roadmap = await loadRoadmap(changeState(state, { roadmap: { amendments: [] } }), ports)
  const isThere = roadmap?.tasks.some(
    ({ id, fingerprint }) => id === task.id && fingerprint === task.fingerprint,
  )
  return isThere ? state.roadmap.base : start
}

/** The edit of the roadmap that carries out a proposal. */
export function amendmentOf({ task }: Attempt, proposal: Proposal, at: string): Amendment {
  const { id, fingerprint, title } = task
  const { strategy, reason, tasks } = proposal
  return { task: { id, fingerprint, title }, strategy, reason, at, tasks }
}
