import { describe, expect, it } from 'vitest'
import { draft, testForgeContract } from '../contracts/forge.ts'
import { createMemoryForge, memoryLogin } from './memory-forge.ts'

testForgeContract('the forge in memory', async () => {
  const forge = createMemoryForge()
  return {
    forge,
    us: memoryLogin,
    branch: async () => {},
    close: async (number) => forge.closeByHand(number),
    merge: async (number) => forge.mergeByHand(number),
    openAsSomebody: async (wanted) => forge.openAs('somebody', wanted),
    commentAsSomebody: async (number, body) => forge.commentAs('somebody', number, body),
    comments: async (number) =>
      forge.comments
        .filter(({ pullRequest }) => pullRequest === number)
        .map(({ author, body }) => ({ author, body })),
    writes: () => forge.writes,
    [Symbol.asyncDispose]: async () => {},
  }
})

describe('the forge in memory', () => {
  it('refuses when told to', async () => {
    const forge = createMemoryForge()
    forge.refuse({ code: 'forge_unreachable', detail: 'down' })
    expect(await forge.upsertPullRequest(draft)).toMatchObject({ code: 'forge_unreachable' })
    forge.refuse(null)
    expect(await forge.upsertPullRequest(draft)).toMatchObject({ status: 'ok' })
    expect(forge.pulls).toHaveLength(1)
  })
})
