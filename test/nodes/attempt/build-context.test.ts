import { expect, it } from 'vitest'
import { buildContext } from '../../../src/nodes/attempt/build-context.ts'
import { fakePorts } from '../../fakes/facts.ts'
import { attemptAfter, project, taskUnderWay } from '../bench.ts'

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
