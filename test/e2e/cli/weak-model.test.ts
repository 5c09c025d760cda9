import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject } from './bench.ts'
import { file, startModel } from './model.ts'
import { outcomes, play } from './scenario.ts'

const names = ['one', 'two', 'three', 'four']
const testOf = (name: string, value: number): string => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ${name} } from '../src/${name}.js'

test('${name} is a number', () => assert.equal(typeof ${name}(), 'number'))
test('${name} is ${value}', () => assert.equal(${name}(), ${value}))
`
/** A stub and red tests for each of four tasks. */
const stubs = {
  'package.json': `${JSON.stringify({ name: 'numbers', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'ROADMAP.md': names
    .map((name, at) => `- [ ] T-${at + 1}: Implement \`${name}\` in \`src/${name}.js\`\n`)
    .join(''),
  ...Object.fromEntries(
    names.flatMap((name, at) => [
      [`src/${name}.js`, `export const ${name} = () => {\n  throw new Error('${name}')\n}\n`],
      [`test/${name}.test.js`, testOf(name, at + 1)],
    ]),
  ),
}
const answer = (name: string, value: number): string =>
  file(`src/${name}.js`, `export const ${name} = () => ${value}\n`)

describe.concurrent('a model that is too weak', () => {
  it('ends the run after three tasks that end on one error, and says where to look', async () => {
    const broken = (name: string, n: number) =>
      file(`src/${name}.js`, `import 'node:nothing'\n\nexport const ${name} = () => ${n}\n`)
    await using played = await play({
      files: stubs,
      answers: Object.fromEntries(
        names.flatMap((name, at) => [
          [`draft T-${at + 1}`, [1, 2, 3].map((n) => broken(name, n))],
          [`repair_test T-${at + 1}`, [4, 5, 6].map((n) => broken(name, n))],
        ]),
      ),
    })
    const { project, result } = played
    expect(result.code, result.stderr).toBe(4)
    expect(outcomes(project)).toEqual({ 'T-1': 'failed', 'T-2': 'failed', 'T-3': 'failed' })
    expect(result.stderr).toMatch(
      /T-1, T-2, T-3 ended on the same error: .*node:nothing.* \(same_error\)/,
    )
    expect(result.stderr).toContain('Look at that error first')
  })

  it('ends the run after three tasks without a usable answer, and another model starts anew', async () => {
    using project = createProject(stubs)
    const useless = ['I am not sure.', 'As an AI model, no.', 'Let me think.']
    await using weak = await startModel({
      'draft T-1': [useless[0] ?? ''],
      'repair_code T-1': useless.slice(1),
      'draft T-2': [useless[0] ?? ''],
      'repair_code T-2': useless.slice(1),
      'draft T-3': [useless[0] ?? ''],
      'repair_code T-3': useless.slice(1),
    })
    const { code, stderr } = await project.run(['run'], weak.variables)
    expect(code, stderr).toBe(4)
    expect(weak.asked()).toHaveLength(9)
    expect(outcomes(project)).toEqual({ 'T-1': 'failed', 'T-2': 'failed', 'T-3': 'failed' })
    expect(stderr).toMatch(
      /3 tasks in a row brought no usable answer: 9 requests, [\d,]+ tokens; scripted may be too weak for them \(no_usable_answers\)/,
    )
    expect(stderr).toContain('--model NAME')
    expect(project.report().limits).toHaveLength(1)

    await using strong = await startModel(
      Object.fromEntries(names.map((name, at) => [`draft T-${at + 1}`, [answer(name, at + 1)]])),
    )
    const next = await project.run(['run', '--model', 'strong'], strong.variables)
    expect(next.code, next.stderr).toBe(0)
    expect(strong.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-3', 'draft T-4'])
  })

  it('ends the run when hardly an answer can be used, though one could be tested', async () => {
    using project = createProject(stubs)
    await using weak = await startModel({
      'draft T-1': ['I am not sure.'],
      'repair_code T-1': [answer('one', 7), 'Let me think.'],
      'repair_test T-1': [file('src/one.js', 'export const one = () => (\n')],
      'draft T-2': ['I am not sure.'],
      'repair_code T-2': ['As an AI model, no.', 'Let me think.'],
    })
    const { code, stderr } = await project.run(['run'], weak.variables)
    expect(code, stderr).toBe(4)
    expect(weak.asked().length).toBeLessThan(9)
    expect(stderr).toMatch(
      /1 of 7 answers to 2 tasks could be used, and none is done: 7 requests, [\d,]+ tokens; scripted may be too weak for them \(no_usable_answers\)/,
    )
  })

  it('leaves a clear task to the second model, by one line in the roadmap', async () => {
    using project = createProject({ ...stubs, '.github/executor.yml': 'fallback-model: big\n' })
    await using model = await startModel({
      'draft T-1': [answer('one', 7), answer('one', 1)],
      'repair_test T-1': [answer('one', 8), answer('one', 9), answer('one', 6)],
    })
    const args = ['run', '--task', 'T-1', '--approval-mode', 'auto']
    const { code, stderr } = await project.run(args, model.variables)
    expect(code, stderr).toBe(0)
    const samples = Array<string>(3).fill('repair_test T-1')
    expect(model.asked()).toEqual(['draft T-1', ...samples, 'draft T-1'])
    expect(outcomes(project)).toEqual({ 'T-1': 'done' })
    expect(project.git('diff', '--numstat', 'main', 'executor/recovery/T-1')).toBe(
      '1\t0\tROADMAP.md',
    )
    expect(project.show('agent/T-1', 'ROADMAP.md')).toContain('[x] T-1')
    expect(project.show('agent/T-1', 'ROADMAP.md')).toContain('\n  - **Model**: big\n')
    const again = await project.run(args, model.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(model.asked()).toHaveLength(5)
  })

  it('says how far it came at a clear task, and nobody asks it why', async () => {
    await using played = await play({
      files: stubs,
      args: ['--task', 'T-1'],
      answers: {
        'draft T-1': [answer('one', 7)],
        'repair_test T-1': [answer('one', 8), answer('one', 9), answer('one', 6)],
      },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(1)
    expect(model.asked()).toEqual(['draft T-1', ...Array<string>(3).fill('repair_test T-1')])
    const [task] = project.report().tasks
    expect(task).toMatchObject({ id: 'T-1', outcome: 'failed' })
    expect(result.stderr).toContain('1 of 2 tests pass after 4 tries: one is 1')
    expect(readFileSync(join(project.path, '.executor/attempts/T-1.md'), 'utf8')).toContain('=> 7')
    // What waits for the other tasks is a number.
    const shown = readFileSync(join(project.path, '.executor/report.md'), 'utf8')
    expect(shown).toContain('7 tests were red before this change and still are.')
    expect(shown).not.toMatch(/four is/)
    expect(model.told().slice(1).join('')).not.toMatch(/(?:two|four) is/)
  })
})
