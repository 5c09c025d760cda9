import { describe, expect, it } from 'vitest'
import { createProject } from './bench.ts'
import { alphabet } from './letters.ts'
import { type Answers, file, startModel } from './model.ts'

const names = ['one', 'two', 'three', 'four']

const roadmap = `# Words\n\n${names.map((name, index) => `- [ ] T-${index + 1}: Add \`${name}\`\n  - Files: \`src/${name}.js\`\n`).join('')}`

const wordOf = (name: string): string =>
  file(`src/${name}.js`, `export const ${name} = () => '${name}'\n`) +
  file(
    `test/${name}.test.js`,
    `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { ${name} } from '../src/${name}.js'\n\ntest('${name}', () => assert.equal(${name}(), '${name}'))\n`,
  )

/** Each answer takes two seconds, and says when it was asked for. */
function slowAnswers(asked: number[]): Answers {
  return Object.fromEntries(
    names.map((name, index) => [
      `draft T-${index + 1}`,
      [
        {
          text: wordOf(name),
          fault: { kind: 'slow', seconds: 2 },
          meanwhile: () => void asked.push(performance.now()),
        },
      ],
    ]),
  )
}

const files = { ...alphabet, 'ROADMAP.md': roadmap }

describe('four tasks, three at a time', () => {
  it('are asked for side by side, and end as they do one after another', async () => {
    const asked: number[] = []
    using project = createProject(files)
    await using model = await startModel(slowAnswers(asked))
    const { code, stderr } = await project.run(
      ['run', '--parallel', '3', '--checkout'],
      model.variables,
    )
    expect(code, stderr).toBe(0)
    const [first = 0, , third = 0, fourth = 0] = asked
    expect(third - first).toBeLessThan(2000)
    expect(fourth - first).toBeGreaterThan(2000)
    using apart = createProject(files)
    await using other = await startModel(slowAnswers([]))
    const alone = await apart.run(['run', '--stack', 'auto'], other.variables)
    expect(alone.code, alone.stderr).toBe(0)
    expect(model.asked().toSorted()).toEqual(other.asked())
    expect(project.branches()).toEqual(apart.branches())
    for (const [index, name] of names.entries()) {
      const branch = `agent/T-${index + 1}`
      for (const path of ['ROADMAP.md', `src/${name}.js`, `test/${name}.test.js`])
        expect(project.show(branch, path)).toBe(apart.show(branch, path))
      expect(project.log(`main..${branch}`)).toHaveLength(1)
    }
    expect(project.todos()).toEqual(apart.todos())
    expect(project.report().totals).toEqual(apart.report().totals)
    expect(stderr).toContain('--checkout: not switched: the work is on separate branches')
    for (const index of names.keys()) {
      const id = `T-${index + 1}`
      expect(stderr.match(new RegExp(`^${id} Add`, 'gm'))).toHaveLength(1)
      for (const line of [`  ${id} asking`, `    ${id} passed: npm test`, `✔ ${id} done on`])
        expect(stderr).toContain(line)
    }
  })

  it('resume after a kill where they were, and pay for nothing twice', async () => {
    using project = createProject(files)
    await using model = await startModel(slowAnswers([]))
    const running = project.start(['run', '--parallel', '3'], model.variables)
    await model.whenAsked('draft T-4')
    running.process.kill('SIGKILL')
    await running.ended
    await using second = await startModel({
      ...slowAnswers([]),
    })
    const { code, stderr } = await project.run(['run', '--parallel', '3'], second.variables)
    expect(code, stderr).toBe(0)
    expect(project.branches()).toHaveLength(4)
    const answered = model.asked().filter((key) => !second.asked().includes(key))
    expect([...answered, ...second.asked()].toSorted()).toEqual(
      names.map((_, index) => `draft T-${index + 1}`),
    )
    expect(second.asked().length).toBeLessThan(4)
  })
})

it('a chain cannot be worked side by side', async () => {
  using project = createProject(files)
  const { code, stderr } = await project.run([
    'run',
    '--parallel',
    '2',
    '--stack',
    'chain',
    '--model',
    'm',
  ])
  expect(code).toBe(2)
  expect(stderr).toContain('parallel 2 and stack chain exclude each other')
})
