import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GitHubApp } from '../../adapters/probot-app.ts'
import type { Job, JobQueue } from '../../core/ports/job-queue.ts'
import { partOf, payloadText } from '../../runs/triggers/payload.ts'
import type { Trigger } from '../../runs/triggers/trigger.ts'

/** The trigger that was read from an event on arrival, or a look at a workspace, which may start tasks there. */
export type AppWork = Trigger | { readonly kind: 'workspace'; readonly starts: boolean }

export type AppJob = Job<AppWork>

export interface Reception {
  /** Receives a body part by part, and verifies its signature with the App's secret. */
  readonly openSignature: GitHubApp['openSignature']
  readonly readBody: (request: IncomingMessage, heard: (part: Buffer) => void) => Promise<Body>
  readonly readEvent: (event: string, payload: unknown) => Trigger
  readonly queue: Pick<JobQueue<AppWork>, 'enqueue'>
  readonly now: () => string
}

export type WebhookResult = 'queued' | 'known' | 'ignored' | 'refused' | 'failed'

export interface WebhookAnswer {
  readonly status: number
  readonly result: WebhookResult
  /** For GitHub's list of deliveries. */
  readonly message: string
  /** GitHub's name of the event; empty without a valid signature. */
  readonly event: string
}

/** Seconds for an answer; GitHub gives up after ten. */
const longestSeconds = 9

/** Uses nothing before the signature is verified, and accepts only a job that is safely queued. */
export async function receiveWebhook(
  request: IncomingMessage,
  reception: Reception,
): Promise<WebhookAnswer> {
  const signature = header(request, 'x-hub-signature-256')
  if (!/^sha256=[0-9a-f]{64}$/.test(signature)) {
    return refuse(401, 'The header X-Hub-Signature-256 is missing: set the webhook secret.')
  }
  if (!/^application\/json\b/i.test(header(request, 'content-type'))) {
    return refuse(415, 'Set the content type of the webhook to application/json.')
  }
  const signed = reception.openSignature()
  const body = await reception.readBody(request, signed.update)
  if (body.status !== 'read') {
    return body.status === 'too_large'
      ? refuse(413, 'The body is larger than any that GitHub sends.')
      : refuse(503, 'Too many large bodies at once: deliver it again.')
  }
  if (!signed.isOf(signature)) {
    return refuse(401, 'The signature is wrong: the secrets here and at GitHub differ.')
  }
  const event = header(request, 'x-github-event')
  const delivery = header(request, 'x-github-delivery')
  const payload = parse(Buffer.concat(body.parts))
  if (event === '' || delivery === '' || delivery.length > 200 || payload === undefined) {
    return refuse(400, 'X-GitHub-Event, X-GitHub-Delivery or the JSON of the body is missing.')
  }
  const id = idOf({ event, delivery, signature })
  return keep({ event, id, payload }, reception)
}

/**
 * Only the body is signed, not the delivery's id, so a replayed body under a new id is the same job. Two intentional
 * `repository_dispatch` events may have equal bodies; those of other events contain what happened and when.
 */
function idOf(webhook: Readonly<Record<'event' | 'delivery' | 'signature', string>>): string {
  const { event, delivery, signature } = webhook
  const content = event === 'repository_dispatch' ? `${signature} ${delivery}` : signature
  return createHash('sha256').update(content).digest('hex')
}

async function keep(
  webhook: { readonly event: string; readonly id: string; readonly payload: unknown },
  { readEvent, queue, now }: Reception,
): Promise<WebhookAnswer> {
  const { event, id, payload } = webhook
  const ignored = (message: string) => ({ status: 202, result: 'ignored', message, event }) as const
  if (event === 'ping') return { ...ignored('The App is running.'), status: 200 }
  if (!isAppEvent(event)) return ignored('The App does not serve this event.')
  const trigger = readEvent(event, payload)
  if (trigger.kind === 'ignored') return ignored(`Nothing to do: ${trigger.reason}.`)
  const repository = payloadText(payload, 'repository', 'full_name') ?? ''
  if (!/^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(repository)) {
    return ignored('It names no repository.')
  }
  const installation = partOf(payload, 'installation', 'id')
  const job: AppJob = {
    id,
    repository,
    installation: typeof installation === 'number' ? installation : null,
    event,
    payload: trigger,
    receivedAt: now(),
  }
  const result = await inTime(queue.enqueue(job))
  if (result === null) {
    return { status: 503, result: 'failed', message: 'The queue did not answer in time.', event }
  }
  const message = result === 'queued' ? 'It is queued.' : 'It was received before.'
  return { status: 202, result, message, event }
}

const refuse = (status: number, message: string): WebhookAnswer => ({
  status,
  result: 'refused',
  message,
  event: '',
})

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

function parse(body: Buffer): unknown {
  try {
    const parsed: unknown = JSON.parse(body.toString())
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}

/** `null` after a timeout; the job may still be queued then, and a repeated delivery finds it. */
function inTime<T>(work: Promise<T>): Promise<T | null> {
  const over = new AbortController()
  const late = sleep(longestSeconds * 1000, null, over).catch(() => null)
  // Ignore a failure after the answer.
  work.catch(() => {})
  return Promise.race([work, late]).finally(() => over.abort())
}

/**
 * The webhooks that the App serves, and that `app.yml` subscribes to. `workflow_dispatch` is not among them: the
 * workflows that the App starts would trigger it in an endless loop.
 */
export const appEvents = [
  'check_suite',
  'issue_comment',
  'issues',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'repository_dispatch',
  'status',
] as const

const isAppEvent = (name: string): boolean => appEvents.some((event) => event === name)

/** GitHub's limit. */
const mostBytes = 25_000_000

/** Most webhooks are smaller. Every connection may keep this much in memory. */
const smallBytes = 128_000

/** The most larger bodies in memory at once; others wait in their sockets. */
const mostLarge = 2

/** The longest wait of a large body. GitHub gives up after ten seconds. */
const longestMilliseconds = 5_000

type Body =
  | { readonly status: 'read'; readonly parts: readonly Buffer[] }
  | { readonly status: 'too_large' | 'busy' }

/** Reads bodies in bounded memory. `heard` receives each part as it arrives. */
export function createBodyReader() {
  const gate = createGate(mostLarge)
  return async (request: IncomingMessage, heard: (part: Buffer) => void): Promise<Body> => {
    const parts: Buffer[] = []
    let size = 0
    let leave: (() => void) | null = null
    try {
      for await (const part of request as AsyncIterable<Buffer>) {
        size += part.length
        if (size > mostBytes) return { status: 'too_large' }
        if (size > smallBytes && leave === null) {
          leave = await gate(longestMilliseconds)
          if (leave === null) return { status: 'busy' }
        }
        heard(part)
        parts.push(part)
      }
      return { status: 'read', parts }
    } finally {
      leave?.()
    }
  }
}

/** A semaphore in order of arrival. Resolves to a function that releases the place, or to `null` after a timeout. */
function createGate(most: number): (milliseconds: number) => Promise<(() => void) | null> {
  let inside = 0
  const waiting = new Set<() => void>()
  const leave = () => {
    inside -= 1
    const [next] = waiting
    next?.()
  }
  return (milliseconds) =>
    new Promise((resolve) => {
      const enter = () => {
        clearTimeout(timer)
        waiting.delete(enter)
        inside += 1
        resolve(leave)
      }
      const timer = setTimeout(() => {
        waiting.delete(enter)
        resolve(null)
      }, milliseconds)
      if (inside < most) enter()
      else waiting.add(enter)
    })
}
