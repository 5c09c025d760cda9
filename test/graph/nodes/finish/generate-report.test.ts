import { describe, expect, it } from 'vitest'
import { changeState, type StatePatch } from '../../../../src/core/domain/change-state.ts'
import { ExecutorError } from '../../../../src/core/domain/errors.ts'
import { generateReport } from '../../../../src/graph/nodes/finish/generate-report.ts'
import { sampleResult } from '../../../contracts/run-state.ts'
import { anAttempt, fakePorts } from '../../../fakes/facts.ts'
import { createMemoryForge } from '../../../fakes/memory-forge.ts'
import { createMemoryStore } from '../../../fakes/memory-store.ts'
import { taskUnderWay } from '../bench.ts'

const draft = {
  head: 'agent/T-1',
  base: 'main',
  title: 't',
  body: 'b',
  labels: [],
  draft: false,
  reviewers: [],
  assignees: [],
}

async function bench(facts: StatePatch = {}) {
  const { workspace, state, tasks } = await taskUnderWay()
  const forge = createMemoryForge()
  await forge.upsertPullRequest(draft)
  await forge.upsertPullRequest({ ...draft, head: 'agent/T-2' })
  const store = createMemoryStore()
  const pullRequest = { number: 1, url: 'https://forge.test/pull/1' }
  const results = {
    'T-1': sampleResult('T-1', { pullRequest }),
    'T-2': sampleResult('T-2', { pullRequest: { ...pullRequest, number: 2 }, thisRun: false }),
  }
  const run = changeState(state, { attempt: null, tasks: { results } }, facts)
  return { forge, store, run, tasks, ports: fakePorts({ workspace, forge, store }) }
}

describe('generate_report', () => {
  it.each<[setting: 'all' | 'last' | 'off', on: readonly number[]]>([
    ['all', [1, 3]],
    ['last', [3]],
    ['off', []],
  ])(
    'with report-comment: %s, writes the report on pull requests of the run, once',
    async (setting, on) => {
      const { run, ports, forge } = await bench()
      await forge.upsertPullRequest({ ...draft, head: 'agent/T-3' })
      const third = { number: 3, url: 'https://forge.test/pull/3' }
      const results = { ...run.tasks.results, 'T-3': sampleResult('T-3', { pullRequest: third }) }
      const own = changeState(run, { tasks: { results } })
      const settings = { ...ports.settings, reportComment: setting }
      const comments = () =>
        forge.comments.filter(({ body }) => body.startsWith('<!-- executor:report -->'))
      await generateReport(own, { ...ports, settings })
      const first = comments()
      expect(first.map(({ pullRequest }) => pullRequest)).toEqual(on)
      for (const { body } of first) {
        expect(body.split('<details>')[0]?.trim().split('\n').length).toBeLessThanOrEqual(6)
        expect(body).toContain('# Run ')
      }
      await generateReport(own, { ...ports, settings })
      expect(comments()).toHaveLength(on.length)
    },
  )

  it.each([
    ['model_unavailable', 1],
    ['forge_unavailable', 0],
  ] as const)('where %s ended the run until later, writes %i comments', async (code, count) => {
    const errors = [{ code, message: 'later', next: '', taskId: null }]
    const retryAt = '2026-01-02T04:04:05.000Z'
    const { run, ports, forge, store } = await bench({
      ...{ progress: { retryAt, stopped: 'unavailable' }, record: { errors } },
    })
    await generateReport(run, ports)
    expect(forge.comments).toHaveLength(count)
    expect(store.reports.get('report.md')).toContain('later')
  })

  it('has written its files when the forge ends the run', async () => {
    const { run, ports, forge, store } = await bench()
    const upsertComment = () => Promise.reject(new ExecutorError('forge_unreachable', 'a limit'))
    await expect(
      generateReport(run, { ...ports, forge: { ...forge, upsertComment } }),
    ).rejects.toThrow('a limit')
    expect([...store.reports.keys()].sort()).toEqual([
      ...['report.html', 'report.json', 'report.md', 'todos.json'],
    ])
  })

  it('tells where the report could not be written', async () => {
    const { run, ports, store } = await bench()
    const lost = { number: 9, url: 'https://forge.test/pull/9' }
    const results = { 'T-1': sampleResult('T-1', { pullRequest: lost }) }
    const { patch } = await generateReport(changeState(run, { tasks: { results } }), ports)
    expect(patch?.record?.errors?.map(({ message }) => message)).toEqual([
      expect.stringContaining('The report is not on #9'),
    ])
    expect(store.reports.get('report.md')).toContain('The report is not on')
  })

  it('says what was written and then not seen, once, and not of what was seen later', async () => {
    const told = 'said already'
    const known = {
      code: 'forge_unreachable' as const,
      message: `${told}.`,
      next: '',
      taskId: null,
    }
    const { run, ports, store } = await bench({ record: { errors: [known] } })
    const effected = { kind: 'effected', effect: 'comment', outcome: 'uncertain' } as const
    await store.record(run.run.id, [
      { ...effected, key: '#1', detail: 'nobody knows of one' },
      { ...effected, key: '#2', detail: 'nobody knows of two' },
      { ...effected, key: '#2', detail: '', outcome: 'known' },
      { ...effected, key: '#3', detail: told },
    ])
    const { patch } = await generateReport(run, ports)
    expect(patch?.record?.errors?.map(({ message }) => message)).toEqual([
      known.message,
      'GitHub cannot be reached: nobody knows of one',
    ])
    expect(store.reports.get('report.md')).toContain('nobody knows of one')
  })

  it('writes four files that agree', async () => {
    const { run, ports, store } = await bench()
    const step = await generateReport(run, ports)
    expect(step).toMatchObject({
      outcome: 'reported',
      patch: { run: { completedAt: '2026-01-02T03:04:05.000Z' }, record: { errors: [] } },
    })
    expect([...store.reports.keys()].sort()).toEqual([
      'report.html',
      'report.json',
      'report.md',
      'todos.json',
    ])
    const report: unknown = JSON.parse(store.reports.get('report.json') ?? '')
    expect(report).toMatchObject({
      runId: 'run-1',
      completedAt: '2026-01-02T03:04:05.000Z',
      tasks: [{ id: 'T-1', outcome: 'in_review' }, { id: 'T-2' }],
    })
    expect(store.reports.get('report.md')).toContain('**T-1** Task T-1')
    expect(store.reports.get('report.html')).toContain('<bdi>T-1</bdi></span> <bdi>Task T-1</bdi>')
    expect(JSON.parse(store.reports.get('todos.json') ?? '')).toEqual({
      todos: [
        {
          ...{ id: 'T-1', title: 'Add a greeting', status: 'completed' },
          ...{ group: null, files: ['src/greet.js'], dependsOn: [] },
        },
        {
          ...{ id: 'T-2', title: 'Say it twice', status: 'completed' },
          ...{ group: null, files: [], dependsOn: ['T-1'] },
        },
      ],
    })
  })

  it('links to the log of the workflow run, and shows when each task was worked on', async () => {
    const { run, ports, store, forge } = await bench()
    const runLog = 'https://github.com/ada/engine/actions/runs/12'
    const usage = { requests: 0, promptTokens: 0, completionTokens: 0, dollars: 0 }
    const step = { kind: 'stepped', node: 'execute_task', outcome: 'drafted', usage } as const
    const at = { run: run.run.id, seq: 0, at: '2026-01-02T03:04:05.000Z' }
    const stepped = { ...step, ...at, task: 'T-1', attempt: 1, seconds: 3 }
    const started = changeState(run, { run: { startedAt: '2026-01-02T03:04:00.000Z' } })
    await generateReport(started, {
      ...{ ...ports, clock: ports.clock, workspace: ports.workspace, settings: ports.settings },
      forge: { ...forge, runLog },
      store: { ...store, journal: async () => [stepped] },
    })
    const report: unknown = JSON.parse(store.reports.get('report.json') ?? '')
    const phases = [{ phase: 'model', at: 2, seconds: 3 }]
    expect(report).toMatchObject({ runLog, tasks: [{ id: 'T-1', phases }, { phases: [] }] })
    expect(store.reports.get('report.md')).toContain(`[Run log](${runLog})`)
    expect(store.reports.get('report.html')).toContain(`href="${runLog}"`)
  })

  const parked = async (facts: StatePatch) => {
    const made = await bench()
    const [, second] = made.tasks
    const attempt = anAttempt({ ...(second && { task: second }), number: 1 })
    const { 'T-1': first } = made.run.tasks.results
    const run = changeState(
      made.run,
      { tasks: { results: first ? { 'T-1': first } : {}, parked: { 'T-2': attempt } } },
      facts,
    )
    return generateReport(run, made.ports)
  }

  it('knows a deferred task whose second turn never came', async () => {
    const step = await parked({ tasks: { retried: ['T-2'] }, progress: { stopped: 'limit' } })
    expect(step.patch?.tasks?.results?.['T-2']).toMatchObject({ verdict: 'deferred', attempts: 1 })
  })

  it('gives no verdict to one whose turn comes when the run goes on', async () => {
    const step = await parked({
      tasks: { retried: ['T-2'] },
      progress: { resumeAt: 'execute_task' },
    })
    expect(step.patch?.tasks?.results).not.toHaveProperty('T-2')
  })
})
