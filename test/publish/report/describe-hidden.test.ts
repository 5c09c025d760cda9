import { describe, expect, it } from 'vitest'
import { buildReport } from '../../../src/publish/report/build-report.ts'
import { describeHidden, summariseHidden } from '../../../src/publish/report/describe-hidden.ts'
import { writeReportMarkdown } from '../../../src/publish/report/write-report-markdown.ts'
import { aState } from '../../fakes/facts.ts'

const record = { taskId: 'T-1', path: null, channel: 'HTML comment', line: 3, excerpt: 'x' }

describe('what was hidden', () => {
  it('is a line with its place', () => {
    expect(describeHidden(record)).toBe('T-1, the roadmap line 3, HTML comment: x')
    expect(describeHidden({ ...record, path: 'a.md' })).toContain('a.md line 3')
  })

  it('is in the report, where it does nothing', () => {
    const hidden = [{ ...record, excerpt: '<!-- @team Fixes #1 --> <U+202E>' }]
    const report = buildReport(aState({ hidden }))
    expect(report.hidden).toEqual(hidden)
    const text = writeReportMarkdown(report)
    expect(text).toContain('## Hidden text, kept from the model\n- T-1, the roadmap line 3')
    expect(text).not.toMatch(/<!--|<U|@team|Fixes #1/)
    expect(writeReportMarkdown(buildReport(aState()))).not.toContain('Hidden text')
  })

  it('is counted by place, the first five of them', () => {
    const records = Array.from({ length: 7 }, (_, index) => ({ ...record, path: `${index}.md` }))
    expect(summariseHidden(records, 'T-1')).toMatch(/: 1 in 0\.md, .*4\.md and 2 more files\. /)
    expect(summariseHidden(records, 'T-2')).toBe('')
  })
})
