import { describe, expect, it } from 'vitest'
import { createClock, openBench, refusal, target } from './bench.ts'

describe('issues on the test server', () => {
  it('share their numbers with pull requests, which are issues too', async () => {
    await using bench = await openBench()
    const { issues, pulls } = bench.octokit('owner-token')
    await bench.push('agent/T-1', { a: '1' })
    await issues.create({ ...target, title: 'First', labels: ['executor'] })
    const { data: pull } = await pulls.create({
      ...target,
      head: 'agent/T-1',
      base: 'main',
      title: 'Two',
    })
    const { data: third } = await bench
      .octokit('outsider-token')
      .issues.create({ ...target, title: 'Third', labels: ['executor'], assignees: ['ada'] })

    expect([pull.number, third.number]).toEqual([2, 3])
    expect([third.labels, third.assignees]).toEqual([[], []])
    const numbers = async (query: object): Promise<number[]> =>
      (await issues.listForRepo({ ...target, ...query })).data.map(({ number }) => number)
    expect(await numbers({})).toEqual([3, 2, 1])
    expect(await numbers({ labels: 'Executor' })).toEqual([1])
    expect(await numbers({ creator: 'OSCAR' })).toEqual([3])
    await issues.update({
      ...target,
      issue_number: 1,
      state: 'closed',
      state_reason: 'not_planned',
    })
    expect(await numbers({ direction: 'asc' })).toEqual([2, 3])
    expect(await numbers({ state: 'closed' })).toEqual([1])
    const { data: all } = await issues.listForRepo({ ...target, state: 'all' })
    expect(all.map((issue) => issue.pull_request !== undefined)).toEqual([false, true, false])
    expect(all[2]).toMatchObject({ state_reason: 'not_planned', closed_by: { login: 'ada' } })
    expect(bench.server.contractViolations).toEqual([])
  })

  it('say who set and took off which label, and when, and who closed what', async () => {
    const clock = createClock()
    await using bench = await openBench({}, { now: clock.now })
    const { issues } = bench.octokit('owner-token')
    const issue = { ...target, issue_number: 1 }
    await issues.create({ ...target, title: 'One', body: 'first' })
    clock.tick()
    await bench.octokit('triager-token').issues.addLabels({ ...issue, labels: ['executor'] })
    clock.tick()
    await issues.removeLabel({ ...issue, name: 'executor' })
    clock.tick()
    await bench.octokit('triager-token').issues.update({ ...issue, state: 'closed' })
    await issues.update({ ...issue, state: 'open' })

    const { data } = await issues.listEventsForTimeline(issue)
    const lines = data.map((line) => [
      line.event,
      'actor' in line ? line.actor?.login : null,
      'created_at' in line ? line.created_at : null,
      'label' in line ? line.label?.name : null,
    ])
    expect(lines).toEqual([
      ['labeled', 'tim', '2026-01-02T03:04:06Z', 'executor'],
      ['unlabeled', 'ada', '2026-01-02T03:04:07Z', 'executor'],
      ['closed', 'tim', '2026-01-02T03:04:08Z', null],
      ['reopened', 'ada', '2026-01-02T03:04:08Z', null],
    ])
    expect(bench.server.contractViolations).toEqual([])
  })

  it('list comments of the whole repository by when they were changed', async () => {
    const clock = createClock()
    await using bench = await openBench({}, { now: clock.now })
    const { issues } = bench.octokit('owner-token')
    const ids: number[] = []
    for (const issue_number of [1, 2, 1]) {
      if (ids.length < 2) await issues.create({ ...target, title: 'One' })
      clock.tick()
      const body = `of ${issue_number}`
      ids.push((await issues.createComment({ ...target, issue_number, body })).data.id)
    }
    clock.tick()
    const { data: edited } = await issues.updateComment({
      ...target,
      comment_id: ids[0] ?? 0,
      body: 'edited',
    })
    expect([edited.created_at, edited.updated_at]).toEqual([
      '2026-01-02T03:04:06Z',
      '2026-01-02T03:04:09Z',
    ])
    const list = async (query: object): Promise<number[]> => {
      const { data } = await issues.listCommentsForRepo({ ...target, ...query })
      return data.map(({ id }) => ids.indexOf(id))
    }
    expect(await list({})).toEqual([0, 1, 2])
    expect(await list({ sort: 'updated', direction: 'desc' })).toEqual([0, 2, 1])
    expect(await list({ since: '2026-01-02T03:04:08Z' })).toEqual([0, 2])
    expect(bench.server.contractViolations).toEqual([])
  })

  it('are changed by their author and by those who may', async () => {
    await using bench = await openBench()
    const [outsider, triager, writer] = [
      bench.octokit('outsider-token').issues,
      bench.octokit('triager-token').issues,
      bench.octokit('writer-token').issues,
    ]
    const issue = { ...target, issue_number: 1 }
    await writer.create({ ...target, title: 'One' })
    await outsider.create({ ...target, title: 'Two' })
    expect(await refusal(outsider.update({ ...issue, state: 'closed' }))).toMatch(/^403/)
    expect(await refusal(outsider.addLabels({ ...issue, labels: ['executor'] }))).toMatch(/^403/)
    expect(await refusal(triager.update({ ...issue, body: 'mine now' }))).toMatch(/^403/)
    await outsider.update({ ...target, issue_number: 2, body: 'edited', labels: ['executor'] })
    await triager.update({ ...issue, state: 'closed', labels: ['seen'] })
    expect((await bench.server.state('ada', 'engine')).issues).toMatchObject([
      { state: 'closed', labels: ['seen'] },
      { body: 'edited', labels: [] },
    ])
    expect(bench.server.contractViolations).toEqual([])
  })
})
