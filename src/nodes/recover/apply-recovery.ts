import { findInChanges } from '../../destructive/find-in-changes.ts'
import { attemptOf, fileVerdict } from '../../domain/attempt.ts'
import type { ChangeSet } from '../../domain/change-set.ts'
import { notAllowed } from '../../domain/destructive.ts'
import { label } from '../../domain/identity.ts'
import type { Attempt, Proposal, RunState } from '../../domain/run-state.ts'
import { keepPatch } from '../../effects/keep-patch.ts'
import { publishAttempt } from '../../effects/publish-attempt.ts'
import { publishRecovery } from '../../effects/publish-recovery.ts'
import type { Step } from '../../graph/step.ts'
import type { Ports } from '../../ports.ts'
import { writeEscalation } from '../../report/write-pull-request.ts'
import { checkChangeSet } from '../../safety/gate.ts'
import { gateRules } from '../../safety/gate-rules.ts'

type Outcome = 'tasks_added' | 'task_set_aside' | 'refused'
type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'store' | 'clock'>

/** Carries out what was approved: new tasks, defer, skip, or the failed attempt for a person. */
export async function applyRecovery(state: RunState, ports: Needs): Promise<Step<Outcome>> {
  const attempt = attemptOf(state)
  const { proposal } = attempt
  if (proposal === null) throw new Error('There is no recovery to apply.')
  switch (proposal.strategy) {
    case 'DEFER':
      return setAside(fileVerdict(state, 'deferred', { reason: proposal.explanation }))
    case 'SKIP':
      await keepPatch(attempt, ports)
      return setAside(fileVerdict(state, 'skipped', { reason: proposal.explanation }))
    case 'DECOMPOSE':
    case 'REWRITE':
      return replaceByTasks(state, attempt, proposal, ports)
    default:
      return escalate(state, attempt, proposal, ports)
  }
}

const setAside = (patch: Partial<RunState>): Step<Outcome> => ({
  outcome: 'task_set_aside',
  patch,
})

/** The roadmap gets the new tasks on a branch of its own, and this run goes on with them. */
async function replaceByTasks(
  state: RunState,
  attempt: Attempt,
  { strategy, reason, tasks }: Proposal,
  ports: Needs,
): Promise<Step<Outcome>> {
  const { id, fingerprint, title } = attempt.task
  const at = ports.clock.now()
  const amendment = { task: { id, fingerprint, title }, strategy, reason, at, tasks }
  await keepPatch(attempt, ports)
  const published = await publishRecovery(attempt, amendment, state, ports)
  if (published.status === 'refused') {
    const verdict = fileVerdict(state, 'failed', { reason: published.reason })
    const errors = published.error === null ? state.errors : [...state.errors, published.error]
    return { outcome: 'refused', patch: { ...verdict, errors } }
  }
  const { branch, sha, pullRequest } = published
  const ids = tasks.map((task) => task.id).join(', ')
  const said = `${strategy === 'DECOMPOSE' ? 'split into' : 'rewritten as'} ${ids}`
  return {
    outcome: 'tasks_added',
    patch: {
      ...fileVerdict(state, 'replaced', { reason: said, branch, sha, pullRequest }),
      amendments: [...state.amendments, amendment],
      roadmapChanges: [...state.roadmapChanges, `${id} ${said} on ${branch}`],
    },
  }
}

/** Without a forge there is nobody to read a pull request: the attempt is kept as a file. */
async function escalate(
  state: RunState,
  attempt: Attempt,
  proposal: Proposal,
  ports: Needs,
): Promise<Step<Outcome>> {
  if (ports.forge.kind === 'local') {
    const kept = await keepPatch(attempt, ports)
    const where = kept === null ? '' : ` The attempt is kept in ${kept}.`
    const reason = `${proposal.explanation}${where}`
    return setAside(fileVerdict(state, 'failed', { reason }))
  }
  const published = await publishAttempt(attempt, state, ports, {
    changes: await publishable(attempt, ports),
    outcome: 'needs-human',
    text: writeEscalation(attempt, proposal, state, ports.settings),
    labels: [label.needsHuman],
    draft: ports.settings.pullRequest.draftWhenEscalated,
  })
  const { branch } = published
  const reason = proposal.explanation
  if (published.status === 'published') {
    const { pullRequest } = published
    return setAside(fileVerdict(state, 'failed', { reason, branch, pullRequest }))
  }
  await keepPatch(attempt, ports)
  const errors = published.status === 'refused' ? [...state.errors, published.error] : state.errors
  const verdict = fileVerdict(state, 'failed', { reason, branch })
  return { outcome: 'refused', patch: { ...verdict, errors } }
}

/**
 * Even for a person to look at, nothing leaves this machine that the gate refuses, and no destructive
 * operation that nobody approved: the repository's own pipeline would run it.
 */
async function publishable(attempt: Attempt, ports: Needs): Promise<ChangeSet> {
  const changes = attempt.draft?.changes ?? []
  const files = await ports.workspace.listFiles(attempt.start.sha)
  const refused = checkChangeSet(changes, gateRules(attempt, files, ports.settings))
  if (refused.some(({ path }) => path === '')) return []
  const unapproved = ports.settings.pauseDestructive
    ? notAllowed(await findInChanges(changes), attempt.allowed)
    : []
  const bad = new Set([...refused, ...unapproved].map(({ path }) => path))
  return changes.filter(({ path }) => !bad.has(path))
}
