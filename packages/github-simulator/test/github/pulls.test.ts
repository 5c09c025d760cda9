import { describe, expect, it, test } from 'vitest'
import { openBench, refusal, target } from './bench.ts'

const draft = { ...target, head: 'agent/T-1', base: 'main', title: 'Add two' }

describe('a pull request on the test server', () => {
  it('is created from a pushed branch and listed by head, state and page', async () => {
    await using bench = await openBench()
    const sha = await bench.push('agent/T-1', { 'src/two.ts': 'export const two = 2\n' })
    const octokit = bench.octokit('owner-token')

    const { data: made } = await octokit.pulls.create({ ...draft, body: 'Why' })
    expect(made).toMatchObject({
      number: 1,
      state: 'open',
      commits: 1,
      changed_files: 1,
      additions: 1,
      mergeable: true,
      html_url: `${bench.server.url}/ada/engine/pull/1`,
      head: { ref: 'agent/T-1', sha, repo: { full_name: 'ada/engine' } },
    })
    const { data: byHead } = await octokit.pulls.list({ ...target, head: 'ada:agent/T-1' })
    expect(byHead.map(({ number }) => number)).toEqual([1])
    const { data: other } = await octokit.pulls.list({ ...target, head: 'ada:agent/T-2' })
    expect(other).toEqual([])
    const { data: files } = await octokit.pulls.listFiles({ ...target, pull_number: 1 })
    expect(files).toMatchObject([
      { filename: 'src/two.ts', status: 'added', patch: '@@ -0,0 +1 @@\n+export const two = 2' },
    ])
    expect(bench.server.contractViolations).toEqual([])
  })

  it('pages lists newest first, by Link headers', async () => {
    await using bench = await openBench()
    const octokit = bench.octokit('owner-token')
    for (const id of ['T-1', 'T-2', 'T-3']) {
      await bench.push(`agent/${id}`, { [`${id}.md`]: id })
      await octokit.pulls.create({ ...draft, head: `agent/${id}`, title: id })
    }
    const first = await octokit.pulls.list({ ...target, state: 'all', per_page: 2 })
    expect(first.data.map(({ number }) => number)).toEqual([3, 2])
    expect(first.headers.link).toContain('page=2>; rel="next"')
    const all = await octokit.paginate(octokit.pulls.list, { ...target, per_page: 2 })
    expect(all.map(({ number }) => number)).toEqual([3, 2, 1])
  })

  it('is made once, however many ask at the same moment', async () => {
    await using bench = await openBench()
    await bench.push('agent/T-1', { a: '1' })
    const asked = ['owner-token', 'writer-token', 'actions-token', 'owner-token'] as const
    const answers = await Promise.all(
      asked.map((token) => refusal(bench.octokit(token).pulls.create(draft))),
    )
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1)
    expect(answers.filter((answer) => answer.includes('already exists'))).toHaveLength(3)
  })

  it('follows its branches: pushes move it, deleting closes it, merging by hand merges it', async () => {
    await using bench = await openBench()
    const octokit = bench.octokit('owner-token')
    await bench.push('agent/T-1', { a: '1' })
    await bench.push('agent/T-2', { b: '2' })
    await octokit.pulls.create(draft)
    await octokit.pulls.create({ ...draft, head: 'agent/T-2' })

    const moved = await bench.push('agent/T-1', { a: '3' }, 'agent/T-1')
    expect((await octokit.pulls.get({ ...target, pull_number: 1 })).data.head.sha).toBe(moved)
    expect((await bench.server.state('ada', 'engine')).refs['refs/pull/1/head']).toBe(moved)

    await bench.git('push', '--quiet', 'origin', ':agent/T-1')
    await bench.git('push', '--quiet', 'origin', 'agent/T-2:main')
    const { pulls } = await bench.server.state('ada', 'engine')
    expect(pulls.map(({ state }) => state)).toEqual(['closed', 'merged'])
    expect(
      await refusal(octokit.pulls.update({ ...target, pull_number: 1, state: 'open' })),
    ).toMatch(/^422 Validation Failed: .*has been deleted/)
    expect(bench.server.contractViolations).toEqual([])
  })

  test.for([
    ['merge', 2],
    ['squash', 1],
  ] as const)('is really merged by %s', async ([method, parents]) => {
    await using bench = await openBench()
    const octokit = bench.octokit('owner-token')
    const head = await bench.push('agent/T-1', { a: '1' })
    await octokit.pulls.create(draft)
    const { data } = await octokit.pulls.merge({
      ...target,
      pull_number: 1,
      merge_method: method,
      sha: head,
    })

    await bench.git('fetch', '--quiet')
    expect(await bench.git('rev-parse', 'origin/main')).toBe(data.sha)
    expect(await bench.git('show', 'origin/main:a')).toBe('1')
    const line = await bench.git('rev-list', '--parents', '-n1', 'origin/main')
    expect(line.split(' ')).toHaveLength(1 + parents)
    const { data: merged } = await octokit.pulls.get({ ...target, pull_number: 1 })
    expect(merged).toMatchObject({ merged: true, state: 'closed', merge_commit_sha: data.sha })
    expect(bench.server.contractViolations).toEqual([])
  })

  it('is refused a merge that GitHub refuses', async () => {
    await using bench = await openBench()
    const octokit = bench.octokit('owner-token')
    await bench.push('agent/T-1', { a: 'one' })
    await bench.push('agent/T-2', { a: 'two' })
    await octokit.pulls.create(draft)
    await octokit.pulls.create({ ...draft, head: 'agent/T-2', draft: true })
    const merge = (pull_number: number, sha?: string) =>
      refusal(
        octokit.pulls.merge({ ...target, pull_number, ...(sha === undefined ? {} : { sha }) }),
      )

    expect(await merge(2)).toMatch(/^405 Pull Request is still a draft/)
    expect(await merge(1, '0'.repeat(40))).toMatch(/^409 Head branch was modified/)
    await bench.git('push', '--quiet', 'origin', 'agent/T-2:main')
    expect(await merge(1)).toMatch(/^405 Pull Request is not mergeable/)
    expect((await octokit.pulls.get({ ...target, pull_number: 1 })).data.mergeable_state).toBe(
      'dirty',
    )
    expect(bench.server.contractViolations).toEqual([])
  })
})

describe('creating a pull request is refused', () => {
  const cases = [
    ['twice for one head', { head: 'agent/T-1' }, /^422 .*already exists for ada:agent\/T-1/],
    ['without commits', { head: 'empty' }, /^422 .*No commits between main and empty/],
    ['for a head that is not there', { head: 'gone' }, /^422 .*"head".*"invalid"/],
    [
      'on a base that is not there',
      { head: 'agent/T-2', base: 'gone' },
      /^422 .*"base".*"invalid"/,
    ],
    ['without a common history', { head: 'strange' }, /^422 .*no history in common with main/],
    [
      'as a draft where the plan has none',
      { head: 'agent/T-2', draft: true },
      /^422 Draft pull requests are not/,
    ],
  ] as const
  it('with the words of GitHub', async () => {
    await using bench = await openBench({ draftPullRequests: false })
    const octokit = bench.octokit('owner-token')
    await bench.push('agent/T-1', { a: '1' })
    await bench.push('agent/T-2', { b: '2' })
    await bench.git('push', '--quiet', 'origin', 'origin/main:refs/heads/empty')
    const tree = await bench.git('rev-parse', 'origin/main^{tree}')
    const strange = await bench.git('commit-tree', tree, '-m', 'Of another history')
    await bench.git('push', '--quiet', 'origin', `${strange}:refs/heads/strange`)
    await octokit.pulls.create(draft)
    for (const [name, change, expected] of cases) {
      expect(await refusal(octokit.pulls.create({ ...draft, ...change })), name).toMatch(expected)
    }
    await bench.git('push', '--quiet', '--force', 'origin', `${strange}:agent/T-1`)
    expect((await octokit.pulls.get({ ...target, pull_number: 1 })).data.mergeable).toBe(false)
    expect(bench.server.contractViolations).toEqual([])
  })

  it('to a workflow, until the setting allows it', async () => {
    await using bench = await openBench({ actionsMayCreatePullRequests: false })
    await bench.push('agent/T-1', { a: '1' })
    expect(await refusal(bench.octokit('actions-token').pulls.create(draft))).toMatch(
      /^403 GitHub Actions is not permitted to create or approve pull requests/,
    )
    expect(await refusal(bench.octokit('owner-token').pulls.create(draft))).toBe('accepted')
    const settings = await bench
      .octokit('owner-token')
      .actions.getGithubActionsDefaultWorkflowPermissionsRepository(target)
    expect(settings.data.can_approve_pull_request_reviews).toBe(false)
  })
})
