import { describe, expect, it } from 'vitest'
import { describeGap } from '../../../src/publish/report/describe-gap.ts'
import { findGap, readSchedules } from '../../../src/runs/schedule/look-at-schedule.ts'

const nightly = '17 3 * * *'
const on = (day: string, time = '03:20:00') => `${day}T${time}Z`

describe('what a schedule left out', () => {
  it.each<[string, string, string, string | null, string | null]>([
    ['nothing', nightly, on('2026-11-22'), on('2026-11-21'), null],
    ['nothing, half an hour late', nightly, on('2026-11-22', '03:47:00'), on('2026-11-21'), null],
    ['nothing, the first run of all', nightly, on('2026-11-22'), null, null],
    ['nothing, started twice', nightly, on('2026-11-22', '03:21:09'), on('2026-11-22'), null],
    [
      'nothing, to the second',
      nightly,
      on('2026-11-22', '03:17:00'),
      on('2026-11-21', '03:17:00'),
      null,
    ],
    [
      'two nights',
      nightly,
      on('2026-11-22', '04:29:10'),
      on('2026-11-19', '03:59:00'),
      'The schedule "17 3 * * *" missed 2 runs (20 and 21 November, 03:17 UTC); this one began 1 h 12 min late.',
    ],
    [
      'one night',
      nightly,
      on('2026-12-01'),
      on('2026-11-29'),
      'The schedule "17 3 * * *" missed 1 run (30 November, 03:17 UTC).',
    ],
    [
      'nights of two months',
      nightly,
      on('2026-12-03'),
      on('2026-11-29'),
      'The schedule "17 3 * * *" missed 3 runs (30 November, 1 December and 2 December, 03:17 UTC).',
    ],
    [
      'a month',
      nightly,
      on('2026-11-22'),
      on('2026-10-21'),
      'The schedule "17 3 * * *" missed 31 runs (from 22 October, 03:17 to 21 November, 03:17 UTC).',
    ],
    [
      'times of a day',
      '5 */6 * * *',
      on('2026-11-22', '18:06:00'),
      on('2026-11-22', '00:06:00'),
      'The schedule "5 */6 * * *" missed 2 runs (22 November, 06:05 and 22 November, 12:05 UTC).',
    ],
    [
      'weekdays',
      '17 3 * * MON-FRI',
      on('2026-11-24'),
      on('2026-11-20'),
      'The schedule "17 3 * * MON-FRI" missed 1 run (23 November, 03:17 UTC).',
    ],
    [
      'only time',
      nightly,
      on('2026-11-22', '03:58:00'),
      on('2026-11-21'),
      'This run of the schedule "17 3 * * *" began 41 min late.',
    ],
    ['who knows, of no cron', '@daily', on('2026-11-22'), on('2026-10-22'), null],
    ['who knows, of seconds', '* * * * * *', on('2026-11-22'), on('2026-10-22'), null],
    ['who knows, of nonsense', '99 3 * * *', on('2026-11-22'), on('2026-10-22'), null],
    ['nothing, on a day that never comes', '0 0 30 2 *', on('2026-11-22'), on('2026-10-22'), null],
    ['who knows, at no time', nightly, 'yesterday', on('2026-10-22'), null],
  ])('is %s', (_, cron, began, previous, expected) => {
    const gap = findGap({ cron, timezone: 'UTC' }, began, previous)
    expect(gap && describeGap(gap)).toBe(expected)
  })

  it('counts by the clock of its time zone, and no further than is worth it', () => {
    const schedule = { cron: nightly, timezone: 'Europe/Berlin' }
    expect(findGap(schedule, '2026-10-26T02:18:00Z', '2026-10-24T01:18:00Z')).toEqual({
      cron: nightly,
      missed: ['2026-10-25T02:17:00.000Z'],
      missedRuns: 1,
      lateSeconds: 0,
    })
    expect(findGap({ ...schedule, timezone: 'Nowhere' }, on('2026-11-22'), null)).toBeNull()
    const often = { cron: '* * * * *', timezone: 'UTC' }
    expect(findGap(often, on('2026-11-22'), on('2025-11-22'))?.missedRuns).toBe(1000)
  })
})

it.each<[string, string, readonly unknown[]]>([
  [
    'two',
    "on:\n  schedule:\n    - cron: '1 2 * * *'\n    - cron: '3 4 * * *'\n      timezone: Asia/Tokyo\n",
    [
      { cron: '1 2 * * *', timezone: 'UTC' },
      { cron: '3 4 * * *', timezone: 'Asia/Tokyo' },
    ],
  ],
  ['none', 'on: push\n', []],
  ['no YAML', 'on: [', []],
  ['another shape', 'on:\n  schedule: nightly\n', []],
])('schedules are read from a workflow: %s', (_, text, expected) => {
  expect(readSchedules(text)).toEqual(expected)
})
