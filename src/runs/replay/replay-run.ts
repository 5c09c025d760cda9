/**
 * Replays a recorded run offline: the answers come from the journal, the code from the repository at the recorded
 * commit, tests really run, and all writes to the outside stay in memory.
 */
import { type AskedChoice, answerNow } from '../../core/domain/answer.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { JournalEvent, Recorded } from '../../core/domain/journal-event.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { groupings } from '../../core/domain/settings.ts'
import type { OutcomeOf } from '../../core/domain/steps.ts'
import { noUsage } from '../../core/domain/usage.ts'
import { type RecordedStep, recordedSteps } from '../../core/journal/recorded-steps.ts'
import { soleLeases } from '../../core/ports/leases.ts'
import type { Model } from '../../core/ports/model.ts'
import { noRelay } from '../../core/ports/relay.ts'
import type { Ports } from '../../core/ports.ts'
import { edges } from '../../graph/edges.ts'
import { nodes } from '../../graph/nodes.ts'
import { runGraph } from '../../graph/run-graph.ts'
import type { NodeTable } from '../../graph/step.ts'
import { keptOf } from '../../model/ask/ask-model.ts'
import { describeDifferences, hashRequest } from '../../model/ask/record-call.ts'
import { readPlans } from '../../model/prompts/plan.ts'
import {
  recordedRoutes,
  rememberingForge,
  rememberingMemory,
  rememberingStore,
  rememberingWorkspace,
} from './replay-ports.ts'

/** One step, now and as recorded; `null` where one of the two has none. */
export interface ReplayedStep {
  readonly node: string
  readonly task: string | null
  readonly outcome: string | null
  readonly recorded: string | null
  /** How the request differs, or why its answer is not the recorded one. */
  readonly differences: readonly string[]
}

export type Replay =
  | { readonly status: 'same' | 'departed'; readonly steps: readonly ReplayedStep[] }
  | { readonly status: 'impossible'; readonly reason: string }

type Recording = Exclude<Awaited<ReturnType<typeof read>>, string>

/** @param run the full id of a known run */
export async function replayRun(
  run: string,
  ports: Ports,
  asked: {
    /** Runs no tests: takes their results from the recording. */
    readonly skipTests: boolean
    readonly signal: AbortSignal
    readonly told?: (step: ReplayedStep) => void
  },
): Promise<Replay> {
  const recording = await read(run, ports)
  if (typeof recording === 'string') return { status: 'impossible', reason: recording }
  const { state, survey, steps: recorded } = recording
  const steps: ReplayedStep[] = []
  const tell = (step: ReplayedStep) => {
    steps.push(step)
    asked.told?.(step)
  }
  const tellUnplayed = (was: RecordedStep | undefined, differences: readonly string[]) =>
    tell({
      node: was?.node ?? '',
      task: was?.task ?? null,
      outcome: null,
      recorded: was?.outcome ?? null,
      differences,
    })
  const model = recordedModel(recording)
  const table = asked.skipTests ? withoutTests(recorded, () => steps.length) : nodes
  const departed = new AbortController()
  const finished = (node: string, outcome: string, after: RunState) => {
    const was = recorded[steps.length]
    const task = was?.task ?? after.attempt?.task.id ?? null
    const isSame = was?.node === node && was.outcome === outcome
    const then =
      was === undefined ? null : was.node === node ? was.outcome : `${was.node}: ${was.outcome}`
    tell({ node, task, outcome, recorded: then, differences: model.differences() })
    // Steps after a different outcome have no counterpart.
    if (!isSame) departed.abort()
  }
  const signal = AbortSignal.any([asked.signal, departed.signal])
  const replayPorts: Ports = {
    ...ports,
    model,
    forge: rememberingForge(survey),
    workspace: await rememberingWorkspace(ports.workspace, state.roadmap.base, survey),
    relay: noRelay('the recording has no work of the agent for this step'),
    store: {
      ...rememberingStore(ports.store, knownOf(recording, asked.skipTests)),
      answer: async (_run, call, hash) => model.agentsWork(call, hash),
    },
    routes: recordedRoutes(recording.events),
    memory: rememberingMemory(recording.events),
    leases: soleLeases,
    person: recordedPerson(recorded, () => steps.length),
    clock: { ...ports.clock, now: () => state.run.startedAt },
    settings: settingsOf(recording, ports),
  }
  try {
    await runGraph(state, table, edges, replayPorts, { signal, observer: { finished } })
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    tellUnplayed(recorded[steps.length], [...model.differences(), error.message])
  }
  const next = recorded[steps.length]
  const isWhole = steps.every(
    ({ outcome, recorded: was, differences }) => outcome === was && differences.length === 0,
  )
  if (isWhole && next !== undefined) tellUnplayed(next, [])
  return { status: isWhole && next === undefined ? 'same' : 'departed', steps }
}

async function read(run: string, { store, workspace }: Ports) {
  const events = await store.journal(run)
  const started = events.find((event) => event.kind === 'started')
  const survey = events.findLast((event) => event.kind === 'surveyed')
  const steps = recordedSteps(events)
  const answered = events.filter((event) => event.kind === 'answered')
  if (started?.state === undefined) return 'Its journal has no beginning.'
  if (survey === undefined || steps.length === 0) return 'It ended before it read its roadmap.'
  const { state } = started
  if (Object.keys(state.asked.answers).length > 0) {
    return 'It resumed an attempt that is stored elsewhere, because a person answered.'
  }
  if (state.run.dryRun) return 'It was a dry run: it asked nothing.'
  if (steps.some(({ lane }) => lane !== undefined))
    return 'It worked on several tasks at the same time, and a replay takes one step after another.'
  const asks = steps.some(({ usage }) => usage.requests > 0)
  if (asks && answered.length === 0) return "Its journal no longer has the model's answers."
  for (const sha of [state.roadmap.base.sha, ...Object.values(survey.branches)]) {
    if ((await workspace.ancestor(sha, 0)) === null) {
      return `The commit ${sha} is not in this repository: git fetch origin ${sha}`
    }
  }
  const answers = new Map(answered.map((answer) => [answer.call, answer]))
  const refusals = events.filter(isRefusal)
  return { events, started, state, survey, steps, answers, refusals }
}

const isRouted = ({ kind }: JournalEvent): boolean => kind === 'routed'

/** What need not be found again: chosen ways and, without tests, their results. */
const knownOf = ({ events }: Recording, skipsTests: boolean): readonly JournalEvent[] =>
  skipsTests ? wholeTests(events) : events.filter(isRouted)

const isRefusal = (event: JournalEvent) =>
  event.kind === 'too_large' || event.kind === 'silent' || event.kind === 'refused'

function settingsOf(recording: Recording, { settings }: Ports): Ports['settings'] {
  const { state, survey, steps } = recording
  const { stack } = survey
  const rules = recording.started.rules ?? rulesBefore(steps, settings)
  const { reflectAfter, tools, limits } = rules
  const grouping = groupings.find((each) => 'group' in rules && each === rules.group) ?? 'off'
  return {
    ...settings,
    approvalMode: state.run.approvalMode,
    roadmap: state.roadmap.path,
    strategy: recording.events.some(isRouted) ? 'auto' : strategyOf(steps),
    critic: hadCritic(recording),
    memory: recording.started.memory ?? false,
    ...{ reflectAfter, tools, group: grouping },
    ...(stack === 'auto' || stack === 'chain' || stack === 'none' ? { stack } : {}),
    // A replay is free: later spending does not limit it.
    limits: { ...settings.limits, ...limits, tokensPerDay: null, dollarsPerDay: null },
  }
}

/** The strategy that the run used; the present configuration does not count. */
function strategyOf(steps: Recording['steps']): Ports['settings']['strategy'] {
  const has = (name: RecordedStep['node']) => steps.some(({ node }) => node === name)
  if (has('run_agent')) return 'agent'
  return has('think') ? 'tools' : has('plan_task') ? 'two_phase' : 'single'
}

/** Those of a journal that does not have them: the present ones, as far as its steps allow. */
function rulesBefore(
  steps: Recording['steps'],
  { reflectAfter, tools, limits }: Ports['settings'],
) {
  const hadReflection = steps.some(({ node }) => node === 'reflect')
  return { reflectAfter: hadReflection ? reflectAfter : 0, tools, limits }
}

/** True when the run compared plans. */
const hadCritic = ({ answers }: Recording): boolean =>
  [...answers.values()].some(
    ({ purpose, text }) =>
      purpose === 'choose_plan' || (purpose === 'plan' && readPlans(text).length > 0),
  )

interface RecordedModel extends Model {
  /** Of the questions since the last call. */
  differences(): readonly string[]
  /** What an agent made, by the ordinal of its session. */
  agentsWork(call: number, hash: string): Recorded<'answered'> | null
}

/** Answers in the recorded order, and notes requests that differ. */
function recordedModel({ answers, refusals }: Recording): RecordedModel {
  let call = 0
  const left = [...refusals]
  let found: string[] = []
  return {
    differences() {
      const noted = found
      found = []
      return noted
    },
    agentsWork(at, hash) {
      const answer = answers.get(at)
      if (answer?.purpose !== 'agent') return null
      call = at + 1
      if (!answer.exact) found.push('a secret in the work was masked, so the work is not exact')
      if (answer.hash !== hash) found.push('the agent gets another prompt')
      return answer
    },
    async complete(request) {
      const refusal = left.findIndex(
        (each) => each.call === call && each.hash === hashRequest(request),
      )
      const [refused] = refusal < 0 ? [] : left.splice(refusal, 1)
      if (refused?.kind === 'too_large') {
        const { reason, window, promptTokens } = refused
        return { status: 'too_large', reason, window, promptTokens, usage: noUsage }
      }
      if (refused?.kind === 'silent') {
        const { reason, usage } = refused
        return { status: 'silent', reason, usage }
      }
      if (refused !== undefined) throw new ExecutorError('model_rejected', refused.reason)
      const answer = answers.get(call)
      if (answer === undefined) {
        const reason = `the recording has no answer to question ${call + 1} (${request.purpose})`
        return { status: 'unavailable', reason, retryAt: null, usage: noUsage }
      }
      call += 1
      if (!answer.exact) found.push('a secret in the answer was masked, so the answer is not exact')
      if (hashRequest(request) !== answer.hash) {
        found.push(...differencesOf(answer, request))
      }
      return { status: 'answered', ...keptOf(answer) }
    },
  }
}

function differencesOf(
  answer: Recorded<'answered'>,
  { purpose, model, messages }: Parameters<Model['complete']>[0],
): readonly string[] {
  if (purpose !== answer.purpose) return [`asks for ${purpose} instead of ${answer.purpose}`]
  if (model !== answer.model) return [`asks ${model} instead of ${answer.model}`]
  if (answer.outline === undefined) return ['asks something else']
  return describeDifferences(answer.outline, messages)
}

/** The journal with every test run of a loop of tools as one whose result is known. */
const wholeTests = (events: readonly JournalEvent[]): readonly JournalEvent[] =>
  events.map((event) =>
    event.kind === 'observed' && event.tested !== undefined
      ? { ...event, tested: { ...event.tested, isWhole: true } }
      : event,
  )

/** Steps that skip the tests: their outcome is the recorded one. */
function withoutTests(recorded: readonly RecordedStep[], at: () => number): NodeTable {
  return {
    ...nodes,
    async verify_task(state, ports) {
      const was = recorded[at()]
      const skipped = {
        ...ports.settings,
        verify: { ...ports.settings.verify, mode: 'skip' as const },
      }
      const step = await nodes.verify_task(state, { ...ports, settings: skipped })
      if (was?.node !== 'verify_task') return step
      return { ...step, outcome: was.outcome as OutcomeOf<'verify_task'> }
    },
  }
}

const choices: Readonly<Record<string, AskedChoice>> = {
  approved: 'approve',
  write_anyway: 'approve',
  rejected: 'reject',
  skipped: 'skip',
  retry: 'retry',
  other_strategy: 'defer',
}

/** Repeats a person's recorded answer, derived from its outcome. */
function recordedPerson(recorded: readonly RecordedStep[], at: () => number): Ports['person'] {
  return {
    present: false,
    async ask() {
      const was = recorded[at()]
      const choice = was?.node === 'await_approval' ? choices[was.outcome] : undefined
      return choice === undefined ? null : answerNow(choice, 'the recording')
    },
  }
}
