import { describe, expect, it } from 'vitest'
import { createProject } from './bench.ts'
import { alphabet, letterAnswers, letterFiles, letterRoadmap } from './letters.ts'
import { startModel } from './model.ts'
import { checkBranches, checkReport, ownTree, play } from './scenario.ts'

const branchesOf = (...ids: readonly string[]): readonly string[] => ids.map((id) => `agent/${id}`)

describe.concurrent('five tasks, each needing the one before', () => {
  it('become one chain, whose last branch holds everything', async () => {
    const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(5) }
    await using played = await play({ files, answers: letterAnswers(5) })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual([1, 2, 3, 4, 5].map((place) => `draft T-${place}`))
    expect(project.branches()).toEqual(branchesOf('T-1', 'T-2', 'T-3', 'T-4', 'T-5'))
    const chain = project.log('main..agent/T-5')
    expect(chain.map(({ trailers }) => trailers['Executor-Task'])).toEqual([
      'T-5',
      'T-4',
      'T-3',
      'T-2',
      'T-1',
    ])
    expect(chain.at(-1)?.parent).toBe(project.git('rev-parse', 'main'))
    expect(project.show('agent/T-5', 'ROADMAP.md')).toBe(
      files['ROADMAP.md'].replaceAll('[ ]', '[x]'),
    )
    for (const letter of ['a', 'b', 'c', 'd', 'e']) {
      expect(project.show('agent/T-5', `src/${letter}.js`)).toContain(`export const ${letter}`)
    }
    expect(project.show('agent/T-2', 'src/c.js')).toBeNull()
    expect(project.report()).toMatchObject({ successRate: 1, errors: [], limits: [] })
    expect(Object.values(project.todos())).toEqual(Array(5).fill('completed'))
  })

  it('in a roadmap with CRLF, ids with dots, a path with spaces and quotes, a detached HEAD', async () => {
    const id = (place: number) => `T-1.${place}`
    const roadmap = letterRoadmap(2, id).replaceAll('\n', '\r\n')
    await using played = await play({
      files: { ...alphabet, 'ROADMAP.md': roadmap },
      answers: letterAnswers(2, id),
      name: `it's "my" project`,
      prepare: ({ git }) => git('checkout', '--quiet', '--detach'),
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1.1', 'draft T-1.2'])
    expect(project.branches()).toEqual(branchesOf('T-1.1', 'T-1.2'))
    expect(project.show('agent/T-1.2', 'ROADMAP.md')).toBe(roadmap.replaceAll('[ ]', '[x]'))
  })

  it('stop after two, go on after that, and do nothing twice', async () => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': letterRoadmap(5) })
    const own = ownTree(project)
    const runs: { code: number; asked: readonly string[]; left: number }[] = []
    for (let round = 0; round < 4; round++) {
      await using model = await startModel(letterAnswers(5))
      const { code, stderr } = await project.run(['run', '--max-tasks', '2'], model.variables)
      const left = Object.values(project.todos()).filter((status) => status !== 'completed').length
      runs.push({ code, asked: model.asked(), left })
      if (round < 3) checkReport(project, model)
      expect(stderr).not.toContain('error')
    }
    expect(runs).toEqual([
      { code: 0, asked: ['draft T-1', 'draft T-2'], left: 3 },
      { code: 0, asked: ['draft T-3', 'draft T-4'], left: 1 },
      { code: 0, asked: ['draft T-5'], left: 0 },
      { code: 0, asked: [], left: 0 },
    ])
    checkBranches(project)
    expect(project.log('main..agent/T-5')).toHaveLength(5)
    expect(ownTree(project)).toEqual(own)
  })

  it('one by its name, which is not done again when it is done', async () => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': letterRoadmap(2) })
    await using model = await startModel({ ...letterAnswers(1), 'draft T-2': [letterFiles(1)] })
    const only = await project.run(['run', '--task', 'T-1'], model.variables)
    expect(only.code, only.stderr).toBe(0)
    expect(project.branches()).toEqual(branchesOf('T-1'))
    const again = await project.run(['run', '--task', 'T-1'], model.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1'])
    const both = await project.run(['run', '--task', 'T-1', 'T-2'], model.variables)
    expect(both.code, both.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2'])
    checkBranches(project)
  })
})

describe.concurrent('work of other people', () => {
  it('on top of ours stays, and the next task is built on it', async () => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': letterRoadmap(2) })
    await using model = await startModel(letterAnswers(2))
    const first = await project.run(['run', '--max-tasks', '1'], model.variables)
    expect(first.code, first.stderr).toBe(0)
    project.git('checkout', '--quiet', 'agent/T-1')
    project.put('src/mine.js', 'export const mine = 1\n')
    const mine = project.commit('I know better')
    project.git('checkout', '--quiet', 'main')
    const second = await project.run(['run'], model.variables)
    expect(second.code, second.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2'])
    expect(project.git('rev-parse', 'agent/T-1', 'agent/T-2^')).toBe(`${mine}\n${mine}`)
  })

  it('on a branch of ours keeps the task waiting, and what needs it', async () => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': letterRoadmap(2) })
    await using model = await startModel({})
    project.git('checkout', '--quiet', '-b', 'agent/T-1')
    project.put('src/a.js', 'export const a = () => "mine"\n')
    const mine = project.commit('I know better')
    project.git('checkout', '--quiet', 'main')
    const run = await project.run(['run'], model.variables)
    expect(run.code, run.stderr).toBe(3)
    expect(model.asked()).toEqual([])
    expect(project.git('rev-parse', 'agent/T-1')).toBe(mine)
    expect(project.report().tasks).toMatchObject([
      {
        id: 'T-1',
        outcome: 'waiting',
        reason: expect.stringContaining('did not write the last commit'),
      },
      { id: 'T-2', outcome: 'waiting', reason: 'waits for T-1' },
    ])
  })

  it('merged by hand is found, and the next task starts from it', async () => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': letterRoadmap(2) })
    await using model = await startModel(letterAnswers(2))
    await project.run(['run', '--max-tasks', '1'], model.variables)
    project.git('merge', '--quiet', '--no-ff', '-m', 'Merge the letter a', 'agent/T-1')
    const second = await project.run(['run'], model.variables)
    expect(second.code, second.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2'])
    expect(project.git('rev-parse', 'agent/T-2~1')).toBe(project.git('rev-parse', 'main'))
  })

  it('that changes the words of a finished task is not taken for the same', async () => {
    const roadmap = letterRoadmap(1)
    using project = createProject({ ...alphabet, 'ROADMAP.md': roadmap })
    await using model = await startModel(letterAnswers(1))
    await project.run(['run'], model.variables)
    project.put('ROADMAP.md', roadmap.replace('Add `a`', 'Add `a` and shout it'))
    project.commit('Louder')
    const again = await project.run(['run'], model.variables)
    expect(again.code, again.stderr).toBe(3)
    expect(again.stderr).toContain('an earlier text of this task')
    expect(model.asked()).toEqual(['draft T-1'])
  })
})

describe.concurrent('a section with a purpose and a code sample above its boxes', () => {
  it('is told with each of its tasks, and its success criteria are none', async () => {
    const roadmap = `# Letters

## The letter a

Every letter is a function.

\`\`\`js
export const a = () => 'a'
\`\`\`

### Tasks

- [ ] T-1: Create \`src/a.js\` with the function shown above

### Expected behaviour

- [ ] It answers a
`
    await using played = await play({
      files: { ...alphabet, 'ROADMAP.md': roadmap },
      answers: {
        'draft T-1': [
          {
            text: letterFiles(0),
            ifTold: /Above it in the roadmap:\nEvery letter is a function\.[\s\S]*export const a/,
          },
        ],
      },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1'])
    expect(project.report().tasks.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['T-1', 'done'],
    ])
  })
})
