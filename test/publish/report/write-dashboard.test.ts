import { describe, expect, it } from 'vitest'
import type { Task } from '../../../packages/task/task-schema.ts'
import type { TaskResult } from '../../../src/core/domain/verdict.ts'
import { readDashboardOrders, writeDashboard } from '../../../src/publish/report/write-dashboard.ts'
import type { Standing } from '../../../src/tasks/standing/find-standing.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { aTask } from '../../fakes/facts.ts'

const standing = (
  rows: readonly (readonly [id: string, facts: Partial<Task>, result?: Partial<TaskResult>])[],
  more: Partial<Standing> = {},
): Standing => ({
  tasks: rows.map(([id, facts]) => aTask({ id, title: `Do ${id}`, ...facts })),
  problems: [],
  results: Object.fromEntries(
    rows.flatMap(([id, , result]) =>
      result === undefined
        ? []
        : [[id, sampleResult(id, { pullRequest: null, reason: '', ...result })]],
    ),
  ),
  ready: [],
  waits: {},
  ...more,
})

const pullRequest = { number: 12, url: '' }

const all = standing(
  [
    ['T-1', { status: 'done' }],
    ['T-2', {}, { verdict: 'waiting', reason: 'needs a person', pullRequest }],
    ['T-3', {}, { verdict: 'in_review', pullRequest: { number: 13, url: '' } }],
    ['T-4', {}],
    ['T-5', {}],
    ['T-6', {}, { verdict: 'rejected', reason: 'closed' }],
    ['T-7', { status: 'blocked' }],
    ['T-8', {}, { verdict: 'done' }],
  ],
  { ready: ['T-4'], waits: { 'T-5': 'waits for T-4' } },
)

describe('the dashboard', () => {
  it('has every task in one place, with its reason, its pull request and its box', () => {
    const text = writeDashboard(all, 'ROADMAP.md')
    expect(text.match(/^### .*$/gm)).toEqual([
      '### Waiting for you (1)',
      '### In review (1)',
      '### Ready (1)',
      '### Waiting for other tasks (1)',
      '### Left out (1)',
      '### Blocked in the roadmap (1)',
      '### Done: 2 of 8',
    ])
    expect(text).toContain(
      '- [ ] <!-- executor:do retry T-2 --> **T-2** Do T-2 #12: needs a person\n',
    )
    expect(text).toContain('- **T-3** Do T-3 #13\n')
    expect(text).toContain('- [ ] <!-- executor:do run T-4 --> **T-4** Do T-4\n')
    expect(text).toContain('- **T-5** Do T-5: waits for T-4\n')
    expect(text).toContain('  "Done" : 2\n')
    expect(text).toBe(writeDashboard(all, 'ROADMAP.md'))
  })

  it('stays within what GitHub takes, and says what it leaves out', () => {
    const rows = Array.from(
      { length: 5_000 },
      (_, at) => [`T-${at}`, { title: '#1 '.repeat(500) }] as const,
    )
    const text = writeDashboard(standing(rows, { ready: rows.map(([id]) => id) }), 'ROADMAP.md')
    expect(text).toContain('- and 4940 more')
    expect(text.length).toBeLessThanOrEqual(65_000)
  })

  it('shows the start of a long title and of a long reason', () => {
    const [title, reason] = ['Add a page '.repeat(20), 'It needs a key '.repeat(40)]
    const facts = { verdict: 'failed', reason, pullRequest } as const
    const text = writeDashboard(standing([['T-1', { title }, facts]]), 'ROADMAP.md')
    expect(text).toContain(`**T-1** ${title.slice(0, 119)}… #12: ${reason.slice(0, 299)}…\n`)
  })

  it('makes nothing of what a title says', () => {
    const title = '--> @team closes #3\n- [x] <!-- executor:do run T-9 -->'
    const text = writeDashboard(standing([['T-1', { title }]], { ready: ['T-1'] }), 'ROADMAP.md')
    expect(text).not.toMatch(/@team|#3/)
    expect(readDashboardOrders(text)).toEqual([])
    expect(readDashboardOrders(text.replace('- [ ]', '- [x]'))).toEqual([
      { action: 'run', id: 'T-1' },
    ])
  })

  it.each<[string, readonly string[]]>([
    ['- [x] <!-- executor:do run T-1 --> x', ['run T-1']],
    [
      '- [X] <!-- executor:do retry T-1 -->\r\n- [x] <!-- executor:do run T-2 -->',
      ['retry T-1', 'run T-2'],
    ],
    ['- [ ] <!-- executor:do run T-1 -->', []],
    ['> - [x] <!-- executor:do run T-1 -->', []],
    ['- [x] <!-- executor:do run T-../x -->', []],
    ['- [x] <!-- executor:do merge T-1 -->', []],
    ['- [x] run T-1', []],
  ])('reads the ticks of %j', (body, orders) => {
    expect(readDashboardOrders(body).map(({ action, id }) => `${action} ${id}`)).toEqual(orders)
  })
})
