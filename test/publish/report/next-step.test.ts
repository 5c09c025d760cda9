import { expect, it } from 'vitest'
import type { Verdict } from '../../../src/core/domain/verdict.ts'
import { buildReport } from '../../../src/publish/report/build-report.ts'
import { writeReportMarkdown } from '../../../src/publish/report/write-report-markdown.ts'
import { sampleResult, sampleState } from '../../contracts/run-state.ts'

it.each<[Verdict, boolean, string]>([
  ['failed', true, 'Answer in #7: `/retry`, `/rewrite`, `/decompose` or `/skip`.'],
  ['failed', false, 'Reword the task, or name its id in the next run to try it again.'],
  ['unverified', true, 'Try it yourself before you merge it: no test covers it.'],
  ['deferred', false, 'The next run retries it.'],
  ['waiting', true, 'Answer in #7: `/approve` or `/reject`, or one of the other commands there.'],
  ['waiting', false, 'Run the same command at a terminal to answer.'],
])('the reason comes first, then what to do next: %s', (verdict, isOpened, next) => {
  const reason = 'It needs a file that is not there.'
  const pullRequest = isOpened ? { number: 7, url: 'https://forge.test/7' } : null
  const result = sampleResult('T-1', { verdict, reason, pullRequest, thisRun: true })
  const state = sampleState({ tasks: { results: { 'T-1': result } } })
  expect(writeReportMarkdown(buildReport(state))).toContain(`- **T-1**: ${reason} ${next}\n`)
  const done = sampleState({ tasks: { results: { 'T-1': { ...result, thisRun: false } } } })
  expect(writeReportMarkdown(buildReport(done))).not.toContain(next)
})
