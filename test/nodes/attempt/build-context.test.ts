import { expect, it } from 'vitest'
import { buildContext } from '../../../src/nodes/attempt/build-context.ts'
import { fakePorts } from '../../fakes/facts.ts'
import { attemptAfter, greeting, project, taskUnderWay } from '../bench.ts'

const roadmap = project['ROADMAP.md'] ?? ''

it('build_context shows the project and the files of the task', async () => {
  const files = { 'src/greet.js': "export const greet = () => ''\n" }
  const { workspace, state } = await taskUnderWay({ files })
  const step = await buildContext(state, fakePorts({ workspace }))
  expect(step.outcome).toBe('built')
  const { map, context } = attemptAfter(step)
  expect(map).toContain('src/')
  expect(context).toContainEqual({
    path: 'src/greet.js',
    text: files['src/greet.js'],
    whole: true,
  })
})

it('build_context names the file that is too large even as an outline', async () => {
  const functions = Array.from({ length: 2_000 }, (_, n) => `export function greet${n}() {}`)
  const { workspace, state } = await taskUnderWay({
    files: { 'ROADMAP.md': roadmap, 'src/greet.js': functions.join('\n') },
  })
  const step = await buildContext(state, fakePorts({ workspace }, { contextTokens: 500 }))
  expect(step.outcome).toBe('too_large')
  expect(attemptAfter(step).failure).toMatchObject({
    at: 'too_large',
    message: expect.stringMatching(/^src\/greet\.js alone takes \d+ tokens .* 500\.$/),
  })
})

it('build_context shows a reviewed change as it is on its branch', async () => {
  const threads = [{ id: 'a', path: 'src/index.js', line: 1, text: 'Why 42?' }]
  const { workspace, state, base, attempt } = await taskUnderWay()
  const head = await workspace.commit({ parents: [base.sha], changes: greeting, message: 'T-1' })
  const reviewed = {
    ...attempt,
    start: { branch: 'main', sha: head },
    feedback: { by: 'ada', text: '', threads },
  }
  const ports = fakePorts({ workspace: { ...workspace, mergeBase: async () => base.sha } })
  const step = await buildContext({ ...state, attempt: reviewed }, ports)
  const paths = attemptAfter(step).context.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['src/greet.js', 'src/index.js']))
  expect(attemptAfter(step).plan).toBeNull()
})
