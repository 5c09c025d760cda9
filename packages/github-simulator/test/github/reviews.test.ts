import { describe, expect, it } from 'vitest'
import { type Bench, createClock, openBench, refusal, target } from './bench.ts'

const pull = { ...target, pull_number: 1 }

async function openPull(bench: Bench, text = 'one\ntwo\nthree\n'): Promise<string> {
  const sha = await bench.push('agent/T-1', { 'notes.md': text })
  const { pulls } = bench.octokit('writer-token')
  await pulls.create({ ...target, head: 'agent/T-1', base: 'main', title: 'One' })
  return sha
}

describe('reviews on the test server', () => {
  it('name the commit that was looked at, and come with comments on lines', async () => {
    const clock = createClock()
    await using bench = await openBench({}, { now: clock.now })
    const first = await openPull(bench)
    const { pulls } = bench.octokit('owner-token')
    const second = await bench.push('agent/T-1', { 'more.md': 'x' }, 'agent/T-1')
    const { data: made } = await pulls.createReview({
      ...pull,
      commit_id: first,
      event: 'REQUEST_CHANGES',
      body: 'Not yet',
      comments: [{ path: 'notes.md', line: 2, body: 'Why two?' }],
    })
    clock.tick()
    await bench.octokit('maintainer-token').pulls.createReview({ ...pull, event: 'APPROVE' })
    const { data: reviews } = await pulls.listReviews(pull)
    expect(reviews).toMatchObject([
      {
        id: made.id,
        state: 'CHANGES_REQUESTED',
        body: 'Not yet',
        commit_id: first,
        user: { id: 1, login: 'ada' },
        submitted_at: '2026-01-02T03:04:05Z',
      },
      { state: 'APPROVED', body: '', commit_id: second, submitted_at: '2026-01-02T03:04:06Z' },
    ])
    expect((await pulls.getReview({ ...pull, review_id: made.id })).data).toEqual(reviews[0])
    expect((await pulls.listReviewComments(pull)).data).toMatchObject([
      { path: 'notes.md', line: 2, pull_request_review_id: made.id, original_commit_id: first },
    ])
    expect(bench.server.contractViolations).toEqual([])
  })

  it('are refused in the words of GitHub', async () => {
    await using bench = await openBench({ actionsMayCreatePullRequests: false })
    await openPull(bench)
    const review = (token: 'writer-token' | 'owner-token' | 'actions-token', more: object) =>
      refusal(bench.octokit(token).pulls.createReview({ ...pull, ...more }))
    const lines = (path: string, line: number) => ({
      event: 'COMMENT',
      comments: [{ path, line, body: 'x' }],
    })
    const cases = [
      ['writer-token', { event: 'APPROVE' }, 'Can not approve your own pull request'],
      [
        'writer-token',
        { event: 'REQUEST_CHANGES', body: 'no' },
        'Can not request changes on your own',
      ],
      ['writer-token', { event: 'COMMENT', body: 'see' }, 'accepted'],
      ['actions-token', { event: 'APPROVE' }, 'GitHub Actions is not permitted to approve'],
      ['owner-token', { event: 'COMMENT' }, "Body can't be blank"],
      ['owner-token', lines('notes.md', 9), 'Line could not be resolved'],
      ['owner-token', lines('README.md', 1), 'Path could not be resolved'],
      ['owner-token', { event: 'APPROVE', commit_id: '0'.repeat(40) }, 'Commit is not part'],
    ] as const
    for (const [token, more, expected] of cases) {
      expect(await review(token, more), expected).toContain(expected)
    }
    expect((await bench.server.state('ada', 'engine')).reviewComments).toEqual([])
    expect(bench.server.contractViolations).toEqual([])
  })
})

it('is seen by its author alone until it is submitted, and looks changed then', async () => {
  const clock = createClock()
  await using bench = await openBench({}, { now: clock.now })
  await openPull(bench)
  const { pulls, graphql } = bench.octokit('owner-token')
  const comments = [{ path: 'notes.md', line: 2, body: '/decompose' }]
  const { data: draft } = await pulls.createReview({ ...pull, comments })
  const again = refusal(pulls.createReview({ ...pull, body: 'x' }))
  expect(await again).toMatch(/^422 .*only have one pending review/)
  const seen = async (token: 'owner-token' | 'writer-token') => {
    const reader = bench.octokit(token).pulls
    const { data: reviews } = await reader.listReviews(pull)
    const { data: lines } = await reader.listReviewCommentsForRepo(target)
    return [reviews.map(({ state }) => state), lines.map((one) => [one.created_at, one.updated_at])]
  }
  expect(await seen('owner-token')).toEqual([['PENDING'], []])
  expect(await seen('writer-token')).toEqual([[], []])
  const told = bench.server.events.length

  clock.tick()
  await graphql(
    `mutation ($id: ID!) {
      submitPullRequestReview(input: {pullRequestReviewId: $id, event: APPROVE}) { clientMutationId }
    }`,
    { id: draft.node_id },
  )
  const times = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z']
  expect(await seen('writer-token')).toEqual([['APPROVED'], [times]])
  const news = bench.server.events.slice(told)
  expect(news.map(({ name, payload }) => `${name}.${payload.action}`)).toEqual([
    'pull_request_review.submitted',
    'pull_request_review_comment.created',
  ])

  clock.tick()
  await graphql(
    `mutation ($id: ID!) {
      updatePullRequestReview(input: {pullRequestReviewId: $id, body: "/approve"}) {
        pullRequestReview { body submittedAt lastEditedAt }
      }
      dismissPullRequestReview(input: {pullRequestReviewId: $id, message: "No"}) {
        pullRequestReview { state }
      }
    }`,
    { id: draft.node_id },
  )
  const { data: review } = await pulls.getReview({ ...pull, review_id: draft.id })
  expect(review).toMatchObject({ state: 'DISMISSED', body: '/approve', submitted_at: times[1] })
  expect(bench.server.contractViolations).toEqual([])
})

describe('comments on lines', () => {
  it('stand in threads that move with their line until it is changed', async () => {
    await using bench = await openBench()
    const sha = await openPull(bench)
    const { pulls } = bench.octokit('owner-token')
    const place = { path: 'notes.md', commit_id: sha, side: 'RIGHT' as const }
    const comment = async (line: number, body: string): Promise<number> =>
      (await pulls.createReviewComment({ ...pull, ...place, line, body })).data.id
    const [two, three] = [await comment(2, 'on two'), await comment(3, 'on three')]
    const { data: reply } = await pulls.createReplyForReviewComment({
      ...pull,
      comment_id: two,
      body: 'a reply',
    })
    expect(reply).toMatchObject({ in_reply_to_id: two, line: 2, diff_hunk: expect.any(String) })

    const moved = await bench.push(
      'agent/T-1',
      { 'notes.md': 'zero\none\ntwo\nTHREE\n' },
      'agent/T-1',
    )
    const { data: list } = await pulls.listReviewCommentsForRepo(target)
    expect(list).toMatchObject([
      { id: two, line: 3, original_line: 2, commit_id: moved, original_commit_id: sha },
      { id: three, line: null, original_line: 3, commit_id: sha, original_commit_id: sha },
      { id: reply.id, line: 3, original_line: 2 },
    ])
    const reviews = new Set(list.map((one) => one.pull_request_review_id))
    expect(reviews.size, 'each has a review of its own').toBe(3)
    expect(bench.server.contractViolations).toEqual([])
  })

  it('are refused where the diff has no such line', async () => {
    await using bench = await openBench()
    const sha = await openPull(bench)
    const { pulls } = bench.octokit('owner-token')
    const comment = (more: object) =>
      refusal(
        pulls.createReviewComment({
          ...pull,
          path: 'notes.md',
          commit_id: sha,
          line: 1,
          body: 'x',
          ...more,
        }),
      )
    expect(await comment({ line: 4 })).toMatch(/^422 .*line must be part of the diff/)
    expect(await comment({ side: 'LEFT' })).toMatch(/^422 .*line must be part of the diff/)
    expect(await comment({ path: 'README.md' })).toMatch(/^422 .*pull_request_review_thread.path/)
    expect(await comment({ commit_id: '0'.repeat(40) })).toMatch(/^422 .*commit_id is not part/)
    expect(await comment({ in_reply_to: 77 })).toMatch(/^422 .*in_reply_to/)
    expect(await comment({})).toBe('accepted')
    expect(bench.server.contractViolations).toEqual([])
  })
})

it('counts one reaction of each kind for each person', async () => {
  await using bench = await openBench()
  const sha = await openPull(bench)
  const { pulls, issues, reactions } = bench.octokit('owner-token')
  const { data: line } = await pulls.createReviewComment({
    ...pull,
    path: 'notes.md',
    commit_id: sha,
    line: 1,
    body: 'x',
  })
  const { data: comment } = await issues.createComment({ ...target, issue_number: 1, body: 'x' })
  const on = { ...target, comment_id: comment.id, content: 'eyes' as const }
  expect((await reactions.createForIssueComment(on)).status).toBe(201)
  expect((await reactions.createForIssueComment(on)).status).toBe(200)
  await bench.octokit('outsider-token').reactions.createForIssueComment(on)
  await reactions.createForIssueComment({ ...on, content: '+1' })
  await reactions.createForPullRequestReviewComment({ ...on, comment_id: line.id })
  await reactions.createForIssue({ ...target, issue_number: 1, content: 'rocket' })

  const { data: again } = await issues.getComment({ ...target, comment_id: comment.id })
  expect(again.reactions).toMatchObject({ total_count: 3, eyes: 2, '+1': 1 })
  const { data: eyes } = await reactions.listForIssueComment(on)
  expect(eyes.map(({ user }) => user?.login)).toEqual(['ada', 'oscar'])
  const { data: lines } = await pulls.listReviewComments(pull)
  expect(lines[0]?.reactions).toMatchObject({ total_count: 1, eyes: 1 })
  expect(bench.server.contractViolations).toEqual([])
})
