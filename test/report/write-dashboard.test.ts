import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it, test } from 'vitest'
import type { Verdict } from '../../src/domain/verdict.ts'
import {
  type DashboardFacts,
  dashboardMarker,
  readDashboardOrders,
  writeDashboard,
} from '../../src/report/write-dashboard.ts'

const url = 'https://github.com/o/r/pull/5'
const task = (id: string, title = `Title of ${id}`, status = 'pending') => ({ id, title, status })
const result = (
  verdict: Verdict,
  reason = '',
  pullRequest: { number: number; url: string } | null = null,
) => ({
  verdict,
  reason,
  pullRequest,
})

const facts: DashboardFacts = {
  tasks: [
    task('T-1', 'Started', 'done'),
    ...['T-2', 'T-3', 'T-4', 'T-5', 'T-6', 'T-7', 'T-8', 'T-9', 'T-10'].map((id) => task(id)),
    task('T-11', 'Given up', 'cancelled'),
  ],
  results: {
    'T-2': result('in_review', '', { number: 5, url }),
    'T-3': result('waiting', 'A proposal asks for your answer.', { number: 6, url }),
    'T-4': result('failed', 'Tests stay red.'),
    'T-5': result('deferred', 'T-9 comes first.'),
    'T-6': result('rejected', 'Closed by ada.', { number: 8, url }),
    'T-10': result('done'),
  },
  running: ['T-7'],
  ready: ['T-8'],
  waits: { 'T-9': 'It waits for T-8.' },
}

describe('the dashboard', () => {
  it('says of each task where it is, why, and what can be done', () => {
    expect(writeDashboard(facts)).toMatchInlineSnapshot(`
      "<!-- executor:dashboard -->

      2 of 11 tasks are done. Whoever may write here can tick a box, and that is done; or comment \`/run T-1\`. The label \`executor:stop\` on this issue stops everything.

      ### Waiting for you (1)

      - **T-3** Title of T-3 in [#6](https://github.com/o/r/pull/5): A proposal asks for your answer.

      ### Running (1)

      - **T-7** Title of T-7

      ### In review (1)

      - **T-2** Title of T-2 in [#5](https://github.com/o/r/pull/5)

      ### Ready (1)

      - [ ] <!-- executor:do run all --> **run all of them now**
      - [ ] <!-- executor:do run T-8 --> run **T-8** Title of T-8

      ### Failed (1)

      - [ ] <!-- executor:do retry T-4 --> retry **T-4** Title of T-4: Tests stay red.

      ### Deferred (1)

      - [ ] <!-- executor:do retry T-5 --> retry **T-5** Title of T-5: T-9 comes first.

      ### Blocked (1)

      - **T-9** Title of T-9: It waits for T-8.

      ### Skipped or rejected (1)

      - [ ] <!-- executor:do retry T-6 --> retry **T-6** Title of T-6 in [#8](https://github.com/o/r/pull/5): Closed by ada.
      "
    `)
  })

  it('is the same text for the same facts', () => {
    expect(writeDashboard(structuredClone(facts))).toBe(writeDashboard(facts))
  })

  const hostile: readonly string[] = [
    '<!-- executor:do run T-99 --> run',
    '- [x] <!-- executor:do run T-99 -->',
    'one\n- [ ] <!-- executor:do run T-99 --> two\r\n### Ready (9)',
    'a --> b <!-- c',
    '[x](https://evil.test) ![i](https://evil.test/i.png) <img src=x>',
    '@team Fixes #1 /approve ::error::',
    '`'.repeat(7),
    '\u2028- [ ] <!-- executor:do run T-99 -->',
    'é'.repeat(5000),
  ]
  test.for(hostile)('keeps a hostile title and reason on their line: %j', (text) => {
    const body = writeDashboard({
      ...facts,
      tasks: [task('T-8', text), task('T-4', text), task('T-99/../x', text)],
      results: { 'T-4': result('failed', text, { number: 5, url: `https://x/) ${text}` }) },
    })
    const boxes = body.split('\n').filter((line) => line.startsWith('- ['))
    expect(boxes.map((line) => line.replace(/ -->.*/, ''))).toEqual([
      '- [ ] <!-- executor:do run all',
      '- [ ] <!-- executor:do run T-8',
      '- [ ] <!-- executor:do retry T-4',
    ])
    const ticked = body.replaceAll('[ ]', '[x]')
    expect(readDashboardOrders(body, ticked).map(({ id }) => id)).toEqual([null, 'T-8', 'T-4'])
    expect(body.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(2)
    expect(body).not.toContain('](https://x')
    const tree = JSON.stringify(
      fromMarkdown(body, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }),
    )
    expect(tree).not.toContain('"type":"image"')
    expect(tree.match(/"type":"html"/g)).toHaveLength(4)
    expect(tree.match(/"checked":(?:true|false)/g)).toHaveLength(3)
  })

  it('fits into an issue, however much there is', () => {
    const tasks = Array.from({ length: 5000 }, (_, at) => task(`T-${at}`, 'x&'.repeat(200)))
    const body = writeDashboard({ ...facts, tasks, results: {}, ready: tasks.map(({ id }) => id) })
    expect(body.length).toBeLessThanOrEqual(65_536)
    expect(body.startsWith(dashboardMarker)).toBe(true)
    expect(body).toMatch(/\n- and 4,?\d{3} more\n/)
  })
})

describe('what a person ordered', () => {
  const before = writeDashboard(facts)
  const tick = (body: string, what: string) =>
    body.replace(`- [ ] <!-- executor:do ${what} -->`, `- [x] <!-- executor:do ${what} -->`)

  const cases: readonly [string, string, string, readonly object[]][] = [
    ['nothing', before, before, []],
    ['one task', before, tick(before, 'run T-8'), [{ does: 'run', id: 'T-8' }]],
    [
      'a capital X',
      before,
      tick(before, 'run T-8').replace('[x]', '[X]'),
      [{ does: 'run', id: 'T-8' }],
    ],
    [
      'another line end',
      before,
      tick(before, 'run T-8').replaceAll('\n', '\r\n'),
      [{ does: 'run', id: 'T-8' }],
    ],
    [
      'two',
      before,
      tick(tick(before, 'retry T-4'), 'run all'),
      [
        { does: 'run', id: null },
        { does: 'retry', id: 'T-4' },
      ],
    ],
    ['what was ticked before', tick(before, 'run T-8'), tick(before, 'run T-8'), []],
    ['what is no longer ticked', tick(before, 'run T-8'), before, []],
    ['a box of their own', before, `${before}- [x] <!-- executor:do run T-77 --> x\n`, []],
    [
      'a quoted box',
      before,
      `${before}> ${tick(before, 'run T-8')}`.replace(/^- \[x\].*$/gm, ''),
      [],
    ],
    [
      'the same box twice',
      before,
      `${tick(before, 'run T-8')}${tick(before, 'run T-8')}`,
      [{ does: 'run', id: 'T-8' }],
    ],
    ['an emptied issue', before, '', []],
  ]
  test.for(cases)('%s', ([, from, to, expected]) => {
    expect(readDashboardOrders(from, to)).toEqual(expected)
  })
})
