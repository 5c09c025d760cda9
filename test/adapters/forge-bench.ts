import { expect } from 'vitest'
import {
  type Bench,
  openBench,
  type Token,
  target,
} from '../../packages/github-simulator/test/github/bench.ts'
import {
  type GitHubOptions,
  type GitHubRepository,
  openClient,
} from '../../src/adapters/octokit/client.ts'
import { createOctokitForge } from '../../src/adapters/octokit-forge.ts'
import type { SteeringBench } from '../contracts/forge-steering.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'

interface Connection {
  readonly repository: GitHubRepository
  readonly clock: FakeClock
  readonly notes: readonly string[]
}

/** Our client of a test server, which is spared no pace. */
export function connect(
  { server }: Bench,
  token: Token | 'unknown' = 'actions-token',
  options: Pick<GitHubOptions, 'workflowPath' | 'timeoutSeconds' | 'texts'> = {},
): Connection {
  const clock = createFakeClock(new Date().toISOString())
  const notes: string[] = []
  const repository = openClient({
    ...target,
    token: () => token,
    apiUrl: server.apiUrl,
    clock,
    random: { fraction: () => 0, hex: (length) => '0'.repeat(length) },
    pace: false,
    log: (line) => notes.push(line),
    ...options,
  })
  return { repository, clock, notes }
}

/** What was asked of the server by its API. */
export const apiRequests = ({ server }: Bench) =>
  server.requests.filter(({ kind }) => kind === 'rest')

const isWrite = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method !== 'GET' && !path.endsWith('/graphql')

/** How many of our requests, in the REST API, made or changed something. */
export const writesIn = (bench: Bench): number => apiRequests(bench).filter(isWrite).length

export const stateOf = ({ server }: Bench) => server.state('ada', 'engine')

/** Fails where a request, or an answer, was not as GitHub describes it. */
export async function dispose(bench: Bench): Promise<void> {
  expect(bench.server.contractViolations).toEqual([])
  await bench[Symbol.asyncDispose]()
}

/** A forge on a server of our own, for the contract. */
export async function openForgeBench(): Promise<SteeringBench> {
  const bench = await openBench()
  const somebody = bench.octokit('owner-token')
  const issueOf = (number: number) => ({ ...target, issue_number: number })
  return {
    forge: createOctokitForge(connect(bench).repository),
    us: 'github-actions[bot]',
    async branch(name) {
      if (`refs/heads/${name}` in (await stateOf(bench)).refs) return
      await bench.push(name, { [name.replaceAll('/', '-')]: name })
    },
    async close(number) {
      await somebody.issues.update({ ...issueOf(number), state: 'closed' })
    },
    async merge(number) {
      await somebody.pulls.merge({ ...target, pull_number: number })
    },
    async openAsSomebody({ head, base, title }) {
      return (await somebody.pulls.create({ ...target, head, base, title })).data.number
    },
    async commentAsSomebody(number, body) {
      await somebody.issues.createComment({ ...issueOf(number), body })
    },
    async comments(number) {
      const { comments } = await stateOf(bench)
      return comments
        .filter(({ pull }) => pull === number)
        .map(({ author, body }) => ({ author, body }))
    },
    writes: () => writesIn(bench),
    push: (branch) => bench.push(branch, { [`more-${branch.length}`]: 'more\n' }, branch),
    async setChecks(sha, checks) {
      const state = ({ green: 'success', pending: 'pending', red: 'failure' } as const)[checks]
      await somebody.repos.createCommitStatus({ ...target, sha, state, context: 'ci' })
    },
    pushLines: (branch, path, lines) =>
      bench.push(branch, { [path]: Array.from({ length: lines }, (_, at) => `${at}\n`).join('') }),
    async openIssueAsSomebody({ title, body, labels }) {
      const issue = { ...target, title, body, labels: [...labels] }
      return (await somebody.issues.create(issue)).data.number
    },
    async labelAsSomebody(number, label) {
      await somebody.issues.addLabels({ ...issueOf(number), labels: [label] })
    },
    async look(number) {
      const { data } = await somebody.issues.get(issueOf(number))
      const labels = data.labels.map((one) => (typeof one === 'string' ? one : (one.name ?? '')))
      const state = data.state === 'open' ? 'open' : 'closed'
      return { state, title: data.title, body: data.body ?? '', labels }
    },
    async reviewComments(number) {
      const { reviewComments } = await stateOf(bench)
      return reviewComments
        .filter(({ pull }) => pull === number)
        .map(({ author, path, line, body }) => ({ author, path, line, body }))
    },
    [Symbol.asyncDispose]: () => dispose(bench),
  }
}
