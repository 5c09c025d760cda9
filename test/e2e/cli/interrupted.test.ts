import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject, leftovers, type Project, processesOf } from './bench.ts'
import { alphabet, letterAnswers, letterFiles, letterRoadmap } from './letters.ts'
import { startModel } from './model.ts'
import { checkBranches, ownTree } from './scenario.ts'

const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(3) }
const never = { text: letterFiles(1), fault: { kind: 'slow', seconds: 600 } } as const
const branches = ['agent/T-1', 'agent/T-2', 'agent/T-3']

/** What each branch holds: the same files whenever they were committed. */
const trees = (project: Project): readonly string[] =>
  project.branches().map((branch) => project.git('rev-parse', `${branch}^{tree}`))

/** Of a run that nobody killed. */
const undisturbed = (async () => {
  using project = createProject(files)
  await using model = await startModel(letterAnswers(3))
  await project.run(['run'], model.variables)
  return trees(project)
})()

function checkEnd(project: Project): void {
  expect(project.branches()).toEqual(branches)
  expect(project.log('main..agent/T-3')).toHaveLength(3)
  expect(project.show('agent/T-3', 'ROADMAP.md')).toBe(files['ROADMAP.md'].replaceAll('[ ]', '[x]'))
  checkBranches(project)
  expect(leftovers(project)).toEqual([])
}

describe.concurrent('an interrupted run', () => {
  it('saves its state, ends with 4, and goes on without paying for anything again', async () => {
    using project = createProject(files)
    const own = ownTree(project)
    await using model = await startModel({
      ...letterAnswers(3),
      'draft T-2': [never, letterFiles(1)],
    })
    const { ended, process } = project.start(['run'], model.variables)
    await model.whenAsked('draft T-2')
    process.kill('SIGINT')
    const first = await ended
    expect(first.code, first.stderr).toBe(4)
    expect(first.stderr).toContain('Run the same command again')
    expect(project.branches()).toEqual(['agent/T-1'])
    const state = JSON.parse(readFileSync(join(project.path, '.executor/state.json'), 'utf8'))
    expect(state).toMatchObject({ progress: { stopped: 'cancelled' } })

    const again = await project.run(['run'], model.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-2', 'draft T-3'])
    checkEnd(project)
    const { usage, runId } = project.report()
    expect(usage.promptTokens + usage.completionTokens).toBe(model.tokens())
    const runs = project.log('main..agent/T-3').map(({ trailers }) => trailers['Executor-Run'])
    expect(runs).toEqual([runId, runId, runId])
    expect(ownTree(project)).toEqual(own)
  })

  // `expect.poll` belongs to one test: with others beside it, to the one of its own context.
  it.for(['SIGINT', 'SIGKILL'] as const)(
    'takes the running tests with it, %s',
    async (signal, { expect }) => {
      const endless =
        "import { test } from 'node:test'\n\ntest('endless', async () => {\n  for (;;) await new Promise((resolve) => setTimeout(resolve, 100))\n})\n"
      using project = createProject({ ...files, 'test/endless.test.js': endless })
      await using model = await startModel(letterAnswers(1))
      const { ended, process, said } = project.start(['run'], model.variables)
      await said('running the tests')
      const processes = () => processesOf(project).join('\n')
      // Bubblewrap, killed while it makes a sandbox, leaves a process that waits and does nothing: so both
      // sandboxes, of the base and of the change, must be running the tests.
      const running = () => processesOf(project).filter((line) => line.startsWith('node --test'))
      await expect.poll(() => running().length, { timeout: 20_000 }).toBe(2)
      process.kill(signal)
      expect((await ended).code).toBe(signal === 'SIGINT' ? 4 : -1)
      await expect.poll(processes, { timeout: 20_000 }).toBe('')
    },
  )

  it('leaves at once at the second signal', async () => {
    using project = createProject(files)
    await using model = await startModel({ 'draft T-1': [never] })
    const { ended, process } = project.start(['run'], model.variables)
    await model.whenAsked('draft T-1')
    process.kill('SIGINT')
    process.kill('SIGTERM')
    expect((await ended).code).toBe(4)
  })

  it('is forgotten with --fresh, and what it finished is found again', async () => {
    using project = createProject(files)
    await using model = await startModel({
      ...letterAnswers(3),
      'draft T-2': [never, letterFiles(1)],
    })
    const { ended, process } = project.start(['run'], model.variables)
    await model.whenAsked('draft T-2')
    process.kill('SIGTERM')
    expect((await ended).code).toBe(4)
    const fresh = await project.run(['run', '--fresh'], model.variables)
    expect(fresh.code, fresh.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-2', 'draft T-3'])
    checkEnd(project)
    const [third, second, first] = project.log('main..agent/T-3')
    expect(second?.trailers['Executor-Run']).toBe(third?.trailers['Executor-Run'])
    expect(first?.trailers['Executor-Run']).not.toBe(third?.trailers['Executor-Run'])
  })

  it('keeps another one out while it lives', async () => {
    using project = createProject(files)
    await using model = await startModel({ 'draft T-1': [never] })
    const { ended, process } = project.start(['run'], model.variables)
    await model.whenAsked('draft T-1')
    const other = await project.run(['run'], model.variables)
    expect(other.code).toBe(4)
    expect(other.stderr).toContain('Another run is in progress')
    expect(model.asked()).toEqual(['draft T-1'])
    process.kill('SIGINT')
    expect((await ended).code).toBe(4)
  })
})

describe.concurrent('a run that is killed at any moment', () => {
  it.each(['T-1', 'T-2', 'T-3'])(
    'comes to the same end, killed after a word about %s',
    async (id) => {
      using project = createProject(files)
      const milliseconds = randomInt(900)
      const moment = `killed ${milliseconds} ms after draft ${id} was asked`
      await using model = await startModel(letterAnswers(3))
      const { ended, process } = project.start(['run'], model.variables)
      await model.whenAsked(`draft ${id}`)
      const timer = setTimeout(() => process.kill('SIGKILL'), milliseconds)
      await ended
      clearTimeout(timer)
      const done = project.branches().map((branch) => `draft ${branch.slice('agent/'.length)}`)

      await using second = await startModel(letterAnswers(3))
      const again = await project.run(['run'], second.variables)
      expect(again.code, `${moment}\n${again.stderr}`).toBe(0)
      expect(
        second.asked().filter((key) => done.includes(key)),
        moment,
      ).toEqual([])
      checkEnd(project)

      expect(trees(project), moment).toEqual(await undisturbed)
    },
  )
})
