import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ActionBench, openActionBench, writesOf } from './action-bench.ts'
import { multipleAnswers, multiples, withRoadmap } from './toolbox.ts'

const files = withRoadmap(...multiples(2))

describe('the kill switch', () => {
  it.concurrent.each([
    ['EXECUTOR_DISABLED', {}, { EXECUTOR_DISABLED: '1' }],
    ['enabled: false', { '.github/executor.yml': 'enabled: false\n' }, {}],
    [
      'enabled: false, which no variable overrules',
      { '.github/executor.yml': 'enabled: false\n' },
      { EXECUTOR_DISABLED: 'false' },
    ],
  ])('is %s', async (_, more, env) => {
    await using bench = await openActionBench({ ...files, ...more }, multipleAnswers(2))
    const run = await bench.run({ env })
    expect(run).toMatchObject({ exitCode: 0, apiCalls: [], modelCalls: 0 })
    expect(writesOf(run)).toEqual([])
    expect(run.annotations).toEqual([
      { level: 'notice', message: expect.stringContaining('Switched off') },
    ])
  })
})

describe('what is wrong with the set-up', () => {
  let bench: ActionBench
  beforeAll(async () => {
    bench = await openActionBench(files, multipleAnswers(2))
  })
  afterAll(() => bench[Symbol.asyncDispose]())

  // test/entry/config/action-inputs.test.ts and test/entry/config/resolve-settings.test.ts have all the others.
  it.each([
    ['command', { command: 'plann' }, 'command must be one of', 'not plann. Did you mean plan?'],
    [
      'dry-run',
      { 'dry-run': 'yes' },
      'dry-run must be true or false, not yes',
      'Write true or false.',
    ],
    [
      'roadmap',
      { roadmap: '../other/ROADMAP.md' },
      'roadmap must be a path',
      'inside the repository',
    ],
    ['github-token', { 'github-token': '' }, 'There is no GitHub token', 'contents: write'],
    ['model', { model: '' }, 'No model is configured.', '.github/executor.yml'],
    ['task', { task: 'T-99' }, 'The roadmap has no task T-99.', 'lists the tasks'],
  ])('in %s is said before anything is asked or written', async (_, inputs, what, next) => {
    const run = await bench.run({ inputs })
    expect(run).toMatchObject({ exitCode: 1, modelCalls: 0, stderr: '' })
    expect(writesOf(run)).toEqual([])
    const said = run.annotations.map(({ message }) => message).join('\n')
    expect(said).toContain(what)
    expect(said).toContain(next)
  })

  it('in the configuration file is said with its line', async () => {
    const config = { '.github/executor.yml': 'stack: auto\nmax-taks: 2\n' }
    await using bench = await openActionBench({ ...files, ...config }, multipleAnswers(2))
    const run = await bench.run()
    expect(run).toMatchObject({ exitCode: 1, modelCalls: 0, apiCalls: [] })
    expect(run.stdout).toMatch(/^::error .*file=\.github\/executor\.yml.*line=2.*max-tasks/m)
  })

  it('is a key that the endpoint refuses', async () => {
    const before = await bench.server.state('ada', 'engine')
    const run = await bench.run({ inputs: { 'api-key': 'an-old-key-of-last-year' } })
    expect(run).toMatchObject({ exitCode: 1, modelCalls: 0 })
    expect(run.annotations[0]?.message).toMatch(/^The model endpoint refused the request/)
    expect(run.stdout.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain('an-old-key')
    // Where the run stopped is kept beside the branches; its claims are given back.
    const { refs, ...others } = await bench.server.state('ada', 'engine')
    const { refs: refsBefore, ...othersBefore } = before
    expect(others).toEqual(othersBefore)
    expect(refs).toEqual({ ...refsBefore, 'refs/executor/state': expect.any(String) })
  })
})

it.concurrent('writes nothing anywhere in a dry run, and shows what it would do', async () => {
  await using bench = await openActionBench(files, multipleAnswers(2))
  const before = await bench.server.state('ada', 'engine')
  const run = await bench.run({ inputs: { 'dry-run': 'true' } })
  expect(run).toMatchObject({ exitCode: 0, modelCalls: 0, left: {} })
  expect(writesOf(run)).toEqual([])
  expect(await bench.server.state('ada', 'engine')).toEqual(before)
  expect(run.summary).toContain('[DRY RUN]')
  expect(run.summary).toMatch(/2 tasks planned · forecast: about \d+ tokens/)
  expect(run.stdout).toMatch(/^\[DRY RUN\] T-1 .* \(about \d+ tokens\)$/m)
  expect(run.stdout).not.toMatch(/asking|over budget/)
  expect(run.outputs).toMatchObject({
    completed: '0',
    failed: '0',
    tokens: '0',
    cost: '0.0000',
    report: '',
  })
  expect(run.summary).toContain('T-1')
  expect(run.summary).toContain('T-2')
})

it.concurrent.each(['plan', 'report'])('only looks when the command is %s', async (command) => {
  await using bench = await openActionBench(files, multipleAnswers(2))
  await bench.run({ inputs: { 'max-tasks': '1' } })
  const run = await bench.run({ inputs: { command, 'api-key': '' } })
  expect(run).toMatchObject({ exitCode: 0, modelCalls: 0, left: {} })
  expect(writesOf(run)).toEqual([])
  expect(JSON.parse(run.outputs['ready-tasks'] ?? '')).toEqual(['T-2'])
  expect(run.summary).toContain('| in_review | [#1](')
})
