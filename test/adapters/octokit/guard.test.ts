import type { Octokit } from '@octokit/rest'
import nock from 'nock'
import { expect, it, test } from 'vitest'
import { askGraphql } from '../../../src/adapters/octokit/client/graphql.ts'
import { openClient } from '../../../src/adapters/octokit/client.ts'
import { createEffectLog } from '../../fakes/effect-log.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'
import { forbidNetwork } from '../../fakes/no-network.ts'

const api = 'https://api.github.test'
const target = { owner: 'o', repo: 'r' }
const issue = { ...target, issue_number: 1 }

forbidNetwork()

function open() {
  const log = createEffectLog()
  const repository = openClient({
    ...{ ...target, token: () => 'token', apiUrl: api, clock: createFakeClock(), pace: false },
    login: 'executor[bot]',
    effects: log,
  })
  return { repository, log }
}

type Write = (octokit: Octokit) => Promise<unknown>
const writes: readonly [string, string, Write][] = [
  ['a comment', 'POST', ({ issues }) => issues.createComment({ ...issue, body: 'x' })],
  ['a change', 'PATCH', ({ issues }) => issues.update({ ...issue, state: 'closed' })],
  ['a deletion', 'DELETE', ({ issues }) => issues.removeLabel({ ...issue, name: 'x' })],
  [
    'a merge',
    'PUT',
    ({ pulls }) => pulls.merge({ ...target, pull_number: 1, sha: 'a'.repeat(40) }),
  ],
  ['a mutation', 'POST', (octokit) => askGraphql(octokit, 'mutation { x { id } }', {})],
  [
    'a bare request',
    'POST',
    (octokit) => octokit.request('POST /repos/{owner}/{repo}/issues', { ...target, title: 'x' }),
  ],
]

test.for(writes)('%s is sent by nobody but an effect', async ([, method, write]) => {
  const { repository, log } = open()
  let sent = 0
  const answer = () => [200, { data: {}, at: ++sent }] as const
  nock(api).intercept(/./, method).reply(answer)
  // The type lets nobody write; this is for who gets round it.
  const octokit = repository.octokit as unknown as Octokit
  await expect(write(octokit)).rejects.toThrow(/is a write outside an effect\.$/)
  expect(sent).toBe(0)
  await repository.perform({
    ...{ kind: 'comment', key: '#1', detail: '', snapshot: 0, readDelays: [] },
    read: async () => 0,
    alreadyApplied: () => null,
    apply: async (client) => {
      await write(client)
      return true
    },
  })
  expect(sent).toBe(1)
  expect(log.lines).toEqual(['? comment #1', 'done comment #1'])
})

it('is not in the way of who reads, by GraphQL either', async () => {
  const { repository } = open()
  nock(api).get('/repos/o/r/issues/1').reply(200, { number: 1 })
  nock(api)
    .post('/graphql')
    .reply(200, { data: { viewer: { login: 'ada' } } })
  expect((await repository.octokit.issues.get(issue)).data.number).toBe(1)
  expect(await repository.ask('query { viewer { login } }', {})).toEqual({
    viewer: { login: 'ada' },
  })
})
