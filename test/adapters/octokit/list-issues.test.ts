import nock from 'nock'
import { expect, it } from 'vitest'
import { openClient } from '../../../src/adapters/octokit/client.ts'
import { listIssues } from '../../../src/adapters/octokit/list-issues.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'
import { forbidNetwork } from '../../fakes/no-network.ts'

forbidNetwork()

const api = 'https://api.github.test'
const repository = () =>
  openClient({
    ...{ owner: 'o', repo: 'r', token: () => 'token', apiUrl: api, clock: createFakeClock() },
    random: { fraction: () => 0, hex: () => '' },
  })

const issue = (number: number, facts: object = {}) => ({
  ...{ number, title: `Issue ${number}`, body: null, state: 'open', state_reason: null },
  ...{ assignees: [], milestone: null },
  ...facts,
})

it('lists the issues with a label, page by page, without pull requests', async () => {
  const asked = { state: 'all', direction: 'asc', per_page: '100', labels: 'executor' }
  const first = [
    issue(1, { body: 'Do it.', assignees: [{ login: 'ada' }], milestone: { title: 'v2' } }),
    issue(2, { pull_request: {} }),
    ...Array.from({ length: 98 }, (_, at) => issue(at + 3)),
  ]
  const second = [
    issue(101, { state: 'closed', state_reason: 'completed' }),
    issue(102, { state: 'closed', state_reason: 'not_planned' }),
  ]
  nock(api)
    .get('/repos/o/r/issues')
    .query({ ...asked, page: '1' })
    .reply(200, first)
  nock(api)
    .get('/repos/o/r/issues')
    .query({ ...asked, page: '2' })
    .reply(200, second)
  const found = await listIssues(repository(), { label: 'executor', milestone: undefined })
  expect(found).toHaveLength(101)
  expect(found[0]).toEqual({
    ...{ number: 1, title: 'Issue 1', body: 'Do it.', status: 'pending' },
    ...{ assignees: ['ada'], milestone: 'v2' },
  })
  expect(found.slice(-2).map(({ status }) => status)).toEqual(['done', 'cancelled'])
})

it('lists those of one milestone', async () => {
  const all = [
    issue(1, { milestone: { title: 'v1' } }),
    issue(2, { milestone: { title: 'v2' } }),
    issue(3),
  ]
  nock(api).get('/repos/o/r/issues').query(true).reply(200, all)
  const found = await listIssues(repository(), { label: undefined, milestone: 'v2' })
  expect(found.map(({ number }) => number)).toEqual([2])
})
