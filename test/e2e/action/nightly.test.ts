import { expect, it } from 'vitest'
import { type ActionBench, openActionBench, writesOf } from './action-bench.ts'
import { multipleAnswers, multiples, withRoadmap } from './toolbox.ts'

/** Three independent tasks; a second question about any of them is refused by the model. */
const open = () => openActionBench(withRoadmap(...multiples(3)), multipleAnswers(3))

const heads = async (bench: ActionBench) =>
  (await bench.pulls()).map(({ number, head, state }) => `#${number} ${head} ${state}`)

const nothingDone = {
  exitCode: 0,
  modelCalls: 0,
  outputs: { completed: '0', failed: '0', 'pull-requests': '[]' },
}

it.concurrent('does nothing twice while its pull requests are open, on whatever machine', async () => {
  await using bench = await open()
  expect(await bench.run()).toMatchObject({
    exitCode: 0,
    modelCalls: 3,
    outputs: { completed: '3' },
  })
  const before = await bench.server.state('ada', 'engine')
  for (const event of ['schedule', 'workflow_dispatch']) {
    const again = await bench.run({ event })
    expect(again).toMatchObject(nothingDone)
    expect(writesOf(again)).toEqual([])
  }
  expect(await bench.server.state('ada', 'engine')).toEqual(before)
})

/** The tasks, of which each but the first needs what the second argument says. */
const needing = (tasks: readonly string[], ...needs: readonly string[]): readonly string[] =>
  tasks.map((task, at) => (needs[at] ? `${task}\n  - **Depends on**: ${needs[at]}` : task))

const stack = async (bench: ActionBench) =>
  (await bench.pulls()).map(({ head, base, state }) => `${head} → ${base} ${state}`)

// Of the other kinds, test/runs/refresh-pull-requests.test.ts has every order.
it.concurrent('goes on after a squash by a person', async () => {
  const tasks = needing(multiples(3), '', 'T-1', 'T-2')
  await using bench = await openActionBench(withRoadmap(...tasks), multipleAnswers(3))
  await bench.run({ inputs: { 'max-tasks': '1' } })
  await bench.merge(1, 'squash')
  const next = await bench.run({ inputs: { 'max-tasks': '1' } })
  expect(next).toMatchObject({ exitCode: 0, modelCalls: 1, outputs: { completed: '1' } })
  await bench.deleteBranch('agent/T-1')
  await bench.merge(2, 'squash')
  const last = await bench.run()
  expect(last).toMatchObject({ exitCode: 0, modelCalls: 1, outputs: { completed: '1' } })
  expect(await stack(bench)).toEqual([
    'agent/T-1 → main merged',
    'agent/T-2 → main merged',
    'agent/T-3 → main open',
  ])
  expect(await bench.run()).toMatchObject(nothingDone)
  expect(await bench.file('agent/T-3', 'ROADMAP.md')).not.toContain('- [ ]')
})

it.concurrent('waits for a branch that has all the task needs, merged or not', async () => {
  // Ticks on neighbouring lines would conflict in git: T-3 stands between the two.
  const [first, second, third] = needing(multiples(3), '', '', 'T-1, T-2')
  await using bench = await openActionBench(
    withRoadmap(`${first}`, `${third}`, `${second}`),
    multipleAnswers(3),
  )
  const night = await bench.run()
  expect(night).toMatchObject({ modelCalls: 2, outputs: { completed: '2', waiting: '1' } })
  expect(night.summary).toContain('waits for one of T-1, T-2 to be merged')
  await bench.merge(1)
  const next = await bench.run()
  expect(next).toMatchObject({ modelCalls: 0, outputs: { waiting: '1', 'ready-tasks': '[]' } })
  expect(next.summary).toContain(
    'waits for agent/T-2 to be merged: it lacks T-1, which the base has',
  )
  await bench.merge(2)
  expect(await bench.run()).toMatchObject({ modelCalls: 1, outputs: { completed: '1' } })
  expect((await stack(bench)).at(-1)).toBe('agent/T-3 → main open')
  expect(await bench.file('agent/T-3', 'src/times2.js')).toContain('2 * n')
})

it.concurrent('leaves closed what a person closed', async () => {
  await using bench = await openActionBench(withRoadmap(...multiples(2)), multipleAnswers(2))
  await bench.run()
  await bench.close(1)
  for (const branch of ['kept', 'deleted']) {
    if (branch === 'deleted') await bench.deleteBranch('agent/T-1')
    const next = await bench.run()
    expect(next).toMatchObject(nothingDone)
    expect(writesOf(next)).toEqual([])
    expect(next.summary).toMatch(/T-1\*\*: #\u200B?1 was closed without merging/)
  }
  expect(await heads(bench)).toEqual(['#1 agent/T-1 closed', '#2 agent/T-2 open'])
})

it.concurrent('asks for a closed task again when it is named, and grows the branch it left', async () => {
  const [rule] = multipleAnswers(1)
  if (rule === undefined) throw new Error('There is no answer.')
  await using bench = await openActionBench(withRoadmap(...multiples(1)), [
    { ...rule, usedUp: 'repeat' },
  ])
  await bench.run()
  const [first] = await bench.pulls()
  await bench.close(1)
  const again = await bench.run({ inputs: { task: 'T-1' } })
  expect(again).toMatchObject({ exitCode: 0, modelCalls: 1, outputs: { completed: '1' } })
  expect(await heads(bench)).toEqual(['#1 agent/T-1 closed', '#2 agent/T-1 open'])
  await bench.file('agent/T-1', 'ROADMAP.md')
  await bench.git('merge-base', '--is-ancestor', first?.headSha ?? '', 'origin/agent/T-1')
})

it.concurrent('believes a box that a person ticked', async () => {
  await using bench = await open()
  const ticked = (await bench.file('main', 'ROADMAP.md')).replace('- [ ] T-2', '- [x] T-2')
  await bench.push('main', { 'ROADMAP.md': `${ticked}\n` })
  const run = await bench.run()
  expect(run).toMatchObject({ exitCode: 0, modelCalls: 2, outputs: { completed: '2' } })
  expect(await heads(bench)).toEqual(['#1 agent/T-1 open', '#2 agent/T-3 open'])
})

it.concurrent('keeps to max-open-prs, and goes on when a person has merged one', async () => {
  await using bench = await open()
  const inputs = { 'max-open-prs': '2' }
  const first = await bench.run({ inputs })
  expect(first).toMatchObject({ exitCode: 0, modelCalls: 2, outputs: { completed: '2' } })
  expect(first.annotations).toEqual([
    { level: 'notice', message: 'Limit reached: 2 open pull requests (max-open-prs)' },
  ])
  expect(JSON.parse(first.outputs['ready-tasks'] ?? '')).toEqual(['T-3'])
  expect(await bench.run({ inputs })).toMatchObject(nothingDone)
  await bench.merge(1)
  expect(await bench.run({ inputs })).toMatchObject({ modelCalls: 1, outputs: { completed: '1' } })
  expect(await heads(bench)).toEqual([
    '#1 agent/T-1 merged',
    '#2 agent/T-2 open',
    '#3 agent/T-3 open',
  ])
})
