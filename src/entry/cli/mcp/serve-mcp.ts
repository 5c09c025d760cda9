import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import { createDataMask, type Stored } from '../../../../packages/text/text.ts'
import { version } from '../../version.ts'
import type { Terminal } from '../terminal.ts'
import { describeFailure, type McpAnswer, type McpCall } from './answers.ts'
import { answerCheck, answerContext, answerPlan, answerStatus } from './read-tools.ts'
import { answerRunTask } from './run-task.ts'
import { type Tool, tools } from './tools.ts'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** In bytes of one message: the largest patch, escaped. */
const largestMessage = 40e6

const instructions = `roadmap-executor works through this repository's ROADMAP.md. Ask plan for the open tasks, then run_task for one of them: its branch agent/<id> then holds a tested change. check judges a change that you made. When run_task needs approval, tell your user what it asks and how to answer; you cannot answer in their place.`

/** Serves the tools on standard input and output until the client leaves or `stop` is aborted. */
export async function serveMcp(terminal: Terminal, stop: AbortSignal): Promise<void> {
  const server = new McpServer(
    { name: 'roadmap-executor', title: 'roadmap-executor', version },
    { instructions },
  )
  const left = new AbortController()
  const end = AbortSignal.any([stop, left.signal])
  const leave = () => left.abort(new Error('The client has left.'))
  const settled = addTools(server, terminal, end)
  server.server.onerror = ({ message }) => terminal.say(`note: ${message}`)
  server.server.onclose = leave
  // A client may read no log; Node would end the process.
  process.stderr.on('error', () => {})
  // The SDK does not notice that a client leaves.
  process.stdin.once('end', leave).once('close', leave)
  const ended = new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }))
  const options = { maxBufferSize: largestMessage }
  await server.connect(new StdioServerTransport(process.stdin, process.stdout, options))
  if (!end.aborted) await ended
  await settled()
  await server.close()
}

/** Returns a function that waits for the calls under way. */
function addTools(server: McpServer, terminal: Terminal, end: AbortSignal): () => Promise<unknown> {
  const work = new Set<Promise<unknown>>()
  /** Calls that the client has cancelled. */
  const stopping = new Set<Promise<unknown>>()
  const add = <Input extends z.ZodObject, Output extends z.ZodObject>(
    name: string,
    { input, output, ...rest }: Tool<Input, Output>,
    answer: (given: z.output<Input>, call: McpCall) => Promise<McpAnswer<Stored<Output>>>,
  ) => {
    const schemas = { inputSchema: input as z.ZodObject, outputSchema: output as z.ZodObject }
    server.registerTool(name, { ...rest, ...schemas }, (given: unknown, extra: Extra) => {
      const answered = serve((call) => answer(input.parse(given), call), terminal, extra, end)
      work.add(answered)
      extra.signal.addEventListener('abort', () => stopping.add(answered))
      return answered.finally(() => {
        work.delete(answered)
        stopping.delete(answered)
      })
    })
  }
  add('plan', tools.plan, answerPlan)
  add('status', tools.status, answerStatus)
  add('context', tools.context, answerContext)
  add('check', tools.check, answerCheck)
  add('run_task', tools.run_task, async (given, call) => {
    // A run that was cancelled still holds the lock while it stops.
    await Promise.all(stopping)
    return answerRunTask(given, call)
  })
  return () => Promise.all(work)
}

/** Answers one call; an error is an answer, too, with every line before it. */
async function serve(
  answer: (call: McpCall) => Promise<McpAnswer<Readonly<Record<string, unknown>>>>,
  terminal: Terminal,
  extra: Extra,
  end: AbortSignal,
) {
  const said: string[] = []
  const say = (text: string) => {
    said.push(text)
    terminal.say(text)
  }
  const quiet: Terminal = { ...terminal, isTTY: false, live: null, say, print: terminal.say }
  const signal = AbortSignal.any([extra.signal, end])
  const mask = createDataMask(terminal.redact)
  try {
    const call = { terminal: quiet, signal, heard: tellProgress(terminal, extra) }
    const { text, value } = await answer(call)
    const content = [{ type: 'text' as const, text: mask([...said, text].join('\n')) }]
    return { content, structuredContent: mask(value) }
  } catch (error) {
    const text = [...said, describeFailure(error, terminal)].join('\n')
    return { content: [{ type: 'text' as const, text: mask(text) }], isError: true }
  }
}

/** Lines go to the log, and to the client where it asked for progress. */
function tellProgress(terminal: Terminal, { _meta, sendNotification }: Extra) {
  const progressToken = _meta?.progressToken
  let progress = 0
  return (line: string): void => {
    terminal.say(line)
    if (progressToken === undefined) return
    progress += 1
    const params = { progressToken, progress, message: terminal.redact(line).trim() }
    // A client that has left hears nothing.
    sendNotification({ method: 'notifications/progress', params }).catch(() => {})
  }
}
