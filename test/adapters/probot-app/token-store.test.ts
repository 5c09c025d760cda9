import nock from 'nock'
import { describe, expect, it } from 'vitest'
import { openClient } from '../../../src/adapters/octokit/client.ts'
import { createTokenStore } from '../../../src/adapters/probot-app/token-store.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'
import { forbidNetwork } from '../../fakes/no-network.ts'

function createStore(lifeSeconds: number) {
  const clock = createFakeClock()
  const made: number[] = []
  const store = createTokenStore({
    now: () => clock.now(),
    async create(installation: number) {
      made.push(installation)
      const expiresAt = new Date(Date.parse(clock.now()) + lifeSeconds * 1000).toISOString()
      return { token: `ghs_${installation}_${made.length}`, expiresAt }
    },
  })
  return { clock, made, store }
}

describe('tokens of installations', () => {
  it.each([
    ['an hour', 3600, 50 * 60],
    ['a minute', 60, 50],
  ])('that live for %s are used for five sixths of it', async (_, life, usable) => {
    const { clock, made, store } = createStore(life)
    expect(await store.token(7)).toBe('ghs_7_1')
    clock.advance(usable - 1)
    expect(await store.token(7)).toBe('ghs_7_1')
    clock.advance(1)
    expect(await store.token(7)).toBe('ghs_7_2')
    expect(made).toEqual([7, 7])
  })

  it('are made once for all who ask together, and one for each installation', async () => {
    const { made, store } = createStore(3600)
    const asked = await Promise.all([7, 7, 8, 7].map((installation) => store.token(installation)))
    expect(asked).toEqual(['ghs_7_1', 'ghs_7_1', 'ghs_8_2', 'ghs_7_1'])
    expect(made).toEqual([7, 8])
  })

  it('are asked for again after a failure', async () => {
    let failing = true
    const store = createTokenStore({
      now: () => '2026-01-02T03:04:05.000Z',
      async create() {
        if (failing) throw new Error('502')
        return { token: 'ghs_1', expiresAt: '2026-01-02T04:04:05.000Z' }
      },
    })
    await expect(store.token(7)).rejects.toThrow('502')
    failing = false
    expect(await store.token(7)).toBe('ghs_1')
  })
})

describe('a run that is longer than a token lives', () => {
  forbidNetwork()

  it('writes with one that is valid, every time', async () => {
    const { clock, made, store } = createStore(3600)
    const api = 'https://api.github.test'
    const { perform } = openClient({
      ...{ owner: 'o', repo: 'r', apiUrl: api, login: 'executor[bot]', pace: false },
      clock,
      token: () => store.token(7),
    })
    const write = (authorization: string) => {
      nock(api, { reqheaders: { authorization } })
        .post('/repos/o/r/issues/1/comments')
        .reply(201, {})
      return perform<number, true>({
        ...{ kind: 'comment', key: '#1', detail: '', snapshot: 0, readDelays: [] },
        read: async () => 0,
        alreadyApplied: () => null,
        async apply({ issues }) {
          await issues.createComment({ owner: 'o', repo: 'r', issue_number: 1, body: 'x' })
          return true
        },
      })
    }
    await write('token ghs_7_1')
    clock.advance(61 * 60)
    await write('token ghs_7_2')
    clock.advance(61 * 60)
    await write('token ghs_7_3')
    expect(made).toHaveLength(3)
  })
})
