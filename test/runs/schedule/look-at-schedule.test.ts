import { expect, it } from 'vitest'
import { lookAtSchedule } from '../../../src/runs/schedule/look-at-schedule.ts'

const workflow = '.github/workflows/executor.yml'
const entry = (cron: string, timezone = '') =>
  `on:\n  schedule:\n    - cron: '${cron}'\n${timezone && `      timezone: ${timezone}\n`}`
const nightly = '17 3 * * *'
const runs = {
  workflow,
  began: '2026-11-22T03:20:00Z',
  previous: { at: '2026-11-20T03:20:00Z', sha: 'before' },
}

/** The workflow's file on the base, and where the run before this one ran. */
const workspaceOf = (now: string, before: string | null) => ({
  workspace: {
    view: async () => ({ base: { branch: 'main', sha: 'now' } }),
    contains: async (_: string, sha: string) => sha === 'before' && before !== null,
    async readFiles(sha: string, [path = '']: readonly string[]) {
      if (sha === 'before' && before === null) throw new Error('this commit is not here')
      const text = sha === 'now' ? now : (before ?? '')
      return new Map(text === '' ? [] : [[path, text]])
    },
  },
})

it.each<[string, string, string | null, Partial<typeof runs> | null, number | null]>([
  ['a night that was left out', entry(nightly), entry(nightly), {}, 1],
  [
    'one of several schedules',
    `${entry('1 1 * * 1')}    - cron: '${nightly}'\n`,
    entry(nightly),
    {},
    1,
  ],
  ['another schedule than now', entry(nightly), entry('1 1 * * 1'), {}, null],
  ['another time zone than now', entry(nightly, 'Europe/London'), entry(nightly), {}, null],
  ['no workflow then', entry(nightly), '', {}, null],
  ['history that was rewritten', entry(nightly), null, {}, null],
  ['a schedule that is gone', entry('1 1 * * 1'), entry(nightly), {}, null],
  ['nobody who may ask', entry(nightly), entry(nightly), null, null],
  ['lateness, whatever was before', entry(nightly), null, { began: '2026-11-22T05:20:00Z' }, 0],
])('tells of %s', async (_, now, before, change, missed) => {
  const ports = workspaceOf(now, before) as unknown as Parameters<typeof lookAtSchedule>[2]
  const found = await lookAtSchedule(nightly, change && { ...runs, ...change }, ports)
  expect(found?.missedRuns ?? null).toBe(missed)
})
