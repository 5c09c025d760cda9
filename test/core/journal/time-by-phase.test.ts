import { describe, expect, it } from 'vitest'
import type { JournalEntry, JournalEvent } from '../../../src/core/domain/journal-event.ts'
import type { NodeName } from '../../../src/core/domain/steps.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import { timeByPhase } from '../../../src/core/journal/time-by-phase.ts'

const startedAt = '2026-01-02T03:00:00.000Z'
const at = (second: number) =>
  `2026-01-02T03:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000Z`

/** A step of so many seconds that ends at this second of the run. */
type Told = readonly [
  ends: number,
  node: NodeName | 'installed',
  seconds: number,
  task?: string | null,
  outcome?: string,
]

const eventsOf = (told: readonly Told[]): readonly JournalEvent[] =>
  told.map(([ends, node, seconds, task = 'T-1', outcome = 'picked'], seq) => {
    const step = { task, attempt: 1, usage: noUsage, outcome }
    const entry =
      node === 'installed'
        ? { kind: 'installed', tool: 'npm ci', exitCode: 0, seconds }
        : { kind: 'stepped', node, seconds, ...step }
    return { seq, at: at(ends), run: 'run-1', ...(entry as JournalEntry) }
  })

const drawn = (told: readonly Told[], endsAt = at(100)) =>
  [...timeByPhase(eventsOf(told), { startedAt, endsAt })].map(
    ([task, phases]) =>
      `${task ?? 'the run'}: ${phases.map((each) => `${each.phase} ${each.at}+${each.seconds}`).join(', ')}`,
  )

describe('the time of a task', () => {
  it.each<[string, readonly Told[], readonly string[]]>([
    ['of no events', [], []],
    [
      'goes into what its steps do',
      [
        [1, 'parse_roadmap', 1, null],
        [2, 'pick_task', 1],
        [8, 'execute_task', 6],
        [9, 'verify_task', 1],
        [11, 'repair_test', 2],
        [12, 'verify_task', 1],
      ],
      ['the run: other 0+1', 'T-1: other 1+1, model 2+6, tests 8+1, repair 9+2, tests 11+1'],
    ],
    [
      'joins what follows closely, and only that',
      [
        [4, 'plan_task', 4],
        [9, 'execute_task', 5],
        [20, 'execute_task', 2],
      ],
      ['T-1: model 0+9, model 18+2'],
    ],
    [
      'shows what is installed while the model writes, for the task that needs it',
      [
        [1, 'pick_task', 1],
        [5, 'installed', 4],
        [6, 'installed', 1],
        [9, 'execute_task', 8],
      ],
      ['T-1: other 0+1, installing 1+5, model 1+8'],
    ],
    [
      'is not of tests while they wait for an installation',
      [
        [1, 'pick_task', 1],
        [3, 'installed', 2],
        [6, 'installed', 1],
        [9, 'installed', 2],
        [8, 'verify_task', 6],
      ],
      ['T-1: other 0+1, installing 1+2, tests 3+2, installing 5+1, tests 6+1, installing 7+2'],
    ],
    [
      'counts waiting at a terminal, and waiting for an answer that comes in a later step',
      [
        [5, 'await_approval', 5, 'T-1', 'approved'],
        [6, 'await_approval', 1, 'T-2', 'waiting'],
        [6, 'decide_next', 0, 'T-2'],
        [40, 'execute_task', 10, 'T-2'],
      ],
      ['T-1: waiting 0+5', 'T-2: other 5+1, waiting 6+24, model 30+10'],
    ],
    [
      'waits to the end of the run where no answer came',
      [[6, 'await_approval', 1, 'T-2', 'waiting']],
      ['T-2: other 5+1, waiting 6+94'],
    ],
    [
      'begins no earlier than the run, and never lasts a negative time, whatever the clock did',
      [
        [3, 'execute_task', 10],
        [2, 'verify_task', 0],
      ],
      ['T-1: model 0+3'],
    ],
  ])('%s', (_, told, expected) => {
    expect(drawn(told)).toEqual(expected)
  })

  it('is bounded for a task of thousands of steps, and is nothing without a start', () => {
    const told = Array.from({ length: 4_000 }, (_, step): Told => {
      const node = step % 2 === 0 ? 'validate_code' : 'repair_code'
      return [Math.floor(step / 2), node, 0.3]
    })
    const [phases = []] = timeByPhase(eventsOf(told), { startedAt, endsAt: at(0) }).values()
    expect(phases.length).toBeLessThanOrEqual(60)
    expect(phases.every(({ phase }) => phase === 'repair')).toBe(true)
    expect(timeByPhase(eventsOf(told), { startedAt: 'never', endsAt: at(0) }).size).toBe(0)
  })
})
