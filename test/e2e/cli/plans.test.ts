import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject, leftovers, type Project } from './bench.ts'
import { watchSources } from './look-at-disk.ts'
import { file, startModel } from './model.ts'
import { outcomes, ownTree } from './scenario.ts'

const numbers = Array.from({ length: 10 }, (_, index) => index + 1)
const pathOf = (n: number): string => `src/part${n}.js`
const textOf = (n: number): string => `export const part${n} = () => ${n}\n`
const test = (count: number): string =>
  `import assert from 'node:assert/strict'
import { test } from 'node:test'

test('parts', async () => {
  for (let n = 1; n <= ${count}; n += 1) {
    const found = await import(\`../src/part\${n}.js\`).catch(() => null)
    if (found) assert.equal(found[\`part\${n}\`](), n)
  }
})
`
const roadmap = `# Parts

- [ ] T-1: Write the parts, each in a file of its own
- [ ] T-2: Add \`src/more.js\`
`
const factory = (count: number) => ({
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'test/parts.test.js': test(count),
  'ROADMAP.md': roadmap,
})

/** Each step needs the one before it. */
const planOf = (paths: readonly string[]): string =>
  JSON.stringify({
    files: paths,
    complexity: 'high',
    steps: paths.map((path, index) => ({
      ...{ id: index + 1, does: `write ${path}`, files: [path], needs: index > 0 ? [index] : [] },
    })),
  })

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

/** T-1 failed and left nothing; T-2 was done after it. */
function expectRolledBack(project: Project, before: ReturnType<typeof ownTree>): string {
  expect(outcomes(project)).toEqual({ 'T-1': 'failed', 'T-2': 'done' })
  expect(project.branches()).toEqual(['agent/T-2'])
  expect(project.git('diff', '--name-only', 'main', 'agent/T-2').split('\n')).toEqual([
    'ROADMAP.md',
    'src/more.js',
  ])
  expect(ownTree(project).files).toEqual(before.files)
  expect(leftovers(project)).toEqual([])
  return project.report().tasks.find(({ id }) => id === 'T-1')?.reason ?? ''
}

describe.concurrent('a plan that is written step by step', () => {
  it('shows each step its own files and those that it needs', async () => {
    using project = createProject(factory(3))
    await using model = await startModel({
      'plan T-1': [planOf([1, 2, 3].map(pathOf))],
      'draft T-1': [
        draft(1, 'Write step 1 only, in src/part1.js'),
        draft(2, 'part1 = \\(\\) => 1[\\s\\S]*Write step 2 only'),
        draft(3, 'part2 = \\(\\) => 2[\\s\\S]*Write step 3 only'),
      ],
      ...second,
    })
    const { code, stderr } = await project.run(args, model.variables)
    expect(code, stderr).toBe(0)
    expect(model.asked().slice(0, 4)).toEqual(['plan T-1', ...Array(3).fill('draft T-1')])
    for (const n of [1, 2, 3]) expect(project.show('agent/T-1', pathOf(n))).toBe(textOf(n))
  })

  it('is the best of four, and replays offline with the critic of its run', async () => {
    using project = createProject(factory(2))
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

  it('of five steps the third fails: the first two are dropped', async () => {
    using project = createProject(factory(5))
    const own = ownTree(project)
    const watch = watchSources(project.root)
    await using model = await startModel({
      'plan T-1': [planOf([1, 2, 3, 4, 5].map(pathOf))],
      'draft T-1': [draft(1), draft(2), 'I am not sure about this one.', 'I am still not sure.'],
      ...second,
    })
    const { code, stderr } = await project.run([...args, '--no-recovery'], model.variables)
    const onDisk = await watch.stop()
    expect(code, stderr).toBe(1)
    expect(model.asked().slice(0, 5)).toEqual(['plan T-1', ...Array(4).fill('draft T-1')])
    expect(model.told()[4]).toContain('Your last answer for this step could not be used: ')
    expect(expectRolledBack(project, own)).toMatch(
      /step 3 of 5 failed: .*; steps 1 and 2 are dropped, and nothing was written/,
    )
    expect(onDisk.filter(({ text }) => text.includes('export const part'))).toEqual([])
    expect(existsSync(join(project.path, '.executor/attempts/T-1.md'))).toBe(false)
  })

  it('of ten files the seventh cannot be written: none is', async () => {
    using project = createProject({ ...factory(10), '.gitignore': 'src/part7.js\n' })
    const own = ownTree(project)
    const seventh = file(pathOf(7), textOf(7))
    await using model = await startModel({
      'plan T-1': [planOf(numbers.map(pathOf))],
      'draft T-1': numbers.map((n) => draft(n)),
      'repair_code T-1': [seventh, seventh],
      'classify T-1': ['{"reason": "unknown", "explanation": "It stays ignored."}'],
      ...second,
    })
    const { code, stderr } = await project.run([...args, '--no-recovery'], model.variables)
    expect(code, stderr).toBe(1)
    expect(model.asked().slice(0, 13)).toEqual([
      'plan T-1',
      ...Array(10).fill('draft T-1'),
      ...Array(2).fill('repair_code T-1'),
    ])
    expect(expectRolledBack(project, own)).toMatch(/^It stays ignored/)
  })

  it('is too big for one task: the task is split, and no code for it was asked for', async () => {
    using project = createProject(factory(2))
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
    using project = createProject(factory(3))
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
