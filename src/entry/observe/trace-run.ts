import type { Telemetry, TelemetryFacts, TelemetrySpan } from '../../adapters/telemetry/signals.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Observer } from '../../graph/run-graph.ts'
import { version } from '../version.ts'
import { type ByLane, byLane } from './by-lane.ts'
import type { CallEnd, CallWatcher, RunWatcher, WatchedCall } from './watch-ports.ts'

const agent = 'roadmap-executor'

/** Open spans, the outermost first. */
interface Open {
  session: TelemetrySpan | null
  run: { readonly id: string; readonly span: TelemetrySpan } | null
  readonly lanes: ByLane<OpenLane>
}

interface OpenLane {
  task: { readonly key: string; readonly span: TelemetrySpan } | null
  step: { readonly span: TelemetrySpan; readonly seconds: number } | null
}

/**
 * Reports a session as spans (run, attempt at a task, step, call to the outside) and measurements. Names follow
 * OpenTelemetry's conventions for generative AI (1.41, in development) where those exist, else `executor.*`. Contains
 * no text from outside.
 */
export function traceRun(telemetry: Telemetry): RunWatcher & { close(): void } {
  const lanes = byLane((): OpenLane => ({ task: null, step: null }))
  const open: Open = { session: null, run: null, lanes }
  const begin = (name: string, parent: TelemetrySpan | null, facts: TelemetryFacts) =>
    telemetry.begin(name, { facts, parent, isClient: false })
  const session = () => {
    open.session ??= begin('session', null, { 'executor.version': version })
    return open.session
  }
  return {
    observer: traceSteps(open, telemetry, { begin, session }),
    watch: traceCalls(
      telemetry,
      () => lanes.own().step?.span ?? lanes.own().task?.span ?? open.run?.span ?? session(),
    ),
    close() {
      // Spans that are still open were interrupted.
      const cut = open.run === null ? null : 'interrupted'
      for (const lane of lanes.all()) {
        lane.step?.span.end(cut)
        lane.task?.span.end(cut)
        Object.assign(lane, { task: null, step: null })
      }
      open.run?.span.end(cut)
      open.session?.end(null)
      Object.assign(open, { session: null, run: null })
    },
  }
}

function traceSteps(
  open: Open,
  telemetry: Telemetry,
  spans: {
    begin(name: string, parent: TelemetrySpan, facts: TelemetryFacts): TelemetrySpan
    session(): TelemetrySpan
  },
): Observer {
  const { begin, session } = spans
  return {
    started(node, state) {
      if (open.run?.id !== state.run.id) {
        open.run?.span.end('interrupted')
        open.run = {
          id: state.run.id,
          span: begin(`invoke_agent ${agent}`, session(), runFacts(state)),
        }
      }
      const own = open.lanes.own()
      const { attempt } = state
      const key = attempt === null ? null : `${attempt.task.id} ${attempt.number}`
      if (own.task !== null && own.task.key !== key) endTask(own, null)
      if (attempt !== null && key !== null && own.task === null) {
        const facts = { ...taskFacts(state), 'executor.start.branch': attempt.start.branch }
        own.task = { key, span: begin('task', open.run.span, facts) }
      }
      const facts = { ...taskFacts(state), 'executor.step': node }
      const span = begin(`step ${node}`, own.task?.span ?? open.run.span, facts)
      own.step = { span, seconds: state.spent.seconds }
    },
    finished(node, outcome, state) {
      const facts = { 'executor.step': node, 'executor.outcome': outcome }
      const own = open.lanes.own()
      if (own.step !== null) {
        const seconds = state.spent.seconds - own.step.seconds
        telemetry.record('executor.step.duration', seconds, facts)
        own.step.span.set(facts)
        own.step.span.end(null)
        own.step = null
      }
      if (node === 'decide_next') endWithVerdict(own, telemetry, state)
      if (state.progress.next !== 'END' || open.run === null) return
      for (const lane of open.lanes.all()) endTask(lane, null)
      const { stopped } = state.progress
      open.run.span.set({ ...usageFacts(state), ...(stopped && { 'executor.stopped': stopped }) })
      open.run.span.end(stopped === 'unavailable' ? stopped : null)
      open.run = null
    },
  }
}

function endWithVerdict(
  open: OpenLane,
  telemetry: Telemetry,
  { tasks: { results } }: RunState,
): void {
  const [id = ''] = open.task?.key.split(' ') ?? []
  const result = results[id]
  if (result === undefined) return
  const { verdict, attempts, repairs } = result
  telemetry.record('executor.tasks', 1, { 'executor.verdict': verdict })
  endTask(open, {
    'executor.verdict': verdict,
    'executor.attempts': attempts,
    'executor.repairs': repairs,
    ...(result.pullRequest === null ? {} : { 'executor.pull_request': result.pullRequest.number }),
  })
}

function endTask(open: OpenLane, facts: TelemetryFacts | null): void {
  if (facts !== null) open.task?.span.set(facts)
  open.task?.span.end(null)
  open.task = null
}

const runFacts = ({
  run: { id: runId, dryRun },
  roadmap: { path: roadmap, base },
  progress: { next },
}: RunState): TelemetryFacts => ({
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.provider.name': 'openai',
  'gen_ai.agent.name': agent,
  'gen_ai.agent.version': version,
  'gen_ai.conversation.id': runId,
  'executor.run': runId,
  'executor.roadmap': roadmap,
  'executor.base.branch': base.branch,
  'executor.base.sha': base.sha,
  'executor.dry_run': dryRun,
  'executor.first_step': next,
})

const taskFacts = ({ run: { id: runId }, attempt }: RunState): TelemetryFacts => ({
  'executor.run': runId,
  ...(attempt && { 'executor.task': attempt.task.id, 'executor.attempt': attempt.number }),
})

const usageFacts = ({ spent: { usage } }: RunState): TelemetryFacts => ({
  'gen_ai.usage.input_tokens': usage.promptTokens,
  'gen_ai.usage.output_tokens': usage.completionTokens,
  'executor.requests': usage.requests,
  'executor.dollars': usage.dollars,
})

function traceCalls(telemetry: Telemetry, parent: () => TelemetrySpan): CallWatcher {
  return (call) => {
    const began = performance.now()
    const span = telemetry.begin(call.name, {
      facts: call.facts,
      parent: parent(),
      isClient: call.kind !== 'command' && call.kind !== 'person',
    })
    return {
      ended(end) {
        span.set(end.facts)
        span.end(end.error)
        measure(telemetry, call, end, (performance.now() - began) / 1000)
      },
    }
  }
}

function measure(
  { record }: Telemetry,
  { kind, name, facts }: WatchedCall,
  { facts: found, error }: CallEnd,
  seconds: number,
): void {
  const failed: TelemetryFacts = error === null ? {} : { 'error.type': error }
  const of = (...names: readonly string[]) =>
    Object.fromEntries(Object.entries(facts).filter(([fact]) => names.includes(fact)))
  if (kind === 'command') {
    const tool = of('gen_ai.operation.name', 'gen_ai.tool.name')
    record('gen_ai.execute_tool.duration', seconds, { ...tool, ...failed })
    return
  }
  if (kind !== 'model') {
    record('executor.call.duration', seconds, { 'executor.call': name, ...failed })
    return
  }
  const asked = of(
    ...['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'],
    ...['server.address', 'server.port'],
  )
  record('gen_ai.client.operation.duration', seconds, { ...asked, ...failed })
  for (const type of ['input', 'output'] as const) {
    const tokens = found[`gen_ai.usage.${type}_tokens`]
    if (typeof tokens !== 'number' || tokens === 0) continue
    record('gen_ai.client.token.usage', tokens, { ...asked, 'gen_ai.token.type': type })
  }
  const dollars = found['executor.dollars']
  if (typeof dollars === 'number') record('executor.cost', dollars, of('gen_ai.request.model'))
}
