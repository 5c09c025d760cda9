import { describe, expect, it } from 'vitest'
import { createProject, type Files, type Project } from './bench.ts'
import { type Answers, edit, type Model, startModel } from './model.ts'
import { checkReport, outcomes, ownTree } from './scenario.ts'

/** Three small tasks on one file, each with a command that shows whether it is done. */
const files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/words.js':
    'export const one = () => 1\n\nexport const two = () => 2\n\nexport const three = () => 3\n',
  'check.js': `import * as words from './src/words.js'
const [name, value] = process.argv.slice(2)
if (String(words[name]()) !== value) throw new Error(name + ' is ' + words[name]())
`,
  'test/words.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as words from '../src/words.js'
test('all are functions', () => assert.ok(Object.values(words).every((each) => typeof each === 'function')))
`,
  'ROADMAP.md': `# Words

- [ ] T-1: Let \`one\` say I in \`src/words.js\`
  - Files: \`src/words.js\`
  - Accept: \`node check.js one I\`
- [ ] T-2: Let \`two\` say II in \`src/words.js\`
  - Files: \`src/words.js\`
  - Accept: \`node check.js two II\`
- [ ] T-3: Let \`three\` say III in \`src/words.js\`
  - Files: \`src/words.js\`
  - Accept: \`node check.js three III\`
`,
} satisfies Files

const say = (name: string, number: number | string, word: string): string =>
  edit(
    'src/words.js',
    `export const ${name} = () => ${number}`,
    `export const ${name} = () => '${word}'`,
  )

const one = say('one', 1, 'I')
const two = say('two', 2, 'II')
const three = say('three', 3, 'III')
const apart = `## T-1\n${one}\n## T-2\n${two}\n## T-3\n${three}`
const asOne = one + two + three

async function play(answers: Answers, args: readonly string[] = ['--group', 'file']) {
  const project = createProject(files)
  const model = await startModel(answers)
  const before = ownTree(project)
  const result = await project.run(['run', ...args], model.variables)
  expect(ownTree(project), result.stderr).toEqual(before)
  checkReport(project, model)
  const close = async () => {
    await model[Symbol.asyncDispose]()
    project[Symbol.dispose]()
  }
  return { project, model, result, [Symbol.asyncDispose]: close }
}

const wordsAt = (project: Project, branch: string) => project.show(branch, 'src/words.js')

const titlesOf = (project: Project, range: string) => project.log(range).map(({ title }) => title)

const isDone = (
  project: Project,
  result: { readonly code: number; readonly stderr: string },
  model: Model,
  requests: readonly string[],
) => {
  expect(result.code, result.stderr).toBe(0)
  expect(model.asked()).toEqual(requests)
  expect(outcomes(project)).toEqual({ 'T-1': 'done', 'T-2': 'done', 'T-3': 'done' })
  expect(project.todos()).toEqual({ 'T-1': 'completed', 'T-2': 'completed', 'T-3': 'completed' })
}

const all = files['src/words.js']
  .replace('1\n', "'I'\n")
  .replace('2\n', "'II'\n")
  .replace('3\n', "'III'\n")

describe.concurrent('three tasks on one file', () => {
  it('are one request, one branch, and a commit each where the answer tells them apart', async () => {
    await using played = await play({ 'draft T-1': [apart] })
    const { project, model, result } = played
    isDone(project, result, model, ['draft T-1'])
    expect(project.branches()).toEqual(['agent/T-1'])
    const commits = project.log('main..agent/T-1')
    expect(commits.map(({ title }) => title)).toEqual([
      '[Agent] Complete T-3: Let `three` say III in `src/words.js`',
      '[Agent] Complete T-2: Let `two` say II in `src/words.js`',
      '[Agent] Complete T-1: Let `one` say I in `src/words.js`',
    ])
    expect(commits.map(({ trailers }) => trailers['Executor-Member'])).toEqual([
      'T-3',
      'T-2',
      'T-1',
    ])
    expect(wordsAt(project, 'agent/T-1')).toBe(all)
    expect(wordsAt(project, 'agent/T-1~2')).toBe(files['src/words.js'].replace('1\n', "'I'\n"))
    const ticks = (at: string) => project.show(at, 'ROADMAP.md')?.match(/\[x\]/g)?.length
    expect(['', '~1', '~2'].map((back) => ticks(`agent/T-1${back}`))).toEqual([3, 2, 1])
  })

  it('are one commit that ticks all where it does not', async () => {
    await using played = await play({ 'draft T-1': [asOne] })
    const { project, model, result } = played
    isDone(project, result, model, ['draft T-1'])
    expect(titlesOf(project, 'main..agent/T-1')).toEqual([
      '[Agent] Complete T-1, T-2, T-3: Let `one` say I in `src/words.js`; Let…',
    ])
    expect(wordsAt(project, 'agent/T-1')).toBe(all)
  })

  it('are found done by a later run on another machine', async () => {
    await using played = await play({ 'draft T-1': [apart] })
    const { project, model } = played
    project.git('update-ref', '-d', 'refs/executor/state')
    const again = await project.run(['run', '--group', 'file', '--fresh'], model.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1'])
    expect(project.branches()).toEqual(['agent/T-1'])
  })

  it('lose the one that fails, which goes alone', async () => {
    const wrong = say('two', 2, 'zwei')
    await using played = await play({
      'draft T-1': [`## T-1\n${one}\n## T-2\n${wrong}\n## T-3\n${three}`],
      'repair_test T-1': [say('two', "'zwei'", 'deux'), say('two', "'deux'", 'dos')],
      'draft T-2': [two],
    })
    const { project, model, result } = played
    isDone(project, result, model, ['draft T-1', 'repair_test T-1', 'repair_test T-1', 'draft T-2'])
    expect(project.branches()).toEqual(['agent/T-1', 'agent/T-2'])
    const without = all.replace("'II'", '2')
    expect(wordsAt(project, 'agent/T-1')).toBe(without)
    expect(wordsAt(project, 'agent/T-2')).toBe(all)
    expect(project.log('agent/T-1..agent/T-2')[0]?.trailers['Executor-Attempt']).toBe('2')
  })

  it('each go alone when the failing one cannot be taken out', async () => {
    await using played = await play({
      'draft T-1': [one + say('two', 2, 'zwei') + three, one],
      'repair_test T-1': [say('two', "'zwei'", 'deux'), say('two', "'deux'", 'dos')],
      'draft T-2': [two],
      'draft T-3': [three],
    })
    const { project, model, result } = played
    isDone(project, result, model, [
      ...['draft T-1', 'repair_test T-1', 'repair_test T-1'],
      ...['draft T-1', 'draft T-2', 'draft T-3'],
    ])
    expect(project.branches()).toEqual(['agent/T-1', 'agent/T-2', 'agent/T-3'])
    expect(wordsAt(project, 'agent/T-3')).toBe(all)
  })

  it('are shown by the plan, and rolled back together', async () => {
    await using played = await play({ 'draft T-1': [apart] })
    const { project } = played
    const planned = await project.run(['plan', '--group', 'file', '--json'])
    expect(JSON.parse(planned.stdout)).toMatchObject({ requests: [['T-1', 'T-2', 'T-3']] })
    const one = await project.run(['rollback', 'T-2', '--yes'])
    expect(one.stdout + one.stderr).toContain('T-2 was done together with T-1: name T-1')
    expect(wordsAt(project, 'agent/T-1')).toBe(all)
    const back = await project.run(['rollback', 'T-1', '--yes'])
    expect(back.code, back.stderr).toBe(0)
    expect(wordsAt(project, 'agent/T-1')).toBe(files['src/words.js'])
    expect(project.show('agent/T-1', 'ROADMAP.md')).toBe(files['ROADMAP.md'])
  })

  it('are replayed as they went', async () => {
    const wrong = say('two', 2, 'zwei')
    await using played = await play({
      'draft T-1': [`## T-1\n${one}\n## T-2\n${wrong}\n## T-3\n${three}`],
      'repair_test T-1': [say('two', "'zwei'", 'II')],
    })
    const { project, model, result } = played
    isDone(project, result, model, ['draft T-1', 'repair_test T-1'])
    const again = await project.run(['replay', project.report().runId])
    expect(again.code, again.stdout + again.stderr).toBe(0)
    expect(model.asked()).toHaveLength(2)
  })

  it('go beside another group, each in a lane', async () => {
    const more = [4, 5].map((each) => {
      const path = '`src/more.js`'
      return `- [ ] T-${each}: Let \`m${each}\` say ${each} in ${path}\n  - Files: ${path}\n`
    })
    const project = createProject({
      ...files,
      'src/more.js': 'export const m4 = () => 0\n\nexport const m5 = () => 0\n',
      'ROADMAP.md': `${files['ROADMAP.md']}${more.join('')}`,
    })
    const lines = [4, 5].map(
      (each) =>
        `## T-${each}\n${edit('src/more.js', `export const m${each} = () => 0`, `export const m${each} = () => ${each}`)}`,
    )
    await using model = await startModel({ 'draft T-1': [apart], 'draft T-4': [lines.join('\n')] })
    const args = ['run', '--group', 'file', '--parallel', '2']
    const result = await project.run(args, model.variables)
    expect(result.code, result.stderr).toBe(0)
    const tokens = project.report().tasks.map((task) => task.tokens)
    expect(tokens.reduce((total, each) => total + each, 0)).toBe(model.tokens())
    expect([...model.asked()].sort()).toEqual(['draft T-1', 'draft T-4'])
    expect(project.branches()).toEqual(['agent/T-1', 'agent/T-4'])
    expect(Object.values(project.todos())).toEqual(Array(5).fill('completed'))
    project[Symbol.dispose]()
  })

  it('are left to a person once their commits are in the base one by one', async () => {
    await using played = await play({ 'draft T-1': [apart] })
    const { project } = played
    project.git('merge', '--quiet', '--ff-only', 'agent/T-1')
    const back = await project.run(['rollback', 'T-1', '--yes'])
    expect(back.stdout + back.stderr).toContain('T-1 was merged commit by commit')
    expect(wordsAt(project, 'main')).toBe(all)
    expect(project.log('main..agent/T-1')).toEqual([])
  })

  it('are three requests with the default, whose prompts and commits know no group', async () => {
    await using played = await play(
      { 'draft T-1': [one], 'draft T-2': [two], 'draft T-3': [three] },
      [],
    )
    const { project, model, result } = played
    isDone(project, result, model, ['draft T-1', 'draft T-2', 'draft T-3'])
    expect(project.git('log', '--format=%B', 'main..agent/T-3')).not.toMatch(
      /Executor-(Group|Member|Start)/,
    )
  })
})
