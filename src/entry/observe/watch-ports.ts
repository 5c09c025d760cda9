import type { Sandbox, SandboxRequest, SandboxRun } from '../../../packages/sandbox/sandbox.ts'
import { countOf, estimatePromptTokens } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Discussion } from '../../core/ports/discussion.ts'
import type { Forge } from '../../core/ports/forge.ts'
import type { AnswerProgress, Model, ModelRequest } from '../../core/ports/model.ts'
import { workspaceReads } from '../../core/ports/workspace.ts'
import type { Person, Ports } from '../../core/ports.ts'
import type { Observer } from '../../graph/run-graph.ts'

/** Names and figures, named as in OpenTelemetry where possible; never text from outside. */
type Facts = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** A call through a port to something outside: the model, a command, GitHub, git, the person at the terminal. */
export interface WatchedCall {
  readonly kind: 'model' | 'command' | 'forge' | 'git' | 'person'
  /** `chat gpt-5`, `execute_tool run_command`, `forge upsert_comment`. */
  readonly name: string
  readonly facts: Facts
  /** For people who watch a run, never for a log: untrusted text, not redacted. */
  readonly shown: {
    /** The command line, or the size of the prompt. */
    readonly line: string
    /** The name of the command for people, `npm ci`. */
    readonly title?: string | undefined
  }
}

export interface CallEnd {
  readonly facts: Facts
  /** A word for the error, such as `forge_denied`; `null` without one. */
  readonly error: string | null
}

/** Progress of a running call: untrusted text, not redacted. */
export type CallPiece =
  | AnswerProgress
  | { readonly kind: 'output'; readonly piece: Uint8Array; readonly from: 'stdout' | 'stderr' }

export interface CallListener {
  heard?(piece: CallPiece): void
  ended(end: CallEnd): void
}

/** Receives each call when it begins, and returns a listener for its progress and its end. */
export type CallWatcher = (call: WatchedCall) => CallListener

/** Receives the steps of a run and its calls to the outside. */
export interface RunWatcher {
  readonly observer: Observer
  readonly watch: CallWatcher
}

/** Wraps the ports so that a watcher receives each call that leaves the process. */
export function watchPorts(ports: Ports, watch: CallWatcher): Ports {
  const { model, forge, workspace, sandbox, person, settings } = ports
  return {
    ...ports,
    person: watchPerson(person, watch),
    model: watchModel(model, new URL(settings.model.baseUrl), watch),
    forge: forge.kind === 'local' ? forge : watchMethods(forge, 'forge', forgeReads, watch),
    workspace: watchMethods(workspace, 'git', [...workspaceReads, 'write'], watch),
    sandbox: watchSandbox(sandbox, watch),
  }
}

export const watchDiscussion = (discussion: Discussion, watch: CallWatcher): Discussion =>
  watchMethods(discussion, 'forge', discussionReads, watch)

/** Reads: reading GitHub once takes many of them. */
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
          // The protocol; the address tells whose server it is.
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': request.model,
          'gen_ai.request.max_tokens': request.maxOutputTokens,
          'gen_ai.output.type': request.json ? 'json' : 'text',
          'server.address': hostname,
          'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
          'executor.purpose': request.purpose,
          ...(request.sample && { 'executor.sample': request.sample }),
        },
        shown: { line: sizeOf(request) },
      }
      return watched(
        call,
        watch,
        (heard) => model.complete(heard === undefined ? request : { ...request, heard }),
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

const sizeOf = ({ messages, tools, maxOutputTokens }: ModelRequest): string => {
  const tokens = estimatePromptTokens(messages, tools).toLocaleString('en')
  const most = maxOutputTokens.toLocaleString('en')
  return `${countOf(messages.length, 'message')}, about ${tokens} tokens; the answer may have ${most}`
}

const watchPerson = (person: Person, watch: CallWatcher): Person => ({
  ...person,
  ask: (question) => {
    const call: WatchedCall = { kind: 'person', name: 'ask', facts: {}, shown: { line: '' } }
    return watched(call, watch, () => person.ask(question), endOf)
  },
})

export function watchSandbox(sandbox: Sandbox, watch: CallWatcher): Sandbox {
  const execute = <Run extends SandboxRun>(
    tool: string,
    request: SandboxRequest,
    run: (request: SandboxRequest) => Promise<Run>,
  ) => {
    const call: WatchedCall = {
      kind: 'command',
      name: `execute_tool ${tool}`,
      facts: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.type': 'function',
      },
      shown: { line: lineOf(request), title: request.name },
    }
    return watched(
      call,
      watch,
      (heard) =>
        run(
          heard === undefined
            ? request
            : {
                ...request,
                heard: (piece, from) => heard({ kind: 'output', piece, from }),
              },
        ),
      ({ exitCode, timedOut, sandbox: kind, ended }) => {
        const cut = timedOut ? 'timeout' : ended === undefined ? null : 'limit'
        const code = exitCode === null ? {} : { 'process.exit.code': exitCode }
        return { facts: { 'executor.sandbox': kind, ...code }, error: cut }
      },
    )
  }
  return {
    ...sandbox,
    run: (request) => execute('run_command', request, (heard) => sandbox.run(heard)),
    runReaching: (request, reach) =>
      execute('run_agent', request, (heard) => sandbox.runReaching(heard, reach)),
    prepare: (request) =>
      execute('prepare_dependencies', request, (heard) => sandbox.prepare(heard)),
  }
}

const lineOf = ({ command }: SandboxRequest): string =>
  'shell' in command ? command.shell : command.argv.join(' ')

/** Watches all methods except these, which only read. */
function watchMethods<Port extends object>(
  port: Port,
  kind: 'forge' | 'git',
  reads: readonly string[],
  watch: CallWatcher,
): Port {
  const members = Object.entries(port).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function' || reads.includes(name)) return [name, member]
    const words = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const call: WatchedCall = { kind, name: `${kind} ${words}`, facts: {}, shown: { line: '' } }
    return [
      name,
      (...given: readonly unknown[]) =>
        watched(call, watch, () => Reflect.apply(member, port, given), endOf),
    ]
  })
  return Object.fromEntries(members) as Port
}

/** Ports return their result in `status`, and the reason of a refusal in `code`. */
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
  work: (heard: CallListener['heard']) => Promise<Result>,
  describe: (result: Result) => CallEnd,
): Promise<Result> {
  const listener = watch(call)
  try {
    const result = await work(listener.heard)
    listener.ended(describe(result))
    return result
  } catch (error) {
    listener.ended({ facts: {}, error: wordFor(error) })
    throw error
  }
}

function wordFor(error: unknown): string {
  if (error instanceof ExecutorError) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
