/** A run's report is one comment on each of its pull requests, and a proposal's question one on its line, whatever happens. */
import { expect, it } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { reportMarker } from '../../../src/publish/effects/comment-report.ts'
import { failing, proposal, writes } from '../people/script.ts'
import { openActionBench } from './action-bench.ts'
import { withRoadmap } from './toolbox.ts'

const roadmap = withRoadmap('T-1: Add a and b', 'T-2: Add c', 'T-3: Add d')
const script = [
  ...failing('T-1', 'task_too_complex', proposal('a', 'b')),
  writes('T-2', 'c', 3),
  writes('T-3', 'd', 4),
]

it('are there once after a lost answer, a second run, a kill and a third run', async () => {
  await using bench = await openActionBench(roadmap, script)
  const { faults } = bench.server
  const lost = { kind: 'drop', when: 'after' } as const
  const issue = '/repos/{owner}/{repo}/issues/{issue_number}/comments'
  const line = '/repos/{owner}/{repo}/pulls/{pull_number}/comments'
  for (const path of [issue, line]) faults.add({ method: 'POST', path, effect: lost })
  const first = await bench.run({ inputs: { 'max-tasks': '2' } })
  expect(first.stdout).toContain('T-2')

  const vanish = new AbortController()
  const edit = '/repos/{owner}/{repo}/issues/comments/{comment_id}'
  const met = () => vanish.abort()
  faults.add({ method: 'PATCH', path: edit, effect: { kind: 'drop', when: 'before', met } })
  faults.add({ method: 'POST', path: issue, effect: { kind: 'drop', when: 'after', met } })
  const second = await bench.run({ vanish: vanish.signal })
  expect(second.exitCode).toBe(-1)
  await bench.run()

  const pulls = await bench.pulls()
  expect(pulls.map(({ head }) => head).sort()).toEqual([
    ...['agent/T-2', 'agent/T-3', 'executor/recovery/T-1'],
  ])
  const comments = await bench.comments()
  const person = bench.octokit('owner-token')
  for (const { number, head } of pulls) {
    const reports = comments.filter(
      ({ pull, body }) => pull === number && body.startsWith(reportMarker),
    )
    expect(reports, head).toHaveLength(1)
    const { data } = await person.pulls.listReviewComments({ ...target, pull_number: number })
    expect(data.map(({ path }) => path)).toEqual(head.startsWith('agent/') ? [] : ['ROADMAP.md'])
  }
}, 120_000)
