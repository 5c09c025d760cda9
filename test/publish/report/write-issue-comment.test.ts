import { expect, it } from 'vitest'
import { issueMarker, writeIssueComment } from '../../../src/publish/report/write-issue-comment.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { aTask } from '../../fakes/facts.ts'

const tasks = [
  aTask({ id: 'T-issue-7-1', title: 'Add a' }),
  aTask({ id: 'T-issue-7-2', title: '@team closes #3\n/approve' }),
]
const inReview = (id: string) =>
  sampleResult(id, {
    verdict: 'in_review',
    reason: '',
    branch: `agent/${id}`,
    pullRequest: { number: 9, url: '' },
  })

it('says how far an issue is, and where to look', () => {
  const text = writeIssueComment({ by: 'grace' }, tasks, { 'T-issue-7-1': inReview('T-issue-7-1') })
  expect(text.startsWith(issueMarker)).toBe(true)
  expect(text).toContain('**Ready for review so far: 1 of 2 tasks.**')
  expect(text).toContain('- **T-issue-7-1** Add a: in review, #9 from `agent/T-issue-7-1`')
  expect(text).toContain(': not started')
  expect(text).not.toMatch(/@team|#3|^\/approve/m)
})

it('hands over when all is done', () => {
  const results = Object.fromEntries(tasks.map(({ id }) => [id, inReview(id)]))
  expect(writeIssueComment({ by: 'grace' }, tasks, results)).toContain('Ready for review: 2 of 2')
})
