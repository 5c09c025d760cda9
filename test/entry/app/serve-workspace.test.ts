import { expect, test } from 'vitest'
import type { JobServices } from '../../../src/entry/app/open-place.ts'
import type { AppWork } from '../../../src/entry/app/receive-webhook.ts'
import { serveWorkspace } from '../../../src/entry/app/serve-workspace.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryQueue } from '../../fakes/memory-queue.ts'

const unreachable = () => Promise.reject(new Error('GitHub was asked'))

test.each([
  ['workspace', false, true],
  ['workspace_run', false, true],
  ['workspace_run', true, true],
  // It would start no task.
  ['workspace', true, false],
  ['push', false, false],
] as const)(
  'a job after a %s, which starts tasks: %s, is left to it: %s',
  async (event, starts, isLeft) => {
    const queue = createMemoryQueue<AppWork>()
    const clock = createFakeClock()
    const job = { repository: 'octo/shop', installation: null, receivedAt: clock.now() }
    await queue.enqueue({ ...job, id: 'later', event, payload: { kind: 'workspace', starts } })
    const services = {
      ...{ queue, clock },
      app: { installationOf: unreachable, token: unreachable, login: unreachable },
      environment: { apiUrl: 'https://api.github.test', localRepositories: ['octo/*'] },
    }
    const place = { signal: new AbortController().signal, log: () => {} }
    const work = { kind: 'workspace', starts } as const
    const served = serveWorkspace(
      { repository: 'Octo/Shop' },
      work,
      services as unknown as JobServices,
      place,
    )
    if (isLeft) expect(await served).toEqual({ status: 'done' })
    else await expect(served).rejects.toThrow('GitHub was asked')
  },
)
