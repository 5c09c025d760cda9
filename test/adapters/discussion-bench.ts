import type { Octokit } from '@octokit/rest'
import {
  type Bench,
  openBench,
  type Token,
  target,
  tokens,
} from '../../packages/github-simulator/test/github/bench.ts'
import { createOctokitDiscussion } from '../../src/adapters/octokit-discussion.ts'
import type { Author } from '../../src/core/ports/discussion.ts'
import type { DiscussionBench } from '../contracts/discussion.ts'
import { connect, dispose, stateOf, writesIn } from './forge-bench.ts'

const tokenOf = { grace: 'writer-token', mallory: 'reader-token' } as const

const authorOf = (token: Token): Author => ({
  id: tokens[token].id,
  login: tokens[token].login,
  isBot: false,
})

/** A discussion on a server of our own, for the contract. */
export async function openDiscussionBench(): Promise<DiscussionBench & { readonly bench: Bench }> {
  const bench = await openBench()
  const us = bench.octokit('actions-token')
  const owner = bench.octokit('owner-token')
  const as = (by: Author | 'us'): Octokit =>
    by === 'us' ? us : bench.octokit(by.login === 'grace' ? tokenOf.grace : tokenOf.mallory)
  const pullOf = (number: number) => ({ ...target, pull_number: number })
  const issueOf = (number: number) => ({ ...target, issue_number: number })
  const events = {
    approved: 'APPROVE',
    changes_requested: 'REQUEST_CHANGES',
    commented: 'COMMENT',
  } as const
  return {
    bench,
    discussion: createOctokitDiscussion(connect(bench).repository),
    us: 'github-actions[bot]',
    grace: authorOf('writer-token'),
    mallory: authorOf('reader-token'),
    async open(head) {
      const headSha = await bench.push(head, { 'list.md': 'one\ntwo\nthree\n' })
      const { data } = await us.pulls.create({ ...target, head, base: 'main', title: head })
      return { number: data.number, headSha }
    },
    async close(number) {
      await owner.issues.update({ ...issueOf(number), state: 'closed' })
    },
    async openIssue(by, { title, body, labels }) {
      const issue = { ...target, title, body, labels: [...labels] }
      return (await as(by).issues.create(issue)).data.number
    },
    async editIssue(number, change) {
      await owner.issues.update({ ...issueOf(number), ...change })
    },
    async label(by, number, name) {
      await as(by).issues.addLabels({ ...issueOf(number), labels: [name] })
    },
    async unlabel(number, name) {
      await owner.issues.removeLabel({ ...issueOf(number), name })
    },
    say: async (by, number, body) =>
      (await as(by).issues.createComment({ ...issueOf(number), body })).data.id,
    async sayOnLine(by, number, line, body) {
      const { data } = await owner.pulls.get(pullOf(number))
      const place = { commit_id: data.head.sha, path: 'list.md', line, side: 'RIGHT' } as const
      return (await as(by).pulls.createReviewComment({ ...pullOf(number), ...place, body })).data.id
    },
    reply: async (by, number, to, body) =>
      (await as(by).pulls.createReplyForReviewComment({ ...pullOf(number), comment_id: to, body }))
        .data.id,
    async review(by, number, verdict, body) {
      const event = events[verdict ?? 'commented']
      return (await as(by).pulls.createReview({ ...pullOf(number), event, body })).data.id
    },
    async edit(kind, id, body) {
      const one = { ...target, comment_id: id, body }
      if (kind === 'comment') await owner.issues.updateComment(one)
      else await owner.pulls.updateReviewComment(one)
    },
    async delete(kind, id) {
      const one = { ...target, comment_id: id }
      if (kind === 'comment') await owner.issues.deleteComment(one)
      else await owner.pulls.deleteReviewComment(one)
    },
    resolve: (id) => resolveThread(bench, owner, id),
    async reactions(kind, id) {
      const { reactions } = await stateOf(bench)
      return reactions
        .filter((one) => one.kind === kind && one.subject === id)
        .map(({ content }) => content)
    },
    async conversation(number) {
      const { comments } = await stateOf(bench)
      return comments.filter(({ pull }) => pull === number).map(({ body }) => body)
    },
    async thread(_, id) {
      const { reviewComments } = await stateOf(bench)
      return reviewComments.filter(({ thread }) => thread === id).map(({ body }) => body)
    },
    writes: () => writesIn(bench),
    [Symbol.asyncDispose]: () => dispose(bench),
  }
}

interface Threads {
  readonly repository: {
    readonly pullRequest: {
      readonly reviewThreads: {
        readonly nodes: readonly {
          readonly id: string
          readonly comments: { readonly nodes: readonly { readonly fullDatabaseId: string }[] }
        }[]
      }
    }
  }
}

async function resolveThread(bench: Bench, owner: Octokit, comment: number): Promise<void> {
  const { reviewComments } = await stateOf(bench)
  const number = reviewComments.find(({ id }) => id === comment)?.pull
  const found: Threads = await owner.graphql(
    `query ($owner: String!, $repo: String!, $number: Int!) {
      repository(owner: $owner, name: $repo) {
        pullRequest(number: $number) {
          reviewThreads(first: 100) { nodes { id comments(first: 1) { nodes { fullDatabaseId } } } }
        }
      }
    }`,
    { ...target, number },
  )
  const thread = found.repository.pullRequest.reviewThreads.nodes.find(
    ({ comments }) => Number(comments.nodes[0]?.fullDatabaseId) === comment,
  )
  await owner.graphql(
    'mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { id } } }',
    { id: thread?.id },
  )
}
