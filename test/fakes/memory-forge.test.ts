import { describe, expect, it } from 'vitest'
import { draft, testForgeContract } from '../contracts/forge.ts'
import { type SteeringBench, testForgeSteering } from '../contracts/forge-steering.ts'
import { createMemoryForge } from './memory-forge.ts'
import { createMemoryRepository, memoryLogin } from './memory-repository.ts'

async function openBench(): Promise<SteeringBench> {
  const tips = new Map<string, string>()
  const repository = createMemoryRepository({ tipOf: (branch) => tips.get(branch) ?? null })
  const forge = createMemoryForge(repository)
  const somebody = repository.person('somebody', 'write')
  let pushes = 0
  const push = async (branch: string): Promise<string> => {
    const sha = `${++pushes}`.padStart(40, 'a')
    tips.set(branch, sha)
    return sha
  }
  return {
    forge,
    us: memoryLogin,
    branch: async () => {},
    close: async (number) => repository.close(number),
    merge: async (number) => forge.mergeByHand(number),
    openAsSomebody: async (wanted) => forge.openAs('somebody', wanted),
    commentAsSomebody: async (number, body) => forge.commentAs('somebody', number, body),
    comments: async (number) =>
      forge.comments
        .filter(({ pullRequest }) => pullRequest === number)
        .map(({ author, body }) => ({ author, body })),
    writes: () => forge.writes,
    push,
    setChecks: async (sha, checks) => repository.setChecks(sha, checks),
    async pushLines(branch, path, count) {
      const number = repository.pulls.length + repository.issues.length + 1
      const lines = Array.from({ length: count }, (_, at) => at + 1)
      repository.setFacts(number, { diff: { [path]: lines } })
      return push(branch)
    },
    openIssueAsSomebody: async (issue) => repository.openIssue(somebody, issue),
    labelAsSomebody: async (number, name) => repository.label(somebody, number, name),
    async look(number) {
      const there = repository.pull(number) ?? repository.issue(number)
      if (there === null) throw new Error(`There is no #${number}.`)
      const { state, title, body, labels } = there
      return { state: state === 'open' ? 'open' : 'closed', title, body, labels }
    },
    reviewComments: async (number) =>
      repository.remarks
        .filter(({ kind, on }) => kind === 'review_comment' && on === number)
        .map(({ author, path, line, body }) => ({
          author: author.login,
          path: path ?? '',
          line,
          body,
        })),
    [Symbol.asyncDispose]: async () => {},
  }
}

testForgeContract('the forge in memory', openBench)
testForgeSteering('the forge in memory', openBench)

describe('the forge in memory', () => {
  it('refuses when told to', async () => {
    const forge = createMemoryForge()
    forge.refuse({ code: 'forge_unreachable', detail: 'down' })
    expect(await forge.upsertPullRequest(draft)).toMatchObject({ code: 'forge_unreachable' })
    forge.refuse(null)
    expect(await forge.upsertPullRequest(draft)).toMatchObject({ status: 'ok' })
    expect(forge.pulls).toHaveLength(1)
  })

  it('says what blocks a merge, as it was told', async () => {
    const forge = createMemoryForge()
    await forge.upsertPullRequest(draft)
    const headSha = forge.pulls[0]?.headSha ?? ''
    const reason = 'At least 1 approving review is required by reviewers with write access.'
    forge.repository.setFacts(1, { blocked: reason })
    expect(await forge.merge(1, headSha)).toEqual({ status: 'blocked', reason })
  })
})
