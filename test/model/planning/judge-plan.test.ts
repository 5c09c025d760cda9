import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openPolicyGate } from '../../../packages/judge/gate/gate.ts'
import type { Task } from '../../../packages/task/task-schema.ts'
import type { Plan } from '../../../src/core/domain/attempt.ts'
import { comparePlans, judgePlan } from '../../../src/model/planning/judge-plan.ts'
import { readPlan } from '../../../src/model/prompts/plan.ts'
import { aTask, someSettings } from '../../fakes/facts.ts'

const paths = ['ROADMAP.md', 'package.json', 'src/cart.js', 'src/price.ts', 'test/cart.test.js']
const tree = paths.map((path) => ({ path, mode: '100644' as const, size: 10 }))

function judge(said: unknown, facts: Partial<Task> = {}, files = tree) {
  const task = aTask({ title: 'Add a discount to the cart', ...facts })
  const reading = readPlan(JSON.stringify(said))
  if ('problem' in reading) throw new Error(reading.problem)
  return judgePlan(reading.value, {
    task,
    gate: openPolicyGate({ files }, { task, grants: [] }, someSettings()),
  })
}

const steps = ['compute the discount', 'test it']
const part = (id: string | number, file: string, needs: readonly (string | number)[] = []) => ({
  ...{ id, does: `write ${file}`, files: [file], needs },
})

describe('a sound plan', () => {
  it.each<[string, unknown, Partial<Task>?]>([
    ['names files that exist', { files: ['src/cart.js', 'test/cart.test.js'], steps }],
    ['creates a file', { files: ['src/discount.js'], steps }],
    ['names no file', { files: [], steps }],
    [
      'tests a file of the scope',
      { files: ['test/cart.test.js'], steps },
      { files: ['src/cart.js'] },
    ],
    [
      'has a new test of another name',
      { files: ['src/cart.js', 'test/discount.test.js'], steps },
      { files: ['src/cart.js'] },
    ],
    [
      'has a step for each subtask, in other words',
      { files: ['src/cart.js'], steps: ['write the README', 'round half cents'] },
      {
        subtasks: [
          { title: 'Mention it in the readme', status: 'pending', line: 2 },
          { title: 'Rounding of half cents', status: 'pending', line: 3 },
          { title: 'Translate the labels', status: 'done', line: 4 },
          { title: 'Add tests', status: 'pending', line: 5 },
        ],
      },
    ],
    [
      'makes the files that its accept commands run',
      { files: ['test/discount.test.js'], steps },
      { accept: ['node --test test/discount.test.js', 'npm run lint', 'node test/cart.test.js'] },
    ],
    [
      'words its steps in its own way',
      {
        files: ['src/cart.js'],
        complexity: 'High',
        steps: [
          { step: 1, description: 'compute it' },
          { step: 2, action: 'test it' },
        ],
      },
    ],
    [
      'has parts that need each other in order',
      { files: [], steps: [part('a', 'src/a.js'), part('b', 'src/b.js', ['a'])] },
    ],
  ])('%s', (_, said, facts) => {
    expect(judge(said, facts).faults).toEqual([])
  })

  it('names the file that was meant, where a path is out of scope', () => {
    const { plan, faults } = judge(
      { files: ['./price.ts', 'src/price.ts:12'], steps },
      { files: ['src/'] },
    )
    expect({ files: plan?.files, faults }).toEqual({ files: ['src/price.ts'], faults: [] })
  })
})

describe('a plan that is sent back', () => {
  it.each<[string, unknown, RegExp, readonly string[], Partial<Task>?]>([
    [
      'leaves the repository',
      { files: ['../up.js', 'src/a.js'], steps },
      /leads out/,
      ['src/a.js'],
    ],
    ['is absolute', { files: ['/etc/passwd'], steps }, /absolute/, []],
    ['reaches into git', { files: ['.git/hooks/post-commit'], steps }, /\.git/, []],
    ['changes the roadmap', { files: ['ROADMAP.md'], steps }, /ROADMAP\.md: /, []],
    ['changes a workflow', { files: ['.github/workflows/ci.yml'], steps }, /ci\.yml: /, []],
    [
      'is out of scope',
      { files: ['lib/x.js'], steps },
      /not among/,
      [],
      { files: ['src/cart.js'] },
    ],
    [
      'changes an existing test that is out of scope',
      { files: ['test/cart.test.js'], steps },
      /not among/,
      [],
      { files: ['src/price.ts'] },
    ],
    [
      'adds set-up for the tests that is out of scope',
      { files: ['test/setup.js'], steps },
      /not among/,
      [],
      { files: ['src/cart.js'] },
    ],
    [
      'means a file that is out of scope',
      { files: ['lib/price.ts'], steps },
      /not among/,
      [],
      { files: ['test/'] },
    ],
    ['names a folder', { files: ['src'], steps }, /folder/, []],
    ['is below a file', { files: ['src/cart.js/x.js'], steps }, /which is a file/, []],
    ['has no steps', { files: ['src/cart.js'], steps: [] }, /no steps/, ['src/cart.js']],
    ['has empty steps', { files: ['src/cart.js'], steps: ['', ' '] }, /no steps/, ['src/cart.js']],
    [
      'forgets a subtask',
      { files: ['src/cart.js'], steps },
      /no step is about "Translate the labels"/,
      ['src/cart.js'],
      { subtasks: [{ title: 'Translate the labels', status: 'pending', line: 2 }] },
    ],
    [
      'forgets the file of an accept command',
      { files: ['src/cart.js'], steps: ['sum it up'] },
      /no step makes test\/discount\.test\.js/,
      ['src/cart.js'],
      { title: 'Add it', accept: ['node --test test/discount.test.js'] },
    ],
  ])('%s', (_, said, fault, files, facts) => {
    const judged = judge(said, facts)
    expect(judged.faults.join('\n')).toMatch(fault)
    expect(judged.plan?.files ?? []).toEqual(files)
  })

  it.each<[string, readonly unknown[], RegExp, readonly string[] | undefined]>([
    ['is a circle', [part('a', 'a.js', ['b']), part('b', 'b.js', ['a'])], /circle/, undefined],
    ['needs itself', [part('a', 'a.js', ['a']), part('b', 'b.js')], /circle/, undefined],
    [
      'has an id twice',
      [part('a', 'a.js'), part('a', 'b.js')],
      /two steps have the id a/,
      undefined,
    ],
    ['needs no step', [part('a', 'a.js', ['z']), part('b', 'b.js')], /needs z/, ['a', 'b']],
    [
      'needs what objects have',
      [part('a', 'a.js', ['__proto__', 'constructor']), part('b', 'b.js')],
      /needs __proto__.*needs constructor/s,
      ['a', 'b'],
    ],
  ])('has parts whose order %s', (_, parts, fault, ids) => {
    const { plan, faults } = judge({ files: [], steps: parts })
    expect(faults.join('\n')).toMatch(fault)
    expect(plan?.parts?.map(({ id }) => id)).toEqual(ids)
    expect(plan?.steps).toHaveLength(2)
  })

  it('is nothing when nothing of it is left', () => {
    expect(judge({}).plan).toBeNull()
    expect(judge({ files: ['../x'], steps: [7, null] }).plan).toBeNull()
  })
})

describe('parts', () => {
  it('follow what they need, and keep their order otherwise', () => {
    const given = [
      part(3, 'c.js', [1, 2]),
      part(2, 'b.js', ['1']),
      part(1, 'a.js'),
      part(4, 'd.js'),
    ]
    const { plan, faults } = judge({ steps: given })
    expect(faults).toEqual([])
    expect(plan?.parts?.map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
    expect(plan?.steps[0]).toBe('write a.js')
    expect(plan?.files).toEqual(['c.js', 'b.js', 'a.js', 'd.js'])
  })

  it('may be called like properties of objects', () => {
    const given = [part('toString', 'a.js', ['__proto__']), part('__proto__', 'b.js')]
    expect(judge({ steps: given }).plan?.parts?.map(({ id }) => id)).toEqual([
      '__proto__',
      'toString',
    ])
  })
})

describe('a hostile plan', () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    part(index, `src/${index}.js`, [index + 1]),
  )

  it('of 10,000 steps is cut', () => {
    const { plan, faults } = judge({ files: many.map(({ does }) => does), steps: many })
    expect(plan?.files.length).toBeLessThanOrEqual(20)
    expect(plan?.steps.length).toBeLessThanOrEqual(12)
    expect(faults.length).toBeLessThanOrEqual(6)
  })

  it('of any shape breaks nothing, and what is left obeys the rules', () => {
    const weird = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('__proto__', '../x', 'src/cart.js', '\0', 'a'.repeat(5_000), 'src/*.js', 3),
    )
    const list = fc.oneof(
      fc.array(weird, { maxLength: 15 }),
      fc.array(
        fc.record({ id: weird, does: weird, files: fc.array(weird), needs: fc.array(weird) }),
        { maxLength: 15 },
      ),
      weird,
    )
    fc.assert(
      fc.property(fc.record({ files: list, complexity: weird, steps: list }), (said) => {
        const { plan, faults } = judge(said)
        for (const fault of faults) expect(fault.length).toBeLessThanOrEqual(200)
        if (plan === null) return
        const again = judge(plan)
        expect(again.plan?.files).toEqual(plan.files)
        expect(again.rank[0]).toBe(plan.steps.length === 0 ? 1 : 0)
        const done = new Set<string>()
        for (const { id, needs, files } of plan.parts ?? []) {
          expect(needs.every((need) => done.has(need))).toBe(true)
          for (const file of files) expect(judge({ files: [file], steps }).faults).toEqual([])
          done.add(id)
        }
      }),
    )
  })
})

it('prefers plans without faults, then those that cover the task, then the smaller', () => {
  const facts: Partial<Task> = { subtasks: [{ title: 'Label', status: 'pending', line: 2 }] }
  const plans: readonly Pick<Plan, 'files' | 'steps'>[] = [
    { files: ['src/cart.js'], steps: ['label it', 'test it'] },
    { files: ['src/cart.js'], steps: ['label it'] },
    { files: ['src/cart.js', 'src/x.js'], steps: ['label it', 'test it'] },
    { files: [], steps: ['label it', 'test it'] },
    { files: ['src/cart.js'], steps: ['round it', 'test it'] },
    { files: ['src/cart.js', '../x'], steps: ['label it', 'test it'] },
  ]
  const ranked = plans.map((plan) => judge(plan, facts))
  expect(ranked.toReversed().sort(comparePlans)).toEqual(ranked)
  expect(comparePlans(judge(plans[0], facts), judge(plans[0], facts))).toBe(0)
})
