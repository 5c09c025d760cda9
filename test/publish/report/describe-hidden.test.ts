import { describe, expect, it } from 'vitest'
import { buildReport } from '../../../src/publish/report/build-report.ts'
import { writePullRequest } from '../../../src/publish/report/write-pull-request.ts'
import { writeReportMarkdown } from '../../../src/publish/report/write-report-markdown.ts'
import { anAttempt, aState, someSettings } from '../../fakes/facts.ts'

const record = { taskId: 'T-1', path: null, channel: 'HTML comment', line: 3, excerpt: 'x' }

describe('what was hidden', () => {
  it('is a line with its place', () => {
    const hidden = [record, { ...record, path: 'a.md' }]
    expect(writeReportMarkdown(buildReport(aState({ record: { hidden } })))).toContain(
      '\n- T-1, the roadmap line 3, HTML comment: x\n- T-1, a.md line 3, HTML comment: x\n',
    )
  })

  it('is in the report, where it does nothing', () => {
    const hidden = [{ ...record, excerpt: '<!-- @team Fixes #1 --> <U+202E>' }]
    const report = buildReport(aState({ record: { hidden } }))
    expect(report.hidden).toEqual(hidden)
    const text = writeReportMarkdown(report)
    expect(text).toContain('## Hidden text, kept from the model\n- T-1, the roadmap line 3')
    expect(text).not.toMatch(/<!--|<U|@team|Fixes #1/)
    expect(writeReportMarkdown(buildReport(aState()))).not.toContain('Hidden text')
  })

  it('is counted by place, the first five of them', () => {
    const hidden = Array.from({ length: 7 }, (_, index) => ({ ...record, path: `${index}.md` }))
    const bodyWith = (taskId: string) => {
      const own = hidden.map((each) => ({ ...each, taskId }))
      const run = { run: { id: 'run-1' }, record: { hidden: own } }
      return writePullRequest(anAttempt(), run, someSettings()).body
    }
    expect(bodyWith('T-1')).toMatch(
      /^- Hidden text was kept .* model: 1 in 0\.md, .*4\.md and 2 more files\. /m,
    )
    expect(bodyWith('T-2')).not.toContain('kept from the model')
  })
})
