import { createHmac, randomUUID } from 'node:crypto'
import type { Scene } from './exchange.ts'
import { presentRepository } from './present/repository.ts'
import { presentUser } from './present/user.ts'
import type { WebhookEvent } from './records.ts'

/** The events that an app receives. */
export const botEvents = [
  'issue_comment',
  'issues',
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'push',
  'repository_dispatch',
]

const alwaysStarts: ReadonlySet<string> = new Set(['workflow_dispatch', 'repository_dispatch'])

interface TellOptions {
  /** What this one says more of the repository. */
  readonly ofRepository?: object
  readonly startsWorkflows?: boolean
}

/** Notes a webhook about what `viewer` just did; the payload lacks only what every one has. */
export function tell(
  { store, repository, viewer }: Scene,
  name: string,
  payload: Readonly<Record<string, unknown>>,
  { ofRepository = {}, startsWorkflows = true }: TellOptions = {},
): void {
  const { installationId } = repository.options
  const event: WebhookEvent = {
    id: randomUUID(),
    name,
    payload: {
      ...payload,
      repository: { ...presentRepository(store, repository), ...ofRepository },
      sender: presentUser(store, viewer),
      ...(installationId === undefined
        ? {}
        : { installation: { id: installationId, node_id: `installation-${installationId}` } }),
    },
    startsWorkflows:
      startsWorkflows && (viewer.login !== 'github-actions[bot]' || alwaysStarts.has(name)),
  }
  store.webhooks.push(event)
  for (const listener of store.listeners) listener(event)
}

/** Computes `X-Hub-Signature-256` of a body. */
export const sign = (secret: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Sends a webhook as GitHub does. */
export function deliver(event: WebhookEvent, url: string, secret: string): Promise<Response> {
  const body = JSON.stringify(event.payload)
  return fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/0000000',
      'x-github-event': event.name,
      'x-github-delivery': event.id,
      'x-hub-signature-256': sign(secret, body),
    },
  })
}
