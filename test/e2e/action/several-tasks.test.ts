import { expect, it } from 'vitest'
import { openActionBench } from './action-bench.ts'
import { file, multipleAnswers, multiples, once, testOf, withRoadmap } from './toolbox.ts'

const names = ['double', 'fourfold', 'eightfold', 'sixteenfold', 'thirtytwofold'] as const

/** Each uses the file of the one before. */
const answers = names.map((name, at) => {
  const before = names[at - 1]
  const text =
    before === undefined
      ? `export const ${name} = (n) => 2 * n\n`
      : `import { ${before} } from './${before}.js'\n\nexport const ${name} = (n) => 2 * ${before}(n)\n`
  const test = testOf(name, `assert.equal(${name}(1), ${2 ** (at + 1)})`)
  return once(`T-${at + 1}`, file(`src/${name}.js`, text) + file(`test/${name}.test.js`, test))
})

const tasks = names.map((name, at) => {
  const needs = at === 0 ? '' : `\n  - **Depends on**: T-${at}`
  return `T-${at + 1}: Write ${name}, in \`src/${name}.js\`${needs}`
})

it.concurrent('stacks five tasks of which each needs the one before', async () => {
  await using bench = await openActionBench(withRoadmap(...tasks), answers)
  const run = await bench.run({ inputs: { 'max-open-prs': '0' } })
  expect(run).toMatchObject({ exitCode: 0, outputs: { completed: '5', failed: '0', waiting: '0' } })
  expect((await bench.pulls()).map(({ number, head, base }) => [number, head, base])).toEqual([
    [1, 'agent/T-1', 'main'],
    [2, 'agent/T-2', 'agent/T-1'],
    [3, 'agent/T-3', 'agent/T-2'],
    [4, 'agent/T-4', 'agent/T-3'],
    [5, 'agent/T-5', 'agent/T-4'],
  ])
  const last = await bench.file('agent/T-5', 'ROADMAP.md')
  expect(last.match(/- \[x\]/g)).toHaveLength(5)
  expect(await bench.file('agent/T-2', 'ROADMAP.md')).toContain('- [ ] T-3')
  expect(run.summary).toMatch(/t4\["T-4 PR 4"\][\s\S]*t3 --> t4/)
})

it.concurrent('stops after two, goes on the next night on another machine, and does nothing twice', async () => {
  await using bench = await openActionBench(withRoadmap(...tasks), answers)
  const inputs = { 'max-open-prs': '0', 'max-tasks': '2' }
  const nights = [
    await bench.run({ inputs }),
    await bench.run({ inputs }),
    await bench.run({ inputs }),
  ]
  expect(nights.map(({ exitCode, outputs }) => [exitCode, outputs.completed])).toEqual([
    [0, '2'],
    [0, '2'],
    [0, '1'],
  ])
  expect(nights.map(({ modelCalls }) => modelCalls)).toEqual([2, 2, 1])
  expect(nights.map(({ outputs }) => JSON.parse(outputs['ready-tasks'] ?? ''))).toEqual([
    ['T-3'],
    ['T-5'],
    [],
  ])
  const pulls = await bench.pulls()
  expect(pulls.map(({ head, base }) => `${head} → ${base}`)).toEqual([
    'agent/T-1 → main',
    'agent/T-2 → agent/T-1',
    'agent/T-3 → agent/T-2',
    'agent/T-4 → agent/T-3',
    'agent/T-5 → agent/T-4',
  ])
  expect(await bench.file('agent/T-5', 'ROADMAP.md')).not.toContain('- [ ]')
})

it.concurrent('saves its state when GitHub cancels the job, and the next night does the rest', async () => {
  const cancel = new AbortController()
  const [first, ...others] = multipleAnswers(3)
  const slow = {
    when: { contains: 'TASK T-2:' },
    answers: [
      () => {
        cancel.abort()
        return { text: 'never said', fault: { kind: 'slow', seconds: 600 } as const }
      },
      ...(others[0]?.answers ?? []),
    ],
  }
  if (first === undefined) throw new Error('There is no first answer.')
  await using bench = await openActionBench(withRoadmap(...multiples(3)), [
    first,
    slow,
    ...others.slice(1),
  ])
  const cancelled = await bench.run({ signal: cancel.signal })
  // -1 would be the SIGKILL that follows when the grace is over.
  expect(cancelled).toMatchObject({ exitCode: 0, outputs: { completed: '1' } })
  expect(cancelled.summary).toContain('**T-1** Multiply by 2')
  console.log(`Cancelled: ended after ${Math.round(cancelled.milliseconds)} ms in all.`)
  expect(JSON.parse(cancelled.left['state.json'] ?? '')).toMatchObject({
    progress: { stopped: 'cancelled', next: 'execute_task' },
    attempt: { task: { id: 'T-2' } },
  })
  expect((await bench.pulls()).map(({ head }) => head)).toEqual(['agent/T-1'])

  const next = await bench.run()
  // It goes on with the same run, whose first task is one of its own.
  expect(next).toMatchObject({ exitCode: 0, modelCalls: 2, outputs: { completed: '3' } })
  expect((await bench.pulls()).map(({ head }) => head)).toEqual([
    'agent/T-1',
    'agent/T-2',
    'agent/T-3',
  ])
})

it.concurrent('does a task that the roadmap got after the branch it needs, the next night', async () => {
  const [first, second] = multiples(2)
  if (first === undefined || second === undefined) throw new Error('two tasks')
  const files = withRoadmap(first)
  await using bench = await openActionBench(files, multipleAnswers(2))
  await bench.run()
  const later = `${files['ROADMAP.md']}- [ ] ${second} (depends on T-1)\n`
  await bench.push('main', { 'ROADMAP.md': later })
  const night = await bench.run()
  expect(night).toMatchObject({ exitCode: 0, modelCalls: 1, outputs: { completed: '1' } })
  const roadmap = await bench.file('agent/T-2', 'ROADMAP.md')
  expect(roadmap).toMatch(/\[x\] T-1[^\n]*\n- \[x\] T-2/)
})
