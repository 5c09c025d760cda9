import { inlineCode } from '../../../../packages/text/text.ts'
import type { Answer, AskedChoice } from '../../../core/domain/answer.ts'
import type { Proposal } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  fileVerdict,
  joinPatches,
  type StatePatch,
} from '../../../core/domain/change-state.ts'
import { label } from '../../../core/domain/identity.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { withoutObservations } from '../../../core/domain/tool-loop.ts'
import type { Ports } from '../../../core/ports.ts'
import { keepPatch, settleQuestions } from '../../../publish/effects/keep-attempt.ts'
import { askOnForge } from '../../../publish/effects/publish-on-recovery-branch.ts'
import { summariseDestructive } from '../../../publish/report/describe-change.ts'
import { writeTerminalQuestion } from '../../../publish/report/write-terminal-question.ts'
import { checkApproval } from '../../../recovery/task/check-approval.ts'
import {
  decideOperations,
  decideRecovery,
  recordDecision,
  recordDestructive,
} from '../../../recovery/task/decide.ts'
import { readEditedTasks, writeEditableTasks } from '../../../recovery/task/edited-tasks.ts'
import { loadRoadmap } from '../../../tasks/load-roadmap.ts'
import type { StepOf } from '../../step.ts'

type Next = StepOf<'await_approval'>
type Needs = Pick<Ports, 'person' | 'clock' | 'store' | 'forge' | 'workspace' | 'settings'>

/** How often the person at the terminal may ask for a new attempt; keeps the walk finite. */
const retriesByPerson = 3

/**
 * Takes the answer that this run was started with. Otherwise asks the person at the terminal, or everyone by a pull
 * request; without an answer it parks the attempt and the run continues.
 */
export async function awaitApproval(state: RunState, ports: Needs): Promise<Next> {
  const { task, proposal, destructive } = attemptOf(state)
  const given = state.asked.answers[task.id]
  if (given !== undefined) return useAnswer(state, given, ports)
  if (proposal === null && destructive.length === 0) throw new Error('There is nothing to approve.')
  if (task.members !== undefined) {
    // A person decides about one task: alone, the one with these operations asks about them.
    const reason = `the change contains destructive operations: ${summariseDestructive(destructive)}`
    return { outcome: 'dissolved', patch: fileVerdict(state, 'failed', { reason }) }
  }
  const isAskedHere = ports.person.present || ports.forge.kind === 'local'
  const answer = isAskedHere ? await askHere(state, ports) : null
  if (answer === null) return park(state, ports, isAskedHere)
  return decide(state, answer, ports)
}

function askHere(state: RunState, { person }: Needs): Promise<Answer | null> {
  const attempt = attemptOf(state)
  const { proposal, task, number } = attempt
  const choices: AskedChoice[] = ['approve', 'skip', 'reject']
  const once = !state.tasks.retried.includes(task.id)
  if (proposal?.strategy === 'ESCALATE' && once) choices.push('defer')
  if (number < retriesByPerson) choices.push('retry')
  const body = writeTerminalQuestion(attempt)
  const edit = {
    text: writeEditableTasks(attempt),
    read: (text: string) => readEditedTasks(text, task.id),
  }
  const question = { taskId: task.id, title: task.title, body, choices }
  return person.ask(proposal === null ? question : { ...question, edit })
}

async function decide(state: RunState, answer: Answer, ports: Needs): Promise<Next> {
  const { proposal } = attemptOf(state)
  const at = answer.at ?? ports.clock.now()
  if (proposal === null && !isAboutTasks(answer)) return decideOperations(state, answer, at)
  const others = answer.choice === 'edit' ? await otherIds(state, ports) : []
  return decideRecovery(state, proposal ?? unworded(answer), answer, { at, others })
}

/** Answers that replace the tasks of a change that waits, or of a lost attempt. */
const isAboutTasks = ({ choice }: Answer): boolean =>
  choice === 'decompose' || choice === 'rewrite' || choice === 'edit'

const unworded = ({ by }: Answer): Proposal => ({
  strategy: 'ESCALATE',
  reason: 'unknown',
  explanation: `${by} asked for it.`,
  tasks: [],
})

const otherIds = async (state: RunState, ports: Needs): Promise<readonly string[]> =>
  ((await loadRoadmap(state, ports))?.tasks ?? []).map(({ id }) => id)

/**
 * Uses an answer from the forge once. An approval of new tasks stays in the state for apply_recovery, which merges
 * exactly the commit that it names.
 */
async function useAnswer(state: RunState, answer: Answer, ports: Needs): Promise<Next> {
  const { task, destructive, proposal } = attemptOf(state)
  const { [task.id]: _, ...answers } = state.asked.answers
  if (answer.choice !== 'approve') {
    const lost = proposal === null && destructive.length === 0
    const about = lost && answer.choice !== 'retry' ? withProposal(state, unworded(answer)) : state
    const step = await decide(about, answer, ports)
    const settled = await settle(state, step.outcome, answer, ports)
    const kept = step.outcome === 'edited' ? state.asked.answers : answers
    return { ...step, patch: joinPatches(step.patch, settled, { asked: { answers: kept } }) }
  }
  const checked = await checkApproval(state, answer, ports)
  if (checked.status === 'stale') {
    const reason = `the approval by ${answer.by} does not count: ${checked.reason}`
    const [question] = state.tasks.questions[task.id] ?? []
    const pullRequest = question ? { number: question.number, url: question.url } : null
    const verdict = fileVerdict(state, 'waiting', { reason, pullRequest })
    return { outcome: 'stale', patch: joinPatches(verdict, { asked: { answers } }) }
  }
  if (checked.proposal === null) {
    const step = await decide(state, answer, ports)
    return { ...step, patch: joinPatches(step.patch, { asked: { answers } }) }
  }
  return decide(withProposal(state, checked.proposal), answer, ports)
}

const withProposal = (state: RunState, proposal: Proposal): RunState =>
  changeState(state, { attempt: { ...attemptOf(state), proposal } })

/** A refusal closes the question. */
async function settle(
  state: RunState,
  outcome: Next['outcome'],
  { by, choice }: Answer,
  ports: Needs,
): Promise<StatePatch> {
  if (outcome !== 'rejected' && outcome !== 'skipped') return {}
  const { id } = attemptOf(state).task
  const said = `${id} was ${choice === 'defer' ? 'deferred' : outcome} by ${inlineCode(by)}.`
  const name = choice === 'defer' ? label.deferred : label.skipped
  const how = outcome === 'skipped' ? { said, label: name } : { said }
  return settleQuestions(id, state, ports, how)
}

/** Parks an unanswered attempt; on the forge, with a question that anyone can read. */
async function park(state: RunState, ports: Needs, isAskedHere: boolean): Promise<Next> {
  const attempt = attemptOf(state)
  const { task, proposal, destructive: operations } = attempt
  const record = { decision: 'waiting', by: 'nobody', at: ports.clock.now() } as const
  const recorded =
    proposal === null
      ? recordDestructive(state, { operations, ...record })
      : recordDecision(state, proposal, 'waiting', record)
  if (!isAskedHere) {
    const asked = await askOnForge(state, ports)
    if (asked.outcome === 'forge_refused') return asked
    return { ...asked, patch: joinPatches(recorded, asked.patch) }
  }
  return {
    outcome: 'waiting',
    patch: joinPatches(
      recorded,
      fileVerdict(state, 'waiting', { reason: await whyItWaits(state, ports) }),
      { tasks: { parked: { ...state.tasks.parked, [task.id]: withoutObservations(attempt) } } },
    ),
  }
}

async function whyItWaits(state: RunState, ports: Needs): Promise<string> {
  const attempt = attemptOf(state)
  if (attempt.proposal !== null) return `waits for an answer: ${attempt.proposal.explanation}`
  const kept = await keepPatch(attempt, ports)
  const where = kept === null ? '' : `. The whole change is in ${kept}`
  return `waits: the change contains destructive operations: ${summariseDestructive(attempt.destructive)}${where}`
}
