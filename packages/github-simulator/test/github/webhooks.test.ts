import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { WebhookEvent } from '../../github/records.ts'
import { deliver, sign } from '../../github/webhooks.ts'
import { type Bench, openBench, target } from './bench.ts'

const pull = { ...target, pull_number: 1, issue_number: 1 }

/** Does, as `grace` and as a workflow, what our readers react to. */
async function makeHistory(bench: Bench): Promise<void> {
  const { pulls, issues } = bench.octokit('writer-token')
  await bench.push('agent/T-1', { 'notes.md': 'one\n' })
  await bench
    .octokit('actions-token')
    .pulls.create({ ...target, head: 'agent/T-1', base: 'main', title: 'One' })
  await issues.addLabels({ ...pull, labels: ['executor:task'] })
  const sha = await bench.push('agent/T-1', { 'notes.md': 'two\n' }, 'agent/T-1')
  const { data: comment } = await issues.createComment({ ...pull, body: '/status' })
  await issues.updateComment({ ...target, comment_id: comment.id, body: '/approve' })
  await pulls.createReviewComment({
    ...pull,
    ...{ path: 'notes.md', line: 1, commit_id: sha, body: '/decompose' },
  })
  await bench.octokit('owner-token').pulls.createReview({ ...pull, event: 'APPROVE' })
  await issues.create({ ...target, title: 'A wish', labels: ['executor'] })
  await issues.removeLabel({ ...target, issue_number: 2, name: 'executor' })
  await pulls.merge(pull)
}

const nameOf = ({ name, payload }: WebhookEvent): string =>
  payload.action === undefined ? name : `${name}.${payload.action}`

it('tells in webhooks what happened, and which of it starts workflows', async () => {
  await using bench = await openBench({ installationId: 5 })
  const heard: string[] = []
  const stop = bench.server.onEvent((event) => heard.push(nameOf(event)))
  await makeHistory(bench)
  stop()
  await bench.octokit('actions-token').issues.createComment({ ...pull, body: 'late' })
  const { events } = bench.server
  expect(events.map(nameOf)).toEqual([
    'push',
    'pull_request.opened',
    'pull_request.labeled',
    'push',
    'pull_request.synchronize',
    'issue_comment.created',
    'issue_comment.edited',
    'pull_request_review.submitted',
    'pull_request_review_comment.created',
    'pull_request_review.submitted',
    'issues.opened',
    'issues.labeled',
    'issues.unlabeled',
    'push',
    'pull_request.closed',
    'issue_comment.created',
  ])
  expect(heard).toEqual(events.slice(0, -1).map(nameOf))
  const silent = events.filter(({ startsWorkflows }) => !startsWorkflows).map(nameOf)
  expect(silent).toEqual(['pull_request.opened', 'issue_comment.created'])
  expect(events[6]?.payload).toMatchObject({
    changes: { body: { from: '/status' } },
    comment: { body: '/approve', user: { id: 2 } },
    issue: { number: 1, pull_request: {} },
    repository: { full_name: 'ada/engine', default_branch: 'main', owner: { login: 'ada' } },
    sender: { login: 'grace' },
    installation: { id: 5 },
  })
  expect(events[9]?.payload).toMatchObject({ review: { state: 'approved', body: null } })
  expect(events[14]?.payload).toMatchObject({ pull_request: { merged: true } })
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(bench.server.contractViolations).toEqual([])
})

type Json = Readonly<Record<string, unknown>>

interface Examples {
  readonly name: string
  readonly examples: readonly Json[]
}

const file = createRequire(import.meta.url).resolve('@octokit/webhooks-examples')
const examples: readonly Examples[] = JSON.parse(readFileSync(file, 'utf8'))

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What every example has, by path, down to two levels; the rest is of some only. */
function keysOfAll(all: readonly Json[], depth: number): readonly string[] {
  const [first, ...more] = all
  if (first === undefined) return []
  const common = Object.keys(first).filter((key) => more.every((one) => key in one))
  return common.flatMap((key) => {
    const inside = all.map((one) => one[key])
    if (depth === 0 || !inside.every(isObject)) return [key]
    return [key, ...keysOfAll(inside, depth - 1).map((rest) => `${key}.${rest}`)]
  })
}

const has = (payload: unknown, path: string): boolean => {
  let node: unknown = payload
  for (const key of path.split('.')) {
    if (!isObject(node) || !(key in node)) return false
    node = node[key]
  }
  return true
}

it("has in its payloads what all of GitHub's examples have", async () => {
  await using bench = await openBench()
  await makeHistory(bench)
  const missing: Record<string, readonly string[]> = {}
  let compared = 0
  for (const event of bench.server.events) {
    const known = examples
      .filter(({ name }) => name === event.name)
      .flatMap((one) => one.examples)
      .filter(({ action }) => action === event.payload.action)
    const wanted = keysOfAll(known, 1).filter(
      (path) => !/^(?:organization|installation)/.test(path),
    )
    compared += wanted.length
    const absent = wanted.filter((path) => !has(event.payload, path))
    if (absent.length > 0) missing[nameOf(event)] = absent
  }
  expect(missing).toEqual({})
  expect(compared).toBeGreaterThan(500)
})

it('signs and sends webhooks as GitHub does', async () => {
  expect(sign('It is a secret', '{"a":1}')).toMatch(/^sha256=[0-9a-f]{64}$/)
  await using bench = await openBench()
  await bench.octokit('owner-token').issues.create({ ...target, title: 'One' })
  const [event] = bench.server.events
  if (event === undefined) throw new Error('Nothing was told.')
  const received = Promise.withResolvers<unknown>()
  const receiver = createServer(async (request, response) => {
    const body = await json(request)
    received.resolve([request.headers, body])
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  const port = typeof address === 'object' ? address?.port : 0
  expect((await deliver(event, `http://127.0.0.1:${port}/`, 'key')).status).toBe(200)
  expect(await received.promise).toMatchObject([
    {
      'x-github-event': 'issues',
      'x-github-delivery': event.id,
      'x-hub-signature-256': sign('key', JSON.stringify(event.payload)),
    },
    { action: 'opened', issue: { title: 'One' } },
  ])
  receiver.close()
})
