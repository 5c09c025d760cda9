import { describe, expect, it } from 'vitest'
import { type DiscussionBench, testDiscussionContract } from '../contracts/discussion.ts'
import { createMemoryDiscussion } from './memory-discussion.ts'
import { createMemoryForge } from './memory-forge.ts'
import { createMemoryRepository, memoryLogin } from './memory-repository.ts'

async function openBench(): Promise<DiscussionBench> {
  const repository = createMemoryRepository()
  const { us, remarks } = repository
  const who = (by: DiscussionBench['grace'] | 'us') => (by === 'us' ? us : by)
  const find = (kind: string, id: number) => {
    const found = remarks.find((one) => one.kind === kind && one.id === id)
    if (found === undefined) throw new Error(`There is no ${kind} ${id}.`)
    return found
  }
  return {
    discussion: createMemoryDiscussion(repository),
    us: memoryLogin,
    grace: repository.person('grace', 'write'),
    mallory: repository.person('mallory', 'read'),
    async open(head) {
      const texts = { head, base: 'main', title: head, body: '' }
      const nobody = { labels: [], draft: false, reviewers: [], assignees: [] }
      const number = repository.open(us, { ...texts, ...nobody })
      return { number, headSha: repository.pull(number)?.headSha ?? '' }
    },
    close: async (number) => repository.close(number),
    openIssue: async (by, issue) => repository.openIssue(who(by), issue),
    editIssue: async (number, change) =>
      repository.changeIssue(number, {
        ...change,
        ...(change.body !== undefined && { editedAt: repository.now() }),
      }),
    label: async (by, number, name) => repository.label(by, number, name),
    unlabel: async (number, name) => repository.unlabel(number, name),
    say: async (by, number, body) => repository.say(who(by), number, body).id,
    sayOnLine: async (by, number, line, body) =>
      repository.sayOnLine(by, number, { body, path: 'list.md', line }).id,
    reply: async (by, number, to, body) =>
      repository.sayOnLine(by, number, { body, reply: find('review_comment', to) }).id,
    review: async (by, number, verdict, body) =>
      repository.review(by, number, { verdict: verdict ?? 'commented', body }).id,
    edit: async (kind, id, body) => void repository.edit(find(kind, id), body),
    delete: async (kind, id) => repository.delete(find(kind, id)),
    resolve: async (id) => repository.resolve(find('review_comment', id)),
    reactions: async (kind, id) =>
      repository.reactions
        .filter((one) => one.kind === kind && one.id === id)
        .map(({ reaction }) => reaction),
    conversation: async (number) =>
      remarks.filter(({ kind, on }) => kind === 'comment' && on === number).map(({ body }) => body),
    thread: async (_, id) => remarks.filter(({ thread }) => thread === id).map(({ body }) => body),
    writes: () => repository.counters.writes,
    [Symbol.asyncDispose]: async () => {},
  }
}

testDiscussionContract('the discussion in memory', openBench)

describe('the discussion in memory', () => {
  it('is about what the forge of the same repository opened', async () => {
    const repository = createMemoryRepository()
    const forge = createMemoryForge(repository)
    const discussion = createMemoryDiscussion(repository)
    const issue = { marker: '<!-- b -->', title: 'B', body: '', labels: ['executor:dashboard'] }
    await forge.upsertIssue(issue)
    expect(await discussion.overview()).toMatchObject({ dashboard: { number: 1 } })
    repository.variables.set('EXECUTOR_DISABLED', 'true')
    expect(await discussion.variable('EXECUTOR_DISABLED')).toBe('true')
    await forge.upsertComment(1, '<!-- m -->', 'Hello')
    expect(await discussion.remarksSince('2020-01-01T00:00:00Z')).toMatchObject([
      { on: 1, body: '<!-- m -->\nHello', author: repository.us },
    ])
    expect(repository.counters).toEqual({ reads: 4, writes: 2 })
  })
})
