import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Task } from '../../../packages/task/task-schema.ts'
import { composeTask } from '../../../src/core/domain/compose-task.ts'
import type { Settings } from '../../../src/core/domain/settings.ts'
import { chooseGroup, mostMembers, planGroups } from '../../../src/tasks/groups/choose-group.ts'
import { aTask } from '../../fakes/facts.ts'

const at = (number: number, facts: Partial<Task> = {}): Task =>
  aTask({ id: `T-${number}`, title: `Add part ${number}`, files: ['src/a.js'], ...facts })

const ids = (tasks: readonly Task[]) => tasks.map(({ id }) => id).join(' ')

interface Case {
  readonly by?: Settings['group']
  readonly tasks: readonly Task[]
  readonly dependsOn?: Readonly<Record<string, readonly string[]>>
  readonly sizes?: Readonly<Record<string, number>>
  readonly most?: number
}

const choose = ({ by = 'file', tasks: [first = at(1), ...others], ...given }: Case) =>
  ids(
    chooseGroup(first, others, {
      by,
      dependsOn: new Map(Object.entries(given.dependsOn ?? {})),
      sizes: new Map(Object.entries(given.sizes ?? {})),
      ...(given.most !== undefined && { most: given.most }),
    }),
  )

const section = { headings: ['Words'], files: [] }
const named = { group: 'words', files: [] }

describe('a group', () => {
  it.each<[string, Case, string]>([
    ['has the tasks on one file', { tasks: [at(1), at(2), at(3)] }, 'T-1 T-2 T-3'],
    ['has nobody else when off', { by: 'off', tasks: [at(1), at(2)] }, 'T-1'],
    ['has at most four', { tasks: [1, 2, 3, 4, 5].map((each) => at(each)) }, 'T-1 T-2 T-3 T-4'],
    ['has what the run has room for', { tasks: [at(1), at(2), at(3)], most: 2 }, 'T-1 T-2'],
    [
      'leaves out another file',
      { tasks: [at(1), at(2, { files: ['src/b.js'] }), at(3)] },
      'T-1 T-3',
    ],
    [
      'knows files by the words, too',
      { tasks: [at(1), at(2, { files: [], title: 'Let `src/a.js` say more' })] },
      'T-1 T-2',
    ],
    [
      'is not joined by tests or patterns',
      {
        tasks: [at(1, { files: ['a.test.js', 'lib/*'] }), at(2, { files: ['a.test.js', 'lib/*'] })],
      },
      'T-1',
    ],
    ['has a section', { by: 'section', tasks: [at(1, section), at(2, section)] }, 'T-1 T-2'],
    ['has no section without a heading', { by: 'section', tasks: [at(1), at(2)] }, 'T-1'],
    [
      'ends with the section',
      { by: 'section', tasks: [at(1, section), at(2, { headings: ['More'] })] },
      'T-1',
    ],
    [
      'has a written name',
      { by: 'explicit', tasks: [at(1, named), at(2, named), at(3)] },
      'T-1 T-2',
    ],
    ['is not guessed when written', { by: 'explicit', tasks: [at(1), at(2)] }, 'T-1'],
    [
      'counts written names for every rule',
      { tasks: [at(1, named), at(2), at(3, named)] },
      'T-1 T-3',
    ],
    ['takes no task out of a written one', { tasks: [at(1), at(2, { group: 'words' })] }, 'T-1'],
    ['has one model', { tasks: [at(1), at(2, { model: 'large' })] }, 'T-1'],
    ['has one test command', { tasks: [at(1), at(2, { verify: 'npm run other' })] }, 'T-1'],
    [
      'has no task with a budget',
      { tasks: [at(1), at(2, { budget: { tokens: 9, dollars: null } })] },
      'T-1',
    ],
    ['has none for all or nothing', { tasks: [at(1), at(2, { together: 'x' })] }, 'T-1'],
    ['has none for what a person does', { tasks: [at(1), at(2, { owner: 'ada' })] }, 'T-1'],
    ['has no part of a recovery', { tasks: [at(1), at(2, { id: 'T-2-a' })] }, 'T-1'],
    ['has no task of many words', { tasks: [at(1), at(2, { details: 'x'.repeat(900) })] }, 'T-1'],
    [
      'has no task of many files',
      { tasks: [at(1), at(2, { files: ['src/a.js', 'b.js', 'c.js', 'd.js'] })] },
      'T-1',
    ],
    ['is not led by a large task', { tasks: [at(1, { details: 'x'.repeat(900) }), at(2)] }, 'T-1'],
    ['has no large file', { tasks: [at(1), at(2)], sizes: { 'src/a.js': 40_000 } }, 'T-1'],
    [
      'stays below the forecast of a group',
      {
        tasks: [1, 2, 3].map((each) => at(each, { files: ['src/a.js', `${each}.js`] })),
        sizes: { '1.js': 7_000, '2.js': 7_000, '3.js': 7_000 },
      },
      'T-1 T-2',
    ],
    [
      'has a task that needs one before it',
      { tasks: [at(1), at(2)], dependsOn: { 'T-2': ['T-1'] } },
      'T-1 T-2',
    ],
    [
      'has none that needs a task outside',
      { tasks: [at(1), at(2)], dependsOn: { 'T-2': ['T-9'] } },
      'T-1',
    ],
    [
      'has what needs the same as the first',
      { tasks: [at(1), at(2)], dependsOn: { 'T-1': ['T-9'], 'T-2': ['T-9', 'T-1'] } },
      'T-1 T-2',
    ],
  ])('%s', (_, given, expected) => {
    expect(choose(given)).toBe(expected)
  })

  it('holds each task once, in order, whatever the roadmap', () => {
    const someTask = fc.record({
      files: fc.subarray(['a.js', 'b.js', 'c.js']),
      headings: fc.subarray(['One', 'Two']),
      group: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
      needs: fc.array(fc.nat(9), { maxLength: 2 }),
    })
    const by = fc.constantFrom('file', 'section', 'explicit', 'off') as fc.Arbitrary<
      Settings['group']
    >
    fc.assert(
      fc.property(by, fc.array(someTask, { maxLength: 12 }), (rule, drawn) => {
        const tasks = drawn.map(({ group, files, headings }, index) =>
          at(index, { files, headings, ...(group !== undefined && { group }) }),
        )
        const dependsOn = new Map(
          drawn.map(({ needs }, index) => [
            `T-${index}`,
            needs.filter((each) => each < index).map((each) => `T-${each}`),
          ]),
        )
        const planned = planGroups(tasks, { by: rule, dependsOn, sizes: new Map() })
        const flat = planned.flat().map(({ id }) => id)
        expect(new Set(flat).size).toBe(tasks.length)
        for (const group of planned) {
          expect(group.length).toBeLessThanOrEqual(rule === 'off' ? 1 : mostMembers)
          const places = group.map((each) => tasks.indexOf(each))
          expect(places).toEqual(places.toSorted((a, b) => a - b))
          const [first] = group
          const allowed = [...(dependsOn.get(first?.id ?? '') ?? []), ...group.map(({ id }) => id)]
          for (const { id } of group)
            expect(allowed).toEqual(expect.arrayContaining([...(dependsOn.get(id) ?? [])]))
        }
      }),
    )
  })
})

describe('a composed task', () => {
  it('is the task itself for one', () => {
    expect(composeTask([at(1)])).toEqual(at(1))
  })

  it('has the scope, the words and the commands of all, and the identity of the first', () => {
    const members = [
      at(1, { accept: ['npm test'], details: 'More.' }),
      at(2, { accept: ['npm test', 'node b.js'], files: ['src/b.js'], dependsOn: ['T-1', 'T-0'] }),
    ]
    expect(composeTask(members)).toMatchObject({
      ...{ id: 'T-1', fingerprint: '1'.repeat(64), title: 'Add part 1; Add part 2' },
      details: 'T-1: Add part 1\nMore.\n\nT-2: Add part 2',
      ...{ files: ['src/a.js', 'src/b.js'], accept: ['npm test', 'node b.js'], dependsOn: ['T-0'] },
      members,
    })
  })

  it('has an open scope when one of them has', () => {
    expect(composeTask([at(1), at(2, { files: [] })]).files).toEqual([])
  })
})
