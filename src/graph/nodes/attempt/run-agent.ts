import { changesBetween, type Draft } from '../../../../packages/change/change.ts'
import { openRepair } from '../../../../packages/judge/judge.ts'
import type { AgentWork } from '../../../core/domain/agent-work.ts'
import type { Attempt } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  joinPatches,
  patchAttempt,
  startOf,
  withEarlierNotes,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import type { OutcomeOf } from '../../../core/domain/steps.ts'
import { withoutAnswer } from '../../../core/domain/unanswered.ts'
import type { Ports } from '../../../core/ports.ts'
import { askAgent } from '../../../model/ask/ask-agent.ts'
import { type AgentBrief, agentPrompt } from '../../../model/prompts/agent.ts'
import { showReflection } from '../../../model/prompts/reflect.ts'
import { awaitSetUp } from '../../../recovery/step/await-set-up.ts'
import { noteRepair, noteTestRepair, uselessRepair } from '../../../recovery/step/note-repair.ts'
import { workInFolder } from '../../parts/agent-work.ts'
import type { StepOf } from '../../step.ts'

type Needs = Pick<
  Ports,
  'relay' | 'settings' | 'store' | 'clock' | 'ledger' | 'workspace' | 'sandbox'
>

/**
 * Lets a program of the user's write the change in a folder of its own, in the sandbox, where it reaches nothing but the
 * model. The difference that it leaves becomes the draft, and goes the way of every draft. At a repair, the folder holds
 * its change, and the program reads the problems of it.
 */
export async function runAgent(state: RunState, ports: Needs): Promise<StepOf<'run_agent'>> {
  const attempt = attemptOf(state)
  const unprepared = await awaitSetUp(state, startOf(state), ports)
  if (unprepared !== null) return unprepared
  const repairs = whatItRepairs(attempt)
  const prompt = agentPrompt(briefOf(attempt, repairs, ports.settings))
  const asked = await askAgent(state, ports, prompt, (relay, shown) =>
    workInFolder(attempt, shown, relay, ports),
  )
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
  const after = changeState(state, asked.patch)
  const noted = withEarlierNotes(draftOf(asked.work, attempt, ports.settings), attempt.draft)
  const draft = await openRepair(attempt).guard(noted)
  const end = (outcome: OutcomeOf<'run_agent'>, facts: Partial<Attempt>): StepOf<'run_agent'> => ({
    outcome,
    patch: joinPatches(asked.patch, patchAttempt(after, facts)),
  })
  const now = attemptOf(after)
  if (repairs === 'tests') {
    const testRepairs = attempt.testRepairs + 1
    const isSame =
      draft.refusals.length === 0 && changesBetween(draft.changes, changesIn(attempt)).length === 0
    if (isSame) return end('failed', { testRepairs, remedies: noteTestRepair(now, null) })
    const remedies = noteTestRepair(now, draft)
    return end('drafted', { draft, testRepairs, problems: [], remedies })
  }
  if (repairs === 'code') {
    const validationRepairs = attempt.validationRepairs + 1
    const facts = { draft, validationRepairs, remedies: noteRepair(now, draft) }
    return end(draft.claimsDone ? 'claims_done' : 'drafted', facts)
  }
  return end(draft.claimsDone ? 'claims_done' : 'drafted', { draft })
}

/** What sent the attempt here: a fault of its change, tests that it breaks, or nothing yet. */
function whatItRepairs({ problems, draft, failure }: Attempt): 'code' | 'tests' | null {
  if (problems.length > 0) return 'code'
  return draft !== null && failure?.at === 'failed' ? 'tests' : null
}

const changesIn = ({ draft }: Attempt) => draft?.changes ?? []

function briefOf(
  attempt: Attempt,
  repairs: ReturnType<typeof whatItRepairs>,
  settings: Settings,
): AgentBrief {
  const { task, earlier = null, feedback, problems, reflections } = attempt
  const node = repairs === 'code' ? 'repair_code' : 'repair_test'
  return {
    ...{ task, history: earlier, feedback, settings },
    problems:
      repairs === 'code'
        ? problems.map((each) => ({ ...each, excerpt: around(attempt, each) }))
        : [],
    failures: repairs === 'tests' ? openRepair(attempt).failures : [],
    useless: repairs === null ? null : uselessRepair(attempt, node),
    reflection: repairs === null ? '' : showReflection(reflections),
  }
}

/** The lines around a problem, or the output of a session that failed. */
function around(attempt: Attempt, problem: Attempt['problems'][number]): string {
  const refused = attempt.draft?.refusals.find(
    ({ path, reason }) => path === problem.path && reason === problem.message,
  )
  return refused?.excerpt ?? openRepair(attempt).excerptOf(problem)
}

/** A session without use leaves the change as it was, and says why. */
function draftOf(work: AgentWork, attempt: Attempt, { agent }: Settings): Draft {
  const { problem, output, changes, summary, notes, reached } = work
  const by = `written by the agent ${nameOf(agent.command ?? '')}`
  const common = {
    ...(reached !== null && { reached }),
    summary: summary || attempt.draft?.summary || '',
  }
  if (problem === null) {
    const claimsDone = changes.length === 0
    return {
      ...common,
      changes,
      refusals: [],
      claimsDone,
      notes: claimsDone ? notes : [by, ...notes],
    }
  }
  const refusals = [{ path: '', reason: problem, excerpt: output }]
  return { ...common, changes: changesIn(attempt), refusals, claimsDone: false, notes: [] }
}

/** The program and its first word: `codex exec`. */
const nameOf = (command: string): string =>
  command
    .split(/\s+/)
    .slice(0, 2)
    .filter((word) => /^[\w./@-]+$/.test(word) && !word.startsWith('-'))
    .join(' ')
