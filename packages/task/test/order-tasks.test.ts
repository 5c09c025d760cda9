import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readRoadmap } from '../../roadmap/document/read-roadmap.ts'
import { inferDependencies, orderTasks, relateTasks, suppliersOf } from '../order-tasks.ts'
import type { Task } from '../task-schema.ts'

function read(text: string): readonly Task[] {
  return readRoadmap(text).tasks
}

function orderOf(text: string): string[] {
  return orderTasks(read(text)).order.map(({ id }) => id)
}

describe('orderTasks', () => {
  test.each([
    ['the document', '- [ ] T-1 a\n- [ ] T-2 b', ['T-1', 'T-2']],
    ['dependencies', '- [ ] T-1 a (depends on T-2)\n- [ ] T-2 b', ['T-2', 'T-1']],
    ['priority', '- [ ] T-1 a\n- [ ] T-2 b\n  - Priority: high', ['T-2', 'T-1']],
    [
      'dependencies before priority',
      '- [ ] T-1 a (depends on T-3)\n  - Priority: P0\n- [ ] T-2 b\n- [ ] T-3 c\n  - Priority: low',
      ['T-2', 'T-3', 'T-1'],
    ],
  ])('follows %s', (_, text, ids) => expect(orderOf(text)).toEqual(ids))

  it('groups what may run side by side', () => {
    const text =
      '- [ ] T-1 a\n- [ ] T-2 b (depends on T-1)\n- [ ] T-3 c\n- [ ] T-4 d (depends on T-2, T-3)'
    expect(orderTasks(read(text)).groups).toEqual([['T-1', 'T-3'], ['T-2'], ['T-4']])
  })

  it('takes absent dependencies for met, and leaves out what waits for itself', () => {
    const tasks = read('- [ ] T-1 a\n- [ ] T-2 b (depends on T-1)\n- [ ] T-3 c (depends on T-3)')
    expect(orderTasks(tasks.slice(1))).toMatchObject({ order: [{ id: 'T-2' }], groups: [['T-2']] })
  })

  it('never puts a task before what it depends on, whatever the graph', () => {
    const edges = fc.array(fc.tuple(fc.nat(29), fc.nat(29)), { maxLength: 60 })
    const ranks = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 30, maxLength: 30 })
    fc.assert(
      fc.property(
        edges,
        ranks,
        fc.shuffledSubarray([...Array(30).keys()], { minLength: 30 }),
        (pairs, rank, names) => {
          const [sample] = read('- [ ] T-1 a')
          if (!sample) throw new Error('no sample')
          const tasks = names.map((name, index) => ({
            ...sample,
            id: `T-${name}`,
            priority: rank[index] ?? 0,
            dependsOn: pairs.filter(([a, b]) => a === name && b < name).map(([, b]) => `T-${b}`),
          }))
          const { order, groups } = orderTasks(tasks)
          expect(order.map(({ id }) => id).sort()).toEqual(tasks.map(({ id }) => id).sort())
          expect(groups.flat().sort()).toEqual(tasks.map(({ id }) => id).sort())
          const place = new Map(order.map(({ id }, index) => [id, index]))
          const wave = new Map(groups.flatMap((group, index) => group.map((id) => [id, index])))
          for (const { id, dependsOn } of tasks)
            for (const other of dependsOn) {
              expect(place.get(other)).toBeLessThan(place.get(id) ?? -1)
              expect(wave.get(other)).toBeLessThan(wave.get(id) ?? -1)
            }
        },
      ),
      { numRuns: 100 },
    )
  })
})

test('of two tasks with one id, the last one says which tasks it builds on', () => {
  const creators = ['T-1', 'T-3'].map((id) => `- [ ] ${id} Create it\n  - Files: \`src/a.js\``)
  const text = [...creators, '- [ ] T-2 Use `src/a.js`', '- [ ] T-2 Write words'].join('\n')
  const { buildsOn } = relateTasks(read(text), () => false)
  expect(buildsOn.get('T-2') ?? []).toEqual([])
  const first = read(text).slice(0, -1)
  expect(relateTasks(first, () => false).buildsOn.get('T-2')).toEqual(['T-3'])
})

describe('inferDependencies', () => {
  const infer = (text: string, ...existing: string[]) =>
    Object.fromEntries(inferDependencies(read(text), (path) => existing.includes(path)))

  const consumer = '- [ ] T-2 Use it\n  - Files: `b.js`, `src/a.js`'

  test.each([
    ['declares the file', `- [ ] T-1 Start\n  - Files: \`src/a.js\`\n${consumer}`],
    ['says that it creates it', `- [ ] T-1 Create \`src/a.js\`\n${consumer}`],
    ['says so in its details', `- [ ] T-1 Start\n  - Write src/a.js with words\n${consumer}`],
    ['creates what another imports', '- [ ] T-1 Add src/a.js\n- [ ] T-2 Import `./a` in `b.js`'],
    ['creates what another names by its name', '- [ ] T-1 Add `src/a.js`\n- [ ] T-2 Test a.js'],
    ['creates what another names with dots', '- [ ] T-1 Add `src/a.py`\n- [ ] T-2 Test `src.a`'],
    [
      'creates from another file',
      '- [ ] T-1 Make `x.ts` from `y.json` in `b.ts`\n- [ ] T-2 Use b.ts',
    ],
    ['names it before the verb', '- [ ] T-1 `src/a.js`: add words\n- [ ] T-2 Use src/a.js'],
    [
      'creates it after what it uses',
      '- [ ] T-1 Using `x.js`, create `src/a.js`\n- [ ] T-2 Use src/a.js',
    ],
    ['creates a module', '- [ ] T-1 Create `src/math_utils.py`\n- [ ] T-2 Test src.math_utils.'],
    ['creates what holds a name', '- [ ] T-1 Add src/a_b.py\n- [ ] T-2 Test `src.a_b.add`'],
  ])('makes a task depend on an earlier one that %s', (_, text) => {
    expect(infer(text)).toEqual({ 'T-1': [], 'T-2': ['T-1'] })
  })

  test.each([
    ['the file exists', `- [ ] T-1 Add src/a.js\n${consumer}`, ['src/a.js']],
    ['the earlier task is done', `- [x] T-1 Add src/a.js\n${consumer}`, []],
    ['the earlier task only uses it', `- [ ] T-1 Read src/a.js\n${consumer}`, []],
    [
      'the earlier task creates another',
      '- [ ] T-1 Add `b.js` that uses `A` from `a.js`\n- [ ] T-2 Add `a.js`',
      [],
    ],
    ['it imports two', '- [ ] T-1 Write b.py, which imports a.py and c.py\n- [ ] T-2 Add c.py', []],
    ['it is the source', '- [ ] T-1 Generate `b.ts` from `a.json`\n- [ ] T-2 Add `a.json`', []],
    ['it is no module', '- [ ] T-1 Add src/user.js\n- [ ] T-2 Print user.name, e.g. in caps', []],
    ['the creator comes later', '- [ ] T-1 Use src/a.js\n- [ ] T-2 Add src/a.js', []],
    ['it is another file of that name', '- [ ] T-1 Add x/a.js\n- [ ] T-2 Test y/z/a.js', []],
    ['it is a call', '- [ ] T-1 Add console/log.py\n- [ ] T-2 Drop console.log()', []],
    ['it is a site', '- [ ] T-1 Add example/com.py\n- [ ] T-2 See example.com', []],
    ['it is a product', '- [ ] T-1 Set up Node.js\n- [ ] T-2 Update Node.js', []],
    [
      'it is a pattern',
      '- [ ] T-1 a\n  - Files: `src/*.js`\n- [ ] T-2 b\n  - Files: `src/*.js`',
      [],
    ],
  ])('infers nothing where %s', (_, text, existing) => {
    for (const list of Object.values(infer(text, ...existing))) expect(list).toEqual([])
  })

  it('keeps what is written, and never closes a cycle', () => {
    const text = '- [ ] T-1 Add src/a.js (depends on T-2)\n- [ ] T-2 Test src/a.js'
    expect(infer(text)).toEqual({ 'T-1': ['T-2'], 'T-2': [] })
  })

  it.each([
    [
      'what was inferred yields',
      '- [ ] T-1 Add b.js and a.js\n- [ ] T-2 Rewrite a.js',
      [['T-1', 'T-2']],
      { 'T-1': ['T-2'], 'T-2': [] },
    ],
    [
      'what is written does not',
      '- [ ] T-1 b\n- [ ] T-2 a (depends on T-1)',
      [['T-1', 'T-2']],
      { 'T-1': [], 'T-2': ['T-1'] },
    ],
    [
      'two that lack each other run as in the document',
      '- [ ] T-1 Add b.js, which imports a.js\n- [ ] T-2 Add a.js, which imports b.js',
      [
        ['T-1', 'T-2'],
        ['T-2', 'T-1'],
      ],
      { 'T-1': [], 'T-2': ['T-1'] },
    ],
    [
      'behind a cycle nothing is lost',
      '- [ ] T-1 a\n- [ ] T-2 b\n- [ ] T-3 c',
      [
        ['T-1', 'T-2'],
        ['T-2', 'T-1'],
        ['T-3', 'T-1'],
      ],
      { 'T-1': [], 'T-2': [], 'T-3': ['T-1'] },
    ],
  ] as const)('goes by what attempts lacked: %s', (_, text, lacked, needs) => {
    const found = inferDependencies(
      read(text),
      () => false,
      new Map(lacked.map(([id, need]) => [id, [need]])),
    )
    expect(Object.fromEntries(found)).toEqual(needs)
  })

  it('depends on the first creator only', () => {
    const text =
      '- [ ] T-1 Add src/a.js\n- [ ] T-2 Add more to src/a.js\n- [ ] T-3 Add tests of src/a.js'
    expect(infer(text)).toEqual({ 'T-1': [], 'T-2': ['T-1'], 'T-3': ['T-1'] })
  })
})

describe('suppliersOf', () => {
  test.each([
    ['./user', 'Add `src/user.js`'],
    ['../models/user.js', 'Add `src/models/user.ts`'],
    ['src/user.js', 'Add src/user.js'],
    ['src.user', 'Add src/user.py'],
    ['user', 'Add `app/user.py`'],
    ['app.user', 'Add app/user/__init__.py'],
    ['./user', 'Add src/user/index.ts'],
    ['crate::user', 'Add src/user.rs'],
    ['com.acme.User', 'Add src/main/java/com/acme/User.java'],
    ['example.com/app/internal/user', 'Add internal/user/user.go'],
    ['@/components/Menu', 'Add src/components/Menu.tsx'],
  ])('%s is supplied by "%s"', (path, title) => {
    const tasks = read(`- [x] T-1 ${title}\n- [ ] T-2 ${title}\n- [ ] T-3 Else`)
    expect(suppliersOf(path, tasks)).toEqual(['T-2'])
  })

  it('is the task that creates it, before those that only name it', () => {
    const tasks = read(
      '- [ ] T-1 Test `src/user.js`\n- [ ] T-2 Add `src/user.js`\n- [ ] T-3 Add to src/user.js',
    )
    expect(suppliersOf('./user', tasks)).toEqual(['T-2'])
    expect(suppliersOf('./user', tasks.slice(0, 1))).toEqual(['T-1'])
  })

  test.each([
    ['left-pad', 'Add `src/pad.js`'],
    ['yaml', 'Add `config.yaml`'],
    ['./user', 'Add `src/superuser.js`'],
    ['src.user', 'Add `src/users.py`'],
    ['lodash/map', 'Add `src/map.js`'],
    ['', 'Add `src/map.js`'],
  ])('%j is not supplied by "%s"', (path, title) => {
    expect(suppliersOf(path, read(`- [ ] T-1 ${title}`))).toEqual([])
  })
})
