import { describe, expect, it } from 'vitest'
import type { RepositoryOptions } from '../../github/store.ts'
import { type Bench, openBench, refusal, target } from './bench.ts'

const pull = { ...target, pull_number: 1 }
const methods = { mergeMethods: ['merge', 'squash', 'rebase'] } as const

/** A stack: each branch adds one commit to the one before, and is asked to go there. */
async function openStack(
  options: Partial<RepositoryOptions>,
  ...branches: readonly string[]
): Promise<Bench> {
  const bench = await openBench(options)
  const { pulls } = bench.octokit('actions-token')
  let base = 'main'
  for (const head of branches) {
    await bench.push(head, { [`${head}.md`]: head }, base === 'main' ? 'origin/main' : base)
    await pulls.create({ ...target, head, base, title: `Add ${head}`, body: 'Closes #99' })
    base = head
  }
  return bench
}

const stateOf = (bench: Bench) => bench.server.state('ada', 'engine')

describe('a merge on the test server', () => {
  it('by rebase puts each commit on the base again, as its author and the merger', async () => {
    await using bench = await openStack(methods, 'one')
    await bench.push('one', { 'again.md': 'x' }, 'one')
    await bench.git('push', '--quiet', 'origin', `${await bench.push('else', { b: '1' })}:main`)
    const { data } = await bench
      .octokit('writer-token')
      .pulls.merge({ ...pull, merge_method: 'rebase' })
    await bench.git('fetch', '--quiet')
    expect(await bench.git('rev-parse', 'origin/main')).toBe(data.sha)
    const log = await bench.git('log', '-3', '--format=%s %an %cn %p', 'origin/main')
    expect(log.split('\n').map((line) => line.split(' ').slice(0, -1).join(' '))).toEqual([
      'Change one Ada grace',
      'Change one Ada grace',
      'Change else Ada Ada',
    ])
    const { data: merged } = await bench.octokit().pulls.get(pull)
    expect(merged).toMatchObject({
      merge_commit_sha: data.sha,
      merged_by: { login: 'grace' },
      closed_at: merged.merged_at,
    })
    expect(bench.server.contractViolations).toEqual([])
  })

  it("has GitHub's messages: one commit lends a squash its own", async () => {
    await using bench = await openStack({}, 'one', 'two')
    await bench.push('two', { 'more.md': 'x' }, 'two')
    const { pulls } = bench.octokit('owner-token')
    const messageAfter = async (number: number, merge_method: 'merge' | 'squash') => {
      const { data } = await pulls.merge({ ...target, pull_number: number, merge_method })
      await bench.git('fetch', '--quiet')
      return bench.git('log', '-1', '--format=%B', data.sha)
    }
    expect(await messageAfter(2, 'squash')).toBe('Add two (#2)\n\n* Change two\n\n* Change two\n')
    expect(await messageAfter(1, 'merge')).toBe('Merge pull request #1 from ada/one\n\nAdd one\n')
  })

  it('takes open pull requests along when it deletes the branch they are based on', async () => {
    await using bench = await openStack({ deleteBranchOnMerge: true }, 'one', 'two', 'three')
    const { pulls } = bench.octokit('owner-token')
    const head = (await pulls.get(pull)).data.head.sha
    await pulls.merge({ ...pull, merge_method: 'squash' })
    const bases = async () =>
      (await stateOf(bench)).pulls.map(({ state, base }) => `${state} on ${base}`)
    expect(await bases()).toEqual(['merged on main', 'open on main', 'open on two'])
    expect(await bench.git('ls-remote', 'origin', 'refs/heads/one')).toBe('')
    await bench.git('fetch', '--quiet', 'origin', 'refs/pull/1/head')
    expect(await bench.git('rev-parse', 'FETCH_HEAD'), 'still to be had').toBe(head)

    bench.server.configure('ada', 'engine', { deleteBranchOnMerge: false })
    await pulls.merge({ ...target, pull_number: 2 })
    await bench.server.pressDeleteBranch('ada', 'engine', 2)
    expect(await bases()).toEqual(['merged on main', 'merged on main', 'open on main'])
    expect(bench.server.contractViolations).toEqual([])
  })

  it('leaves behind what is based on its branch when git or the API deletes that', async () => {
    await using bench = await openStack({}, 'one', 'two')
    const { pulls, git } = bench.octokit('owner-token')
    const second = { ...target, pull_number: 2 }
    const sha = (await pulls.get(pull)).data.head.sha
    await pulls.merge(pull)
    await git.deleteRef({ ...target, ref: 'heads/one' })
    const { events, pulls: after } = await stateOf(bench)
    expect(after.map(({ state }) => state)).toEqual(['merged', 'closed'])
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['base_ref_deleted', 'closed'])

    const change = (more: object) => refusal(pulls.update({ ...second, ...more }))
    expect(await change({ base: 'main' })).toMatch(
      /^422 .*Cannot change the base branch of a closed/,
    )
    expect(await change({ state: 'open' })).toMatch(/^422 .*The one branch has been deleted/)
    await git.createRef({ ...target, ref: 'refs/heads/one', sha })
    expect(await change({ state: 'open' })).toBe('accepted')
    expect(await change({ base: 'main' })).toBe('accepted')
    await pulls.update({ ...second, state: 'closed' })
    await bench.git('push', '--quiet', '--force', 'origin', 'origin/main:two')
    expect(await change({ state: 'open' })).toMatch(/^422 .*two branch was force-pushed/)
    expect(bench.server.contractViolations).toEqual([])
  })

  it('closes the issues that it says it closes', async () => {
    await using bench = await openBench()
    const { issues, pulls } = bench.octokit('owner-token')
    for (const title of ['a', 'b', 'c']) await issues.create({ ...target, title })
    await bench.push('one', { a: '1' })
    const body = 'Closes #1, fixed: #3. See #2.'
    await pulls.create({ ...target, head: 'one', base: 'main', title: 'One', body })
    await pulls.merge({ ...target, pull_number: 4 })
    const state = await stateOf(bench)
    expect(state.issues.map((issue) => issue.state)).toEqual(['closed', 'open', 'closed'])
  })

  it('is refused where the method, a check or a review is missing', async () => {
    await using bench = await openStack(
      { mergeMethods: ['squash'], requiredChecks: ['test'], requiredReviews: 1 },
      'one',
    )
    const { pulls } = bench.octokit('writer-token')
    const merge = (merge_method: 'merge' | 'squash' | 'rebase') =>
      refusal(pulls.merge({ ...pull, merge_method }))
    expect(await merge('merge')).toMatch(/^405 Merge commits are not allowed on this repository/)
    expect(await merge('rebase')).toMatch(/^405 Rebase merges are not allowed on this repository/)
    expect(await merge('squash')).toMatch(
      /^405 At least 1 approving review is required .* Required status check "test" is expected/,
    )
    await bench.octokit('reader-token').pulls.createReview({ ...pull, event: 'APPROVE' })
    expect(await merge('squash'), "a reader's approval does not count").toMatch(/^405 At least 1/)
    await bench.octokit('maintainer-token').pulls.createReview({ ...pull, event: 'APPROVE' })
    await bench.server.setCheck('ada', 'engine', { on: 1, name: 'test', outcome: 'pending' })
    expect(await merge('squash')).toMatch(/^405 Required status check "test" is pending/)
    await bench.server.setCheck('ada', 'engine', { on: 1, name: 'test', outcome: 'failure' })
    expect(await merge('squash')).toMatch(/^405 Required status check "test" is failing/)
    await bench.server.setCheck('ada', 'engine', { on: 1, name: 'test', outcome: 'success' })
    expect(await merge('squash')).toBe('accepted')
  })

  it('happens by itself when what it waited for is there', async () => {
    await using bench = await openStack({ autoMerge: true, requiredChecks: ['test'] }, 'one')
    const { data } = await bench.octokit().pulls.get(pull)
    await bench.octokit('writer-token').graphql(
      `mutation ($id: ID!) {
        enablePullRequestAutoMerge(input: {pullRequestId: $id, mergeMethod: SQUASH}) { clientMutationId }
      }`,
      { id: data.node_id },
    )
    const { repos } = bench.octokit('bot-token')
    const status = { ...target, sha: data.head.sha, context: 'test' }
    await repos.createCommitStatus({ ...status, state: 'pending' })
    expect((await stateOf(bench)).pulls[0]?.state).toBe('open')
    await repos.createCommitStatus({ ...status, state: 'success' })
    const { data: merged } = await bench.octokit().pulls.get(pull)
    expect(merged).toMatchObject({ merged: true, merged_by: { login: 'grace' }, auto_merge: null })
    expect(bench.server.contractViolations).toEqual([])
  })
})

it('merges all that waited for the same thing, one after the other', async () => {
  await using bench = await openBench({ autoMerge: true, requiredReviews: 1 })
  const { pulls, graphql } = bench.octokit('writer-token')
  for (const head of ['one', 'two']) {
    await bench.push(head, { [`${head}.md`]: head })
    const { data } = await pulls.create({ ...target, head, base: 'main', title: head })
    await graphql(
      'mutation ($id: ID!) { enablePullRequestAutoMerge(input: {pullRequestId: $id}) { clientMutationId } }',
      { id: data.node_id },
    )
  }
  bench.server.configure('ada', 'engine', { requiredReviews: 0 })
  const { data } = await pulls.list({ ...target, state: 'closed' })
  expect(data.map(({ merged_at }) => merged_at !== null)).toEqual([true, true])
})

it('brings a branch up to date by merging its base', async () => {
  await using bench = await openStack({}, 'one')
  const { pulls } = bench.octokit('writer-token')
  const update = (more: object = {}) => refusal(pulls.updateBranch({ ...pull, ...more }))
  expect(await update()).toMatch(/^422 There are no new commits on the base branch/)
  await bench.git('push', '--quiet', 'origin', `${await bench.push('else', { b: '1' })}:main`)
  expect(await update({ expected_head_sha: '0'.repeat(40) })).toMatch(/^422 expected head sha/)
  expect(await update()).toBe('accepted')
  await bench.git('fetch', '--quiet')
  expect(await bench.git('log', '-1', '--format=%s', 'origin/one')).toBe(
    "Merge branch 'main' into one",
  )
  await bench.git('push', '--quiet', 'origin', `${await bench.push('x', { 'one.md': '?' })}:main`)
  expect(await update()).toMatch(/^422 merge conflict between base and head/)
  expect(bench.server.contractViolations).toEqual([])
})

it('tells the checks of a commit, and counts the newest of each name', async () => {
  await using bench = await openStack({}, 'one')
  const { repos, checks } = bench.octokit('bot-token')
  const ref = (await stateOf(bench)).refs['refs/heads/one'] ?? ''
  const combined = async () => {
    const { data } = await repos.getCombinedStatusForRef({ ...target, ref: 'one' })
    return [data.state, data.total_count]
  }
  expect(await combined(), 'without any').toEqual(['pending', 0])
  await repos.createCommitStatus({ ...target, sha: ref, state: 'failure', context: 'ci' })
  await repos.createCommitStatus({ ...target, sha: ref, state: 'success', context: 'other' })
  expect(await combined()).toEqual(['failure', 2])
  await repos.createCommitStatus({ ...target, sha: ref, state: 'success', context: 'ci' })
  expect(await combined()).toEqual(['success', 2])

  const { suite } = await bench.server.startRun('ada', 'engine', {
    ...{ path: '.github/workflows/ci.yml', event: 'push', branch: 'one' },
  })
  await bench.server.setCheck('ada', 'engine', { on: 1, name: 'build', outcome: 'success', suite })
  const { data: runs } = await bench
    .octokit('bot-token')
    .actions.listWorkflowRunsForRepo({ ...target, head_sha: ref })
  expect(runs.workflow_runs.map((one) => one.check_suite_id)).toEqual([suite])
  const { data: run } = await checks.create({ ...target, name: 'test', head_sha: ref })
  await checks.update({ ...target, check_run_id: run.id, conclusion: 'failure' })
  const { data } = await checks.listForRef({ ...target, ref })
  expect(data).toMatchObject({
    total_count: 2,
    check_runs: [
      {
        name: 'build',
        conclusion: 'success',
        app: { slug: 'github-actions' },
        check_suite: { id: suite },
      },
      { id: run.id, name: 'test', conclusion: 'failure', app: { slug: 'helper' } },
    ],
  })
  const of = (message: string) => ({
    ...{ path: 'one.md', start_line: 1, end_line: 1, message },
    annotation_level: 'failure' as const,
  })
  const output = (...messages: readonly string[]) => ({
    ...{ title: 'red', summary: 'two lines', annotations: messages.map(of) },
  })
  const { data: again } = await checks.create({
    ...{ ...target, name: 'test', head_sha: ref, external_id: 'pull-1', output: output('a') },
  })
  await checks.update({ ...target, check_run_id: again.id, output: output('b') })
  const { data: every } = await checks.listForRef({
    ...{ ...target, ref, check_name: 'test', filter: 'all' },
  })
  expect(every.check_runs.map(({ id, external_id }) => [id, external_id])).toEqual([
    [run.id, null],
    [again.id, 'pull-1'],
  ])
  expect(every.check_runs[1]?.output).toMatchObject({ title: 'red', annotations_count: 2 })
  const { checks: noted } = await stateOf(bench)
  expect(noted.at(-1)?.annotations.map(({ message }) => message)).toEqual(['a', 'b'])
  const asUser = bench.octokit('owner-token').checks
  expect(await refusal(asUser.create({ ...target, name: 'x', head_sha: ref }))).toMatch(
    /^403 You must authenticate via a GitHub App/,
  )
  const { data: shown } = await bench.octokit().pulls.get(pull)
  expect(shown.mergeable_state).toBe('unstable')
  expect(bench.server.contractViolations).toEqual([])
})
