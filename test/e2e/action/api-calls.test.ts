import { expect, it } from 'vitest'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { readRoadmap } from '../../../packages/roadmap/document/read-roadmap.ts'
import { label, taskMarker, trailer } from '../../../src/core/domain/identity.ts'
import { openActionBench, writesOf } from './action-bench.ts'
import { multipleAnswers, multiples, withRoadmap } from './toolbox.ts'

it('spends at most 12 API calls on a finished task with a dashboard, half of its reads known', async () => {
  await using bench = await openActionBench(withRoadmap(...multiples(2)), multipleAnswers(2))
  const dashboard = { EXECUTOR_DASHBOARD: 'true' }
  const night = () => bench.run({ inputs: { 'max-tasks': '1' }, env: dashboard })
  // The second finds a pull request and a dashboard.
  for (const nth of ['first', 'second']) {
    const { outputs, apiCalls, gitCalls, summary } = await night()
    expect(outputs.completed, nth).toBe('1')
    const reads = apiCalls.filter(({ method }) => method === 'GET')
    const known = reads.filter(({ status }) => status === 304)
    console.log(
      `The ${nth} finished task: ${apiCalls.length} API calls, ${known.length} of ${reads.length} reads by ETag, ${gitCalls.length} of git.`,
    )
    expect(apiCalls.length, nth).toBeLessThanOrEqual(12)
    expect(known.length * 2, nth).toBeGreaterThanOrEqual(reads.length)
    expect(apiCalls.filter(({ writes }) => writes)).toHaveLength(4)
    expect(summary).toContain(
      `GitHub: ${apiCalls.length} API calls, ${apiCalls.length.toFixed(1)} for each finished task. GitHub answered ${known.length} of ${reads.length} reads with "not modified", which its rate limit does not count.`,
    )
  }
})

it('spends at most 10 API calls on a night with nothing to do', async () => {
  const files = withRoadmap(...multiples(100))
  const text = files['ROADMAP.md'] ?? ''
  const path = '.github/workflows/executor.yml'
  const workflow = "on:\n  schedule:\n    - cron: '17 3 * * *'\n"
  let done = 0
  const ticked = text.replaceAll('- [ ]', () => (done++ < 70 ? '- [x]' : '- [ ]'))
  await using bench = await openActionBench(
    { ...files, 'ROADMAP.md': ticked, [path]: workflow },
    [],
  )
  const { tasks } = readRoadmap(ticked, { granularity: 'task' })
  const open = tasks.filter(({ status }) => status === 'pending')
  expect(open).toHaveLength(30)
  for (const { id, fingerprint } of open) {
    const trailers = [
      `${trailer.task}: ${id}`,
      `${trailer.fingerprint}: ${fingerprint}`,
      `${trailer.outcome}: done`,
    ]
    await bench.git('checkout', '--quiet', '-b', `agent/${id}`, 'origin/main')
    await bench.git('commit', '--quiet', '--allow-empty', '-m', `${id}\n\n${trailers.join('\n')}`)
  }
  await bench.git('push', '--quiet', 'origin', 'refs/heads/agent/*:refs/heads/agent/*')
  const client = bench.octokit('actions-token')
  for (const task of open) {
    const { data } = await client.pulls.create({
      ...target,
      head: `agent/${task.id}`,
      base: 'main',
      title: task.title,
      body: taskMarker(task),
    })
    await client.issues.addLabels({ ...target, issue_number: data.number, labels: [label.task] })
  }

  const scheduled = (at: string) =>
    bench.server.startRun('ada', 'engine', { path, event: 'schedule', branch: 'main', at })
  await scheduled('2026-11-19T03:59:00Z')
  const { id } = await scheduled('2026-11-22T04:29:10Z')
  const night = await bench.run({
    inputs: { 'max-open-prs': '0' },
    env: {
      GITHUB_RUN_ID: String(id),
      GITHUB_WORKFLOW_REF: `ada/engine/${path}@refs/heads/main`,
    },
  })
  const { apiCalls, gitCalls, milliseconds } = night
  console.log(
    `Nothing to do (30 pull requests, 100 tasks): ${apiCalls.length} API calls, ${gitCalls.length} of git, ${Math.round(milliseconds)} ms.`,
  )
  expect(night).toMatchObject({ exitCode: 0, modelCalls: 0, outputs: { completed: '0' } })
  expect(JSON.parse(night.outputs['ready-tasks'] ?? '')).toEqual([])
  expect(writesOf(night)).toEqual([])
  const said =
    'The schedule "17 3 * * *" missed 2 runs (20 and 21 November, 03:17 UTC); this one began 1 h 12 min late.'
  expect(night.summary).toContain(said)
  expect(JSON.parse(night.left['report.json'] ?? '').schedule).toMatchObject({ missedRuns: 2 })
  expect(apiCalls.length).toBeLessThanOrEqual(10)
})
