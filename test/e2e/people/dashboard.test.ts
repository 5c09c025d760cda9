import { expect, it } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { dashboardMarker } from '../../../src/publish/report/write-dashboard.ts'
import { openActionBench, writesOf } from '../action/action-bench.ts'
import { multipleAnswers, multiples, withRoadmap } from '../action/toolbox.ts'

const env = { EXECUTOR_DASHBOARD: 'true' }

it('keeps one dashboard, which says how every task stands and obeys its boxes', async () => {
  const files = withRoadmap(...multiples(3))
  await using bench = await openActionBench(files, multipleAnswers(3))
  await bench.run({ env, inputs: { 'max-tasks': '1' } })
  const dashboards = async () => {
    const { data } = await bench
      .octokit('owner-token')
      .issues.listForRepo({ ...target, labels: 'executor:dashboard' })
    return data
  }
  const [dashboard] = await dashboards()
  const body = dashboard?.body ?? ''
  expect(body).toContain(dashboardMarker)
  expect(body).toContain('### In review (1)\n\n- **T-1** Multiply by 2')
  expect(body).toContain('### Ready (2)')

  const number = dashboard?.number ?? 0
  const ticked = body.replace(
    '- [ ] <!-- executor:do run T-3 -->',
    '- [x] <!-- executor:do run T-3 -->',
  )
  await bench
    .octokit('writer-token')
    .issues.update({ ...target, issue_number: number, body: ticked })
  const { data: issue } = await bench
    .octokit('owner-token')
    .issues.get({ ...target, issue_number: number })
  const payload = {
    action: 'edited',
    issue,
    changes: { body: { from: body } },
    sender: { login: 'grace', id: 2, type: 'User' },
    repository: {
      default_branch: 'main',
      full_name: 'ada/engine',
      name: 'engine',
      owner: { login: 'ada' },
    },
  }
  const run = await bench.run({ event: 'issues', payload, env })
  expect(run).toMatchObject({ exitCode: 0, modelCalls: 1 })
  expect((await bench.pulls()).map(({ head }) => head)).toEqual(['agent/T-1', 'agent/T-3'])
  const [after] = await dashboards()
  expect(after?.body).not.toContain('[x]')
  expect(after?.body).toContain('### In review (2)')

  await bench
    .octokit('owner-token')
    .issues.addLabels({ ...target, issue_number: number, labels: ['executor:stop'] })
  const stopped = await bench.run({ env })
  expect(stopped).toMatchObject({ exitCode: 0, modelCalls: 0 })
  expect(writesOf(stopped)).toEqual([])
  expect(stopped.stdout).toContain('executor:stop')
})
