import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closers, connect } from './start-model.ts'

export type RawReply = readonly [status: number, type: string, body: string]

/** The body of a request, as far as tests look at it. */
export interface RawRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly tools?: readonly unknown[]
}

/** An endpoint that answers these bytes in order, and the last of them for ever; or what a function makes of the request. */
export async function startRaw(
  ...replies: readonly (RawReply | ((request: RawRequest) => RawReply))[]
) {
  const requests: RawRequest[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = JSON.parse(Buffer.concat(pieces).toString()) as RawRequest
    const reply = replies[Math.min(requests.length, replies.length - 1)]
    requests.push(body)
    const [status, type, text] =
      typeof reply === 'function' ? reply(body) : (reply ?? [500, '', ''])
    response.writeHead(status, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  return { ...connect(`http://127.0.0.1:${port}/v1/`), requests }
}

/** A whole answer, as JSON. */
export const completion = (content: unknown, finish = 'stop', more: object = {}): string =>
  JSON.stringify({ choices: [{ message: { content, ...more }, finish_reason: finish }] })

/** A piece of an answer, as JSON. */
export const chunk = (content: unknown, finish: string | null = null, more: object = {}): string =>
  JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish, ...more }] })

/** A stream of these pieces; a line that is no JSON stands as it is. */
export const stream = (...lines: readonly string[]): RawReply => [
  200,
  'text/event-stream',
  lines.map((line) => (line.startsWith('{"choices"') ? `data: ${line}\n\n` : `${line}\n`)).join(''),
]

export const json = (status: number, body: unknown): RawReply => [
  status,
  'application/json',
  JSON.stringify(body),
]
