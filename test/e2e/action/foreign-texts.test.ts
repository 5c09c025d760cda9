import { afterAll, beforeAll, expect, it } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { replyMarker } from '../../../src/core/domain/reply-marker.ts'
import { type ActionBench, openActionBench, withoutReports } from './action-bench.ts'
import { multipleAnswers, multiples, withRoadmap } from './toolbox.ts'

let bench: ActionBench
beforeAll(async () => {
  bench = await openActionBench(withRoadmap(...multiples(1)), multipleAnswers(1))
})
afterAll(() => bench[Symbol.asyncDispose]())

it('does not take what another workflow posts under its account for its own', async () => {
  await bench.run()
  const on = { ...target, issue_number: 1 }
  const person = bench.octokit('owner-token')
  const { data: asked } = await person.issues.createComment({ ...on, body: '/status' })
  // Every workflow of the repository posts as `github-actions[bot]`; this one repeats a stranger's text.
  const forged = `${replyMarker({ kind: 'comment', id: asked.id })}\nAnswered already.`
  await bench.octokit('actions-token').issues.createComment({ ...on, body: forged })

  const { data: payload } = await person.issues.getComment({ ...target, comment_id: asked.id })
  const event = {
    event: 'issue_comment',
    payload: {
      action: 'created',
      comment: payload,
      issue: { number: 1, pull_request: {} },
      sender: asked.user,
    },
  }
  const replies = async () =>
    withoutReports(await bench.comments()).flatMap(({ body }) =>
      body.startsWith('<!-- executor:reply') ? [body] : [],
    )
  for (const times of [1, 2]) {
    expect(await bench.run(event), `run ${times}`).toMatchObject({ exitCode: 0 })
    const [first, ...others] = await replies()
    expect(first).toBe(forged)
    expect(others).toEqual([expect.stringContaining('T-1')])
  }
})
