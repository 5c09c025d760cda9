import { describe, expect, it } from 'vitest'
import { changeState } from '../../../src/core/domain/change-state.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import { writeReportComment } from '../../../src/publish/effects/comment-report.ts'
import { buildReport } from '../../../src/publish/report/build-report.ts'
import { readLastRun, writeLastRun } from '../../../src/publish/report/write-last-run.ts'
import { writeReportHtml } from '../../../src/publish/report/write-report-html.ts'
import {
  drawCost,
  drawStack,
  drawTimeline,
  writeReportMarkdown,
} from '../../../src/publish/report/write-report-markdown.ts'
import { sampleResult, sampleState } from '../../contracts/run-state.ts'
import { anAttempt, anOperation, aState } from '../../fakes/facts.ts'
import {
  aCommand,
  actedOn,
  hostileTexts,
  htmlOf,
  nodesOf,
  sourceOfWords,
  wordsOf,
} from './hostile.ts'

/** A run in which everything that others can write says this. */
function saying(text: string): RunState {
  const { receipt } = sampleResult('T-1')
  const result = sampleResult('T-1', {
    title: text,
    reason: text,
    receipt: receipt && {
      ...receipt,
      commands: [{ command: text, exitCode: 1, seconds: 1, output: text }],
      notes: [text],
    },
  })
  return sampleState({
    tasks: { results: { 'T-1': result, 'T-2': { ...result, id: 'T-2', pullRequest: null } } },
    record: {
      errors: [{ code: 'git_failed', message: text, next: text, taskId: null }],
      destructive: (['waiting', 'approved'] as const).map((decision) => ({
        taskId: 'T-1',
        operations: [anOperation({ path: text, operation: text, why: text })],
        decision,
        by: text,
        at: '2026-01-02T03:04:05.000Z',
        patch: text,
      })),
      recoveries: [
        {
          taskId: 'T-1',
          proposal: { strategy: 'DEFER', reason: 'unknown', explanation: text, tasks: [] },
          decision: 'approved',
          by: text,
          at: '2026-01-02T03:04:05.000Z',
        },
      ],
    },
    progress: { limits: [text] },
    roadmap: { changes: [text] },
  })
}

/** The same where somebody has written into the state what no run does. */
function tampered(text: string): RunState {
  const state = saying(text)
  const results = Object.entries(state.tasks.results).map(([id, result]) => [
    id,
    { ...result, id: `${id} ${text}` },
  ])
  return changeState(state, {
    tasks: { results: Object.fromEntries(results) },
    record: {
      errors: state.record.errors.map((error) => ({ ...error, taskId: text })),
      recoveries: state.record.recoveries.map((recovery) => ({ ...recovery, taskId: text })),
    },
  })
}

/** The blocks and tables of a text, without its words. */
const shapeOf = (markdown: string) =>
  nodesOf(markdown).flatMap(({ type }) =>
    ['heading', 'table', 'tableRow', 'tableCell', 'list', 'listItem', 'code', 'image'].includes(
      type,
    )
      ? [type]
      : [],
  )

describe('hostile words', () => {
  it.each(hostileTexts)('do nothing in report.md: %j', (text) => {
    const markdown = writeReportMarkdown(buildReport(saying(text)))
    expect(wordsOf(markdown).replaceAll(/^#\d+$/gm, '')).not.toMatch(actedOn)
    expect(sourceOfWords(markdown)).not.toMatch(aCommand)
    const outputs = ['<details><summary>The last lines of command 1</summary>', '</details>']
    expect(htmlOf(markdown)).toEqual([
      ...[...outputs, ...outputs],
      '<details><summary>The change of T-1 that waits</summary>',
      '</details>',
    ])
    expect(shapeOf(markdown)).toEqual(shapeOf(writeReportMarkdown(buildReport(saying('calm')))))
  })

  it.each(hostileTexts)('do nothing in report.html: %j', (text) => {
    const tags = (html: string) => html.match(/<(?!\/?code>)[^>]*>/g)
    const html = writeReportHtml(buildReport(saying(text)))
    expect(tags(html)).toEqual(tags(writeReportHtml(buildReport(saying('calm')))))
  })

  it.each(hostileTexts)('do nothing as the ids of a state that was tampered with: %j', (text) => {
    const reports = [tampered(text), tampered('calm')].map((state) => buildReport(state))
    const [tags, calm] = reports.map((report) =>
      writeReportHtml(report).match(/<(?!\/?code>)[^>]*>/g),
    )
    expect(tags).toEqual(calm)
    const [shape, calmShape] = reports.map((report) => shapeOf(writeReportMarkdown(report)))
    expect(shape).toEqual(calmShape)
  })

  it.each(hostileTexts)('do nothing in the last run on the dashboard: %j', (text) => {
    const ran = writeLastRun(saying(text))
    expect(htmlOf(ran).map((html) => html.replace(/Last run: [^<]*/, ''))).toEqual([
      '<!-- executor:last-run -->',
      '<details><summary></summary>',
      '</details>\n<!-- executor:last-run-end -->',
    ])
    expect(sourceOfWords(ran)).not.toMatch(aCommand)
    expect(wordsOf(ran).replaceAll(/^#\d+$/gm, '')).not.toMatch(actedOn)
  })

  it.each(hostileTexts)('do nothing in the comment on a pull request: %j', (text) => {
    const [comment, calm] = [text, 'calm'].map((said) =>
      writeReportComment(buildReport(saying(said)), 1),
    )
    expect(sourceOfWords(comment ?? '')).not.toMatch(aCommand)
    expect(wordsOf(comment ?? '').replaceAll(/^#\d+$/gm, '')).not.toMatch(actedOn)
    expect(shapeOf(comment ?? '')).toEqual(shapeOf(calm ?? ''))
  })

  it.each(hostileTexts)('are inert in pictures: %j', (text) => {
    const drawing = drawTimeline(buildReport(saying(text)))
    const [head, format, axis, title, ...bars] = drawing.split('\n')
    expect([head, format, axis, title]).toEqual([
      'gantt',
      '  dateFormat X',
      '  axisFormat %M:%S',
      '  title Time by task',
    ])
    expect(bars).toHaveLength(2)
    for (const bar of bars) expect(bar).toMatch(/^ {2}T-\d[^:;#"<>[\]{}`%]* :\d+, \d+$/)
  })
})

describe('the comment on a pull request', () => {
  const report = (count: number) => {
    const results = Array.from({ length: count }, (_, index) => {
      const number = index + 1
      const pullRequest = { number, url: `https://github.com/ada/shop/pull/${number}` }
      return [`T-${number}`, sampleResult(`T-${number}`, { pullRequest })] as const
    })
    return buildReport(sampleState({ tasks: { results: Object.fromEntries(results) } }))
  }

  it('has five lines, and the report below', () => {
    const [head = '', folded = ''] = writeReportComment(report(12), 2).split('\n\n<details>')
    const lines = head.split('\n')
    expect(lines.length).toBeLessThanOrEqual(5)
    expect(lines[0]).toMatch(/^- \*\*12 pull requests to review/)
    expect(lines[1]).toMatch(/^- This pull request: \*\*T-2\*\* in review/)
    expect(lines[2]).toContain('[#1](https://github.com/ada/shop/pull/1) **T-1** in review')
    expect(lines[2]).toMatch(/\[#9\].*, and 3 more$/)
    expect(folded).toContain('# Run ')
  })

  it('says once that a task is unverified', () => {
    const { tasks, ...others } = report(1)
    const unverified = tasks.map((task) => ({
      ...task,
      outcome: 'unverified' as const,
      receipt: task.receipt && { ...task.receipt, evidence: 'unverified' as const },
    }))
    const words = writeReportComment({ ...others, tasks: unverified }, 1)
    expect(words).toMatch(/^- This pull request: \*\*T-1\*\* unverified$/m)
  })

  it('is no longer than GitHub accepts', () => {
    const long = writeReportComment(report(2_000), 2)
    expect(long.length).toBeLessThanOrEqual(65_000)
    expect(htmlOf(long).at(-1)).toBe('</details>')
  })
})

describe('report.md', () => {
  it('says to people what report.json says', () => {
    const state = sampleState({
      run: { completedAt: '2026-01-02T04:00:00.000Z' },
      progress: { retryAt: '2026-01-02T06:00:00.000Z' },
    })
    const markdown = writeReportMarkdown(buildReport(state))
    for (const part of [
      '# Run run-1',
      '**1 pull request to review** · success rate: 100 % · LEI 2.5 (stubs per 1,000 changed lines) · 0 of 1 recoveries succeeded (0 %, target 60 %) · 20.0 s · 720 tokens in 2 requests · $0.0012',
      'From 2026-01-02T03:04:05.000Z to 2026-01-02T04:00:00.000Z, on `main` at `bbbbbbb`. Come back after 2026-01-02T06:00:00.000Z.',
      '- **git_failed**: m\n  Next: n',
      '| **T-1** Task T-1 | in_review | [#7](https://example.org/pull/7) | 1 | 0 | 720 | $0.0012 | 12.5 s |',
      '- **T-1** passed: npm test → 0',
      '  - one flaky test',
      '| T-5 | DEFER | approved by ada | 2026-01-02T03:04:05.000Z | later |',
      '- added T-5-a',
      '- 5 open pull requests',
      '| execute_task | 2 | 720 | 100.0 % | $0.0012 | 9.00 s |',
      '```mermaid\nflowchart LR',
    ]) {
      expect(markdown).toContain(part)
    }
  })

  it('says when there was nothing to do, and that a dry run was one', () => {
    const markdown = writeReportMarkdown(buildReport(aState({ run: { dryRun: true } })))
    expect(markdown).toMatch(/^# \[DRY RUN\] Run run-1/)
    expect(markdown).toContain('There was nothing to do.')
    expect(markdown).not.toContain('mermaid')
  })

  it('shows what an installer said as it said it, and claims no success where nothing was tried', () => {
    const output = 'ERROR: No matching *distribution*'
    const message = 'pip install failed: exit code 1.'
    const errors = [
      { code: 'not_prepared' as const, message, next: 'Mend that.', taskId: null, output },
    ]
    const preview = { tasks: 2, tokens: 1, dollars: null, pastTasks: 0, warnings: 0 }
    const report = buildReport(aState({ record: { errors }, roadmap: { preview } }))
    expect(report.successRate).toBe(0)
    expect(writeReportMarkdown(report)).toContain(
      'exit code 1.\n  Next: Mend that.\n\n```\nERROR: No matching *distribution*\n```',
    )
    expect(writeReportMarkdown(report)).toContain('No task was started.')
    const begun = buildReport(aState({ record: { errors }, attempt: anAttempt() }))
    expect(writeReportMarkdown(begun)).toContain('T-1 was started, but no task is finished yet.')
  })
})

describe('pictures', () => {
  const sha = (letter: string) => letter.repeat(40)
  const results = {
    'T-1.1': sampleResult('T-1.1', { sha: sha('1'), start: sha('b') }),
    'T-1-1': sampleResult('T-1-1', { sha: sha('2'), start: sha('1'), pullRequest: null }),
    'T-3': sampleResult('T-3', { verdict: 'failed', sha: null, branch: null, seconds: 0.2 }),
  }
  const report = buildReport(sampleState({ tasks: { results } }))

  it('show what grows from what, and keep alike ids apart', () => {
    expect(drawStack(report)).toBe(`flowchart LR
  base(["main"])
  t1["T-1.1 PR 7"]
  t2["T-1-1"]
  base --> t1
  t1 --> t2`)
  })

  it('show time and tokens', () => {
    expect(drawTimeline(report).split('\n').slice(4)).toEqual([
      '  T-1.1 Task T-1.1 :0, 13',
      '  T-1-1 Task T-1-1 :13, 26',
      '  T-3 Task T-3 :crit, 26, 27',
    ])
    const side = {
      ...report,
      tasks: report.tasks.map((task, at) => ({
        ...task,
        phases: [{ phase: 'model', at: at * 2, seconds: 10 } as const],
      })),
    }
    const places = drawTimeline(side)
      .split('\n')
      .slice(4)
      .map((line) => line.split(':').at(-1))
    // Tasks side by side overlap.
    expect(places.slice(0, 2)).toEqual([
      expect.stringMatching(/0, 10$/),
      expect.stringMatching(/2, 12$/),
    ])
    expect(drawCost(report)).toBe('pie showData title Tokens by step\n  "execute_task" : 720')
  })

  it('are left out where there is nothing to draw', () => {
    const nothing = buildReport(aState())
    expect([drawStack(nothing), drawTimeline(nothing), drawCost(nothing)]).toEqual(['', '', ''])
  })
})

describe('the last run on the dashboard', () => {
  const earlier = sampleResult('T-2', { thisRun: false })
  const untried = sampleResult('T-3', { attempts: 0 })
  const results = { 'T-1': sampleResult('T-1'), 'T-2': earlier, 'T-3': untried }
  const ran = writeLastRun(sampleState({ tasks: { results } }))

  it('has a row for each task that the run tried', () => {
    expect(ran.match(/\*\*T-\d\*\*/g)).toEqual(['**T-1**'])
    expect(ran).toContain('run-1')
  })

  it('is found again in a body, however its lines end', () => {
    expect(readLastRun(`Above\n\n${ran}\n\nBelow`.replaceAll('\n', '\r\n'))).toBe(ran)
    expect(readLastRun('<!-- executor:last-run -->\nNo end')).toBe('')
    expect(readLastRun('')).toBe('')
  })
})

it('says what was expected, and that the roadmap has warnings', () => {
  const written = writeReportMarkdown(buildReport(sampleState()))
  expect(written).toContain(
    'Forecast: 2 open tasks, about 3,000 tokens, $0.0100 (a guess, until three tasks are done). The roadmap has 1 warning: `executor lint` shows them.',
  )
})
