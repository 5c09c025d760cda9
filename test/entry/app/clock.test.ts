import { beforeEach, expect, it } from 'vitest'
import { createRunClock } from '../../../src/entry/app/clock.ts'
import type { AppJob } from '../../../src/entry/app/receive-webhook.ts'

let at: string
let jobs: AppJob[]
let lines: string[]
let own: Record<string, string | null>
let asked: string[]

beforeEach(() => {
  at = '2026-01-02T03:00:00.000Z'
  jobs = []
  lines = []
  own = { 'octo/app': null }
  asked = []
})

const openClock = (schedule: string | null = '17 3 * * *') =>
  createRunClock({
    environment: { localRepositories: ['octo/*'], schedule },
    app: {
      installations: async () => [
        { id: 6, account: 'suspended', url: '' },
        { id: 7, account: 'octo', url: '' },
        { id: 8, account: 'other', url: '' },
      ],
      async repositories(id) {
        if (id === 6) throw new Error('this installation has been suspended')
        return id === 7 ? Object.keys(own) : ['other/app']
      },
    },
    async readSchedule({ repository }) {
      asked.push(repository)
      const found = own[repository] ?? null
      if (found === 'broken') throw new Error('the configuration is not valid')
      return found
    },
    enqueue: async (job) => jobs.push(job),
    now: () => at,
    log: (line) => void lines.push(line),
  })

const queuedAt = () =>
  jobs.map(({ repository, receivedAt }) => `${repository} ${receivedAt.slice(11, 16)}`)

/** The clock's looks at these times of one night. */
async function look(clock: () => Promise<void>, ...times: readonly string[]) {
  for (const time of times) {
    at = `2026-01-02T${time}:05.000Z`
    await clock()
  }
}

it('queues a run at the time, once, with an id that another process gives it as well', async () => {
  await look(openClock(), '03:16', '03:17', '03:18', '04:10')
  expect(jobs).toEqual([
    {
      ...{ id: expect.stringMatching(/^[0-9a-f]{64}$/), repository: 'octo/app', installation: 7 },
      ...{ event: 'schedule', payload: { kind: 'run', only: null } },
      receivedAt: '2026-01-02T03:17:05.000Z',
    },
  ])
  await look(openClock(), '03:40')
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(1)
  at = '2026-01-03T03:17:00.000Z'
  await openClock()()
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(2)
})

it('takes up a time of the last hour when it starts, and none before', async () => {
  await look(openClock(), '04:16')
  expect(queuedAt()).toEqual(['octo/app 04:16'])
  jobs = []
  await look(openClock(), '04:18')
  expect(jobs).toEqual([])
})

it('lets a repository choose its own times, or none, and asks only those that may run here', async () => {
  own = {
    'octo/own': '30 3 * * *',
    'octo/off': 'off',
    'octo/operators': null,
    'octo/wrong': '99 99 * * *',
    'octo/broken': 'broken',
  }
  await look(openClock(), '03:17', '03:30')
  expect(queuedAt()).toEqual(['octo/operators 03:17', 'octo/own 03:30'])
  expect(asked).toEqual(Object.keys(own))
  expect(lines.join('\n')).toMatch(/octo\/broken: the schedule cannot be read.*not valid/)
  expect(lines.join('\n')).toMatch(/suspended: the schedule cannot be read/)
  expect(lines.join('\n')).toMatch(/octo\/wrong: the schedule "99 99/)
  jobs = []
  await look(openClock(null), '03:17', '03:30')
  expect(queuedAt()).toEqual(['octo/own 03:30'])
})

it('reads the repositories again after an hour', async () => {
  const clock = openClock()
  await look(clock, '01:00', '01:30')
  own = { 'octo/app': null, 'octo/new': '5 2 * * *' }
  await look(clock, '01:59', '02:01', '02:05')
  expect(queuedAt()).toEqual(['octo/new 02:05'])
  expect(asked).toEqual(['octo/app', 'octo/app', 'octo/new'])
})

it('asks again in a minute when GitHub does not answer', async () => {
  let isDown = true
  const clock = createRunClock({
    environment: { localRepositories: ['octo/*'], schedule: '17 3 * * *' },
    app: {
      async installations() {
        if (isDown) throw new Error('GitHub does not answer')
        return [{ id: 7, account: 'octo', url: '' }]
      },
      repositories: async () => ['octo/app'],
    },
    readSchedule: async () => null,
    enqueue: async (job) => jobs.push(job),
    now: () => at,
    log: () => {},
  })
  await expect(look(clock, '03:17')).rejects.toThrow('does not answer')
  isDown = false
  await look(clock, '03:18')
  expect(queuedAt()).toEqual(['octo/app 03:18'])
})
