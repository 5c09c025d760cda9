import { describe, expect, it } from 'vitest'
import { createProject } from './bench.ts'
import { file, startModel } from './model.ts'
import { partsProject, pathOf, planOf, textOf } from './parts.ts'
import { outcomes } from './scenario.ts'

const low = '{"files": ["src/more.js"], "complexity": "low", "steps": ["write it"]}'
const second = {
  'plan T-2': [low],
  'draft T-2': [file('src/more.js', 'export const more = 11\n')],
}
const draft = (n: number, told = '') => ({
  text: file(pathOf(n), textOf(n)),
  ...(told !== '' && { ifTold: new RegExp(told) }),
})
const args = ['run', '--strategy', 'two_phase']

describe.concurrent('a plan that is written step by step', () => {
  it('is the best of four, and replays offline with the critic of its run', async () => {
    using project = createProject(partsProject(2))
    const [one, two] = [1, 2].map(pathOf)
    const parts = JSON.parse(planOf([one ?? '', two ?? '']))
    await using model = await startModel({
      'plan T-1': [
        planOf([1, 2, 3].map(pathOf)),
        JSON.stringify({ plans: [parts, { files: [two, one], steps: ['b', 'a'] }] }),
      ],
      'choose_plan T-1': [{ ifTold: /1\. 2 files .*\n2\. 2 files /, text: '1' }],
      'draft T-1': [draft(1, 'Write step 1 only'), draft(2, 'Write step 2 only')],
      ...second,
    })
    const critic = { ...model.variables, EXECUTOR_CRITIC: 'true' }
    const { code, stderr } = await project.run(args, critic)
    expect(code, stderr).toBe(0)
    const asked = ['plan T-1', 'plan T-1', 'choose_plan T-1', 'draft T-1', 'draft T-1']
    expect(model.asked().slice(0, 5)).toEqual(asked)
    expect(project.show('agent/T-1', pathOf(3))).toBeNull()
    const before = model.asked().length
    const replayed = await project.run(['replay', 'last', '--verify', 'skip'])
    expect(replayed.code, replayed.stdout).toBe(0)
    expect(model.asked()).toHaveLength(before)
  })

  it('is too big for one task: the task is split, and no code for it was asked for', async () => {
    using project = createProject(partsProject(2))
    const wide = Array.from({ length: 13 }, (_, n) => pathOf(n + 1))
    const plain = { files: wide, complexity: 'high', steps: ['write them', 'test them'] }
    const own = [1, 2].map((n) => ({ title: `Write part ${n}`, files: [pathOf(n)] }))
    await using model = await startModel({
      'plan T-1': [JSON.stringify(plain)],
      'recover T-1': [JSON.stringify(own)],
      ...Object.fromEntries(
        ['T-1-a', 'T-1-b'].flatMap((id, index) => [
          [`plan ${id}`, [low]],
          [`draft ${id}`, [draft(index + 1)]],
        ]),
      ),
      ...second,
    })
    const { code, stderr } = await project.run(
      [...args, '--approval-mode', 'auto'],
      model.variables,
    )
    expect(code, stderr).toBe(0)
    expect(model.asked().slice(0, 2)).toEqual(['plan T-1', 'recover T-1'])
    expect(model.asked()).not.toContain('draft T-1')
    expect(outcomes(project)).toEqual({
      ...{ 'T-1': 'replaced', 'T-1-a': 'done', 'T-1-b': 'done', 'T-2': 'done' },
    })
    expect(model.told()[1]).toContain('the plan changes 13 files, more than 12')
  })

  it('is killed at its second step, and pays for no step twice', async () => {
    using project = createProject(partsProject(3))
    await using model = await startModel({
      'plan T-1': [planOf([1, 2, 3].map(pathOf))],
      'draft T-1': [
        draft(1),
        { ...draft(2), fault: { kind: 'slow', seconds: 600 } },
        draft(2),
        draft(3),
      ],
      ...second,
    })
    const { ended, process } = project.start(args, model.variables)
    await model.whenAsked('draft T-1', 2)
    process.kill('SIGKILL')
    await ended
    const { code, stderr } = await project.run(args, model.variables)
    expect(code, stderr).toBe(0)
    expect(model.asked().slice(0, 5)).toEqual(['plan T-1', ...Array(4).fill('draft T-1')])
    for (const n of [1, 2, 3]) expect(project.show('agent/T-1', pathOf(n))).toBe(textOf(n))
    const { usage } = project.report()
    expect(usage.promptTokens + usage.completionTokens).toBe(model.tokens())
  })
})
