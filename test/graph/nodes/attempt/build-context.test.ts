import { expect, it } from 'vitest'
import { estimateTokens } from '../../../../packages/text/words/words.ts'
import { changeState } from '../../../../src/core/domain/change-state.ts'
import { buildContext } from '../../../../src/graph/nodes/attempt/build-context.ts'
import { aboutModel } from '../../../../src/model/ask/ask-model.ts'
import { sampleResult } from '../../../contracts/run-state.ts'
import { aState, fakePorts } from '../../../fakes/facts.ts'
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

/** A file whose signatures alone are too much, with one line that speaks of the task. */
const huge = (line: string) =>
  Array.from({ length: 2_000 }, (_, n) => (n === 900 ? line : `export const f${n} = () => ${n}`))

it.each<[string, Record<string, string>, number, string, number[]]>([
  [
    'its lines about the task',
    { 'src/greet.js': huge('// a greeting').join('\n') },
    600,
    '// a greeting',
    [1],
  ],
  [
    'a map of half the size, for files that only fit then',
    { 'src/greet.js': huge(`// a greeting ${'x'.repeat(100)}`).join('\n') },
    190,
    '// a greeting',
    [0, 1],
  ],
])(
  'build_context shows of a file that is too large %s',
  async (_, files, contextTokens, shown, worked) => {
    const { workspace, state } = await taskUnderWay({ files: { 'ROADMAP.md': roadmap, ...files } })
    const step = await buildContext(state, fakePorts({ workspace }, { contextTokens }))
    expect(step.outcome).toBe('built')
    const { context, remedies } = attemptAfter(step)
    expect(context[0]?.text).toContain(shown)
    expect(remedies.map((each) => Number(each.worked))).toEqual(worked)
    expect(remedies[0]).toMatchObject({ type: 'validation', strategy: 'smaller_scope' })
  },
)

it('build_context leaves out, last of all, files of the task that say nothing about it', async () => {
  const text = roadmap.replace('`src/greet.js`', '`src/greet.js`, `src/huge.js`')
  const files = { 'src/greet.js': 'export {}\n', 'src/huge.js': huge('nothing').join('\n') }
  const { workspace, state } = await taskUnderWay({ files: { 'ROADMAP.md': text, ...files } })
  const step = await buildContext(state, fakePorts({ workspace }, { contextTokens: 500 }))
  expect(attemptAfter(step).context.map(({ path }) => path)).toEqual(['src/greet.js'])
  expect(attemptAfter(step).remedies.map(({ worked }) => worked)).toEqual([false, false, true])
})

it.each([
  [0, {}, 4_000],
  [1, {}, 2_000],
  [2, {}, 1_000],
  [0, { scripted: 3_000 }, 1_500],
  [2, { scripted: 3_000 }, 1_000],
])(
  'build_context keeps to a window, and halves after each of %i refusals',
  async (refused, windows, most) => {
    const filler = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `src/greet${n}.js`,
        `// greeting ${'words '.repeat(300)}\n`,
      ]),
    )
    const tried = aboutModel(
      aState({ progress: { next: 'execute_task' } }),
      'smaller_scope',
      'x',
      'less',
    )
    const remedies = Array.from({ length: refused }, () => ({ ...tried, worked: false }))
    const text = roadmap.replace(
      '`src/greet.js`',
      Object.keys(filler)
        .map((path) => `\`${path}\``)
        .join(', '),
    )
    const { workspace, state } = await taskUnderWay({
      files: { 'ROADMAP.md': text, ...filler },
      attempt: { remedies },
      state: { learned: { windows } },
    })
    const step = await buildContext(state, fakePorts({ workspace }, { contextTokens: 4_000 }))
    const { map, context } = attemptAfter(step)
    const tokens = estimateTokens(map + context.map(({ text: shown }) => shown).join(''))
    expect(tokens).toBeLessThanOrEqual(most)
    expect(tokens).toBeGreaterThan(most / 5)
  },
)

it.each([
  [['T-0'], true],
  [[], false],
])(
  'build_context shows what the tasks %j made that a task depends on',
  async (dependsOn, isShown) => {
    const { workspace, state, base, attempt } = await taskUnderWay({
      files: { 'src/other.js': 'export const goodbye = 1\n' },
    })
    const sha = await workspace.commit({ parents: [base.sha], changes: greeting, message: 'T-0' })
    const done = sampleResult('T-0', { verdict: 'done', start: base.sha, sha })
    const task = { ...attempt.task, title: 'Make it louder', details: '', dependsOn, files: [] }
    const now = changeState(state, {
      attempt: { ...attempt, task, start: { branch: 'agent/T-0', sha } },
      tasks: { results: { 'T-0': done } },
    })
    const { context } = attemptAfter(await buildContext(now, fakePorts({ workspace })))
    expect(context.some(({ path }) => path === 'src/greet.js')).toBe(isShown)
  },
)

it('build_context shows a reviewed change as it is on its branch', async () => {
  // However much is said about one file, the changed ones have a place.
  const thread = { id: 'a', path: 'src/index.js', line: 1, text: 'Why 42?' }
  const threads = Array.from({ length: 30 }, () => thread)
  const { workspace, state, base, attempt } = await taskUnderWay()
  const head = await workspace.commit({ parents: [base.sha], changes: greeting, message: 'T-1' })
  const reviewed = {
    ...attempt,
    start: { branch: 'main', sha: head },
    feedback: { by: 'ada', text: '', threads },
  }
  const ports = fakePorts({ workspace: { ...workspace, mergeBase: async () => base.sha } })
  const step = await buildContext(changeState(state, { attempt: reviewed }), ports)
  const paths = attemptAfter(step).context.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['src/greet.js', 'src/index.js']))
  expect(attemptAfter(step).plan).toBeNull()
})
