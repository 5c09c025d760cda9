import nock from 'nock'
import { beforeEach, expect, it } from 'vitest'
import { openClient } from '../../../src/adapters/octokit/client.ts'
import { createPace } from '../../../src/adapters/resilience/pace.ts'
import { bookingSeconds, githubWrites, type Pace } from '../../../src/core/ports/pace.ts'
import { createFakeClock, type FakeClock } from '../../fakes/fake-clock.ts'
import { forbidNetwork } from '../../fakes/no-network.ts'

const api = 'https://api.github.test'
const target = { owner: 'o', repo: 'r' }

forbidNetwork()

let clock: FakeClock
/** When each write arrived. */
let sent: number[]
beforeEach(() => {
  clock = createFakeClock()
  sent = []
  nock(api)
    .persist()
    .intercept(/./, 'POST')
    .reply(() => {
      sent.push(clock.monotonic())
      return [201, { id: sent.length }]
    })
})

function open(writes: Pace) {
  const about = { ...target, token: () => 'token', apiUrl: api, clock, login: 'executor[bot]' }
  return openClient({ ...about, pace: false, writes })
}

const comment = (writes: Pace): Promise<unknown> => commentBy(open(writes))

function commentBy(repository: ReturnType<typeof open>): Promise<unknown> {
  return repository.perform({
    ...{ kind: 'comment', key: '#1', detail: 'x' },
    read: async () => null,
    alreadyApplied: () => null,
    apply: (octokit) => octokit.issues.createComment({ ...target, issue_number: 1, body: 'x' }),
  })
}

it('sends what several clients write as one installation no faster than GitHub allows', async () => {
  const writes = createPace(clock, githubWrites)
  const clients = Array.from({ length: 5 }, () => open(writes))
  for (let round = 0; round < 100; round++) for (const one of clients) await commentBy(one)
  expect(sent).toHaveLength(500)
  for (const [most, seconds] of [
    [1, 1],
    [80, 60],
  ] as const) {
    const windows = sent.slice(most).map((time, index) => time - (sent[index] ?? 0))
    expect(Math.min(...windows), `${most} in ${seconds} s`).toBeGreaterThanOrEqual(seconds - 1e-6)
  }
  const error = await comment(writes).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'forge_unreachable', retryAt: '2026-01-02T04:04:07.000Z' })
  expect(sent).toHaveLength(500)
})

it('sends nothing while the count cannot be reached, and goes on when it can', async () => {
  let failures = 5
  await comment(async () => {
    if (failures-- > 0) throw new Error('connection refused')
    return 0
  })
  expect(sent).toEqual([10])
  const error = await comment(() => Promise.reject(new Error('connection refused'))).catch(
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ code: 'forge_unreachable' })
  expect(sent).toHaveLength(1)
})

it('books again when it wakes up after its turn', async () => {
  const waits = [30, 7]
  const asked: number[] = []
  const { sleep } = clock
  // The machine is suspended during the first wait.
  clock.sleep = async (seconds) =>
    sleep(asked.length === 1 ? seconds + bookingSeconds + 1 : seconds)
  await comment(async () => waits[asked.push(clock.monotonic()) - 1] ?? 0)
  expect(asked).toEqual([0, 33])
  expect(sent).toEqual([40])
})
