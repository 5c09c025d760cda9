import { ExecutorError } from '../../core/domain/errors.ts'
import type { Discussion } from '../../core/ports/discussion.ts'
import type { Forge } from '../../core/ports/forge.ts'
import type { Model } from '../../core/ports/model.ts'
import type { Sandbox, SandboxRequest } from '../../core/ports/sandbox.ts'
import { workspaceReads } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import type { Observer } from '../../graph/run-graph.ts'

/** Names and figures, by the names that OpenTelemetry has for them, where it has one; never a text of others. */
type Facts = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** A call through a port to something outside: the model, a command, GitHub, git. */
export interface WatchedCall {
  readonly kind: 'model' | 'command' | 'forge' | 'git'
  /** `chat gpt-5`, `execute_tool run_command`, `forge upsert_comment`. */
  readonly name: string
  readonly facts: Facts
}

export interface CallEnd {
  readonly facts: Facts
  /** A word for what went wrong, `forge_denied`; `null` when nothing did. */
  readonly error: string | null
}

/** Told of a call when it begins; what it answers is told of its end. */
export type CallWatcher = (call: WatchedCall) => (end: CallEnd) => void

/** Told of a run: of its steps, and of its calls to the outside. */
export interface RunWatcher {
  readonly observer: Observer
  readonly watch: CallWatcher
}

/** The ports, with somebody told of each call that leaves the process. No text of a call is told. */
export function watchPorts(ports: Ports, watch: CallWatcher): Ports {
  const { model, forge, workspace, sandbox, settings } = ports
  return {
    ...ports,
    model: watchModel(model, new URL(settings.model.baseUrl), watch),
    forge: forge.kind === 'local' ? forge : watchMethods(forge, 'forge', forgeReads, watch),
    workspace: watchMethods(workspace, 'git', [...workspaceReads, 'write'], watch),
    sandbox: watchSandbox(sandbox, watch),
  }
}

export const watchDiscussion = (discussion: Discussion, watch: CallWatcher): Discussion =>
  watchMethods(discussion, 'forge', discussionReads, watch)

/** What only asks: one look at GitHub is many of them. */
const forgeReads = ['pullRequests', 'pullRequest', 'checks'] as const satisfies (keyof Forge)[]

const discussionReads = [
  ...(['self', 'permissionOf', 'overview', 'remarksSince', 'remark', 'threads'] as const),
  ...(['labelling', 'variable', 'scheduledRuns'] as const),
] as const satisfies (keyof Discussion)[]

function watchModel(model: Model, { hostname, port, protocol }: URL, watch: CallWatcher): Model {
  return {
    ...model,
    complete: (request) => {
      const call: WatchedCall = {
        kind: 'model',
        name: `chat ${request.model}`,
        facts: {
          'gen_ai.operation.name': 'chat',
          // The protocol it speaks; whose server it is, its address tells.
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': request.model,
          'gen_ai.request.max_tokens': request.maxOutputTokens,
          'gen_ai.output.type': request.json ? 'json' : 'text',
          'server.address': hostname,
          'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
          'executor.purpose': request.purpose,
        },
      }
      return watched(
        call,
        watch,
        () => model.complete(request),
        (reply) => {
          const { requests, promptTokens, completionTokens, dollars } = reply.usage
          const facts: Facts = {
            'gen_ai.usage.input_tokens': promptTokens,
            'gen_ai.usage.output_tokens': completionTokens,
            ...(reply.status === 'answered'
              ? { 'gen_ai.response.finish_reasons': [reply.finish] }
              : {}),
            'executor.requests': requests,
            'executor.dollars': dollars,
          }
          return { facts, error: reply.status === 'answered' ? null : reply.status }
        },
      )
    },
  }
}

function watchSandbox(sandbox: Sandbox, watch: CallWatcher): Sandbox {
  const execute = (tool: string, run: Sandbox['run']) => (request: SandboxRequest) => {
    const call: WatchedCall = {
      kind: 'command',
      name: `execute_tool ${tool}`,
      facts: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.type': 'function',
      },
    }
    return watched(
      call,
      watch,
      () => run(request),
      ({ exitCode, timedOut, sandbox: kind, ended }) => {
        const cut = timedOut ? 'timeout' : ended === undefined ? null : 'limit'
        const code = exitCode === null ? {} : { 'process.exit.code': exitCode }
        return { facts: { 'executor.sandbox': kind, ...code }, error: cut }
      },
    )
  }
  return {
    ...sandbox,
    run: execute('run_command', (request) => sandbox.run(request)),
    prepare: execute('prepare_dependencies', (request) => sandbox.prepare(request)),
  }
}

/** All methods but these, which only look. */
function watchMethods<Port extends object>(
  port: Port,
  kind: 'forge' | 'git',
  reads: readonly string[],
  watch: CallWatcher,
): Port {
  const members = Object.entries(port).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function' || reads.includes(name)) return [name, member]
    const words = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const call: WatchedCall = { kind, name: `${kind} ${words}`, facts: {} }
    return [
      name,
      (...given: readonly unknown[]) =>
        watched(call, watch, () => Reflect.apply(member, port, given), endOf),
    ]
  })
  return Object.fromEntries(members) as Port
}

/** What ports answer says how it went in `status`, and a refusal in `code`. */
function endOf(result: unknown): CallEnd {
  const status: unknown = Reflect.get(Object(result), 'status')
  if (typeof status !== 'string') return { facts: {}, error: null }
  const code: unknown = Reflect.get(Object(result), 'code')
  const error = status === 'refused' ? (typeof code === 'string' ? code : 'refused') : null
  return { facts: { 'executor.status': status }, error }
}

async function watched<Result>(
  call: WatchedCall,
  watch: CallWatcher,
  work: () => Promise<Result>,
  describe: (result: Result) => CallEnd,
): Promise<Result> {
  const end = watch(call)
  try {
    const result = await work()
    end(describe(result))
    return result
  } catch (error) {
    end({ facts: {}, error: wordFor(error) })
    throw error
  }
}

function wordFor(error: unknown): string {
  if (error instanceof ExecutorError) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
