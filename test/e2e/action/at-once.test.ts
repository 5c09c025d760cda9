/**
 * Several bundled Actions on one repository: one works on a task, the other leaves it alone; a machine that
 * is gone is followed by a third; and a command that is delivered twice is obeyed once.
 */
import { expect, it, vi } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { replyMarker } from '../../../src/core/domain/reply-marker.ts'
import { openActionBench } from './action-bench.ts'
import { multipleAnswers, multiples, withRoadmap } from './toolbox.ts'

const path = '.github/workflows/executor.yml'
const config = 'merge-on-approve: true\nmerge-without-checks: true\n'

it('two at once do not work on the same task, nor obey a command twice; a third takes over from the dead', async () => {
  const [answer] = multipleAnswers(1)
  if (answer === undefined) throw new Error('there is no answer')
  const silence = { text: '', fault: { kind: 'slow', seconds: 600 } } as const
  await using bench = await openActionBench(
    { ...withRoadmap(...multiples(1)), '.github/executor.yml': config },
    [{ ...answer, answers: [silence, ...answer.answers] }],
    {},
    // A comment is never as old as the proposal it answers.
    { now: () => new Date(Date.now() + 3_000) },
  )
  const { server, model } = bench
  const begin = async (event: string) => {
    const { id } = await server.startRun('ada', 'engine', { path, event, branch: 'main' })
    const env = { GITHUB_RUN_ID: String(id) }
    return { id, env }
  }
  const claims = async () => {
    await bench.git('fetch', '--quiet', '--prune', 'origin', '+refs/executor/*:refs/kept/*')
    const refs = await bench.git('for-each-ref', '--format=%(refname)', 'refs/kept/claim')
    return refs.split('\n').map((ref) => ref.replace(/.*\//, ''))
  }

  const machine = new AbortController()
  const one = await begin('schedule')
  const lost = bench.run({ env: one.env, vanish: machine.signal })
  await vi.waitFor(() => expect(model.requests).toHaveLength(1), { timeout: 60_000 })
  const two = await begin('schedule')
  const polite = await bench.run({ env: two.env })
  expect(polite).toMatchObject({ exitCode: 0, outputs: { completed: '0', failed: '0' } })
  const said = `T-1 is left alone: run ${one.id} of this repository's workflow is working on it.`
  expect(polite.summary).toContain(said)
  expect(JSON.parse(polite.left['report.json'] ?? '').held).toEqual([said])
  expect(model.requests).toHaveLength(1)

  machine.abort()
  expect((await lost).exitCode).toBe(-1)
  expect(await claims()).toContain('T-1')
  server.endRun('ada', 'engine', one.id)
  const third = await bench.run({ env: (await begin('schedule')).env })
  expect(third, third.stdout).toMatchObject({ exitCode: 0, outputs: { completed: '1' } })
  expect(model.requests).toHaveLength(2)
  expect(await claims()).toEqual([''])
  expect(await bench.pulls()).toMatchObject([{ number: 1, head: 'agent/T-1', state: 'open' }])

  const owner = bench.octokit('owner-token')
  const { data: comment } = await bench
    .octokit('writer-token')
    .issues.createComment({ ...target, issue_number: 1, body: '/approve' })
  const payload = {
    action: 'created',
    comment,
    issue: (await owner.issues.get({ ...target, issue_number: 1 })).data,
    repository: (await owner.repos.get(target)).data,
  }
  const deliver = async () =>
    bench.run({ event: 'issue_comment', payload, env: (await begin('issue_comment')).env })
  const passes = await Promise.all([deliver(), deliver()])
  expect(passes.map(({ exitCode }) => exitCode)).toEqual([0, 0])
  expect(await bench.pulls()).toMatchObject([{ state: 'merged' }])
  const replies = (await bench.comments()).filter(({ body }) =>
    body.includes(replyMarker({ kind: 'comment', id: comment.id })),
  )
  expect(replies).toHaveLength(1)
  expect(model.requests).toHaveLength(2)
}, 120_000)
