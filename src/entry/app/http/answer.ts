import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'

export interface HttpAnswer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

export const json = (status: number, body: object): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: `${JSON.stringify(body)}\n`,
})

export const methodNotAllowed = json(405, { message: 'This path does not allow the method.' })

/** The path and query of a request, on a host that means nothing. */
export const requestTarget = ({ url = '' }: Pick<IncomingMessage, 'url'>): URL =>
  new URL(`http://localhost${url.startsWith('/') ? url : '/'}`)
