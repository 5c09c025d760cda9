import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRoadmap } from '../../document/read-roadmap.ts'
import { importTasks, readPlanFile } from '../../exchange/import-tasks.ts'
import { aPlanTask, type PlanTask, toPlanTask, toPlanTasks } from '../../exchange/plan-task.ts'
import { readPlanYaml, writePlanYaml } from '../../exchange/plan-yaml.ts'

const word = fc.stringMatching(/^[a-z]{2,9}$/)
const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((list) => list.join(' '))
const status = fc.constantFrom('pending', 'in_progress', 'done', 'cancelled', 'blocked')
const path = fc.tuple(word, word).map(([folder, name]) => `${folder}/${name}.js`)

/** Tasks that a roadmap can hold whole. */
const plainTask = fc.record({
  title: words.map((text) => `Add ${text}`),
  details: fc
    .array(
      words.map((text) => `It ${text}.`),
      { maxLength: 3 },
    )
    .map((list) => list.join('\n\n')),
  status,
  files: fc.uniqueArray(path, { maxLength: 3 }),
  accept: fc.uniqueArray(
    words.map((text) => `npm run ${text}`),
    { maxLength: 2 },
  ),
  verify: fc.option(words.map((text) => `node ${text}`)),
  model: fc.option(word),
  owner: fc.option(word),
  together: fc.option(word),
  priority: fc.integer({ min: -2, max: 5 }),
  budget: fc.option(fc.record({ tokens: fc.nat(100_000), dollars: fc.option(fc.nat(20)) })),
  subtasks: fc.array(fc.record({ title: words.map((text) => `Try ${text}`), status }), {
    maxLength: 2,
  }),
})

const plainPlan = fc.array(plainTask, { minLength: 1, maxLength: 8 }).map((list) =>
  list.map((facts, at): PlanTask => {
    const before = at === 0 ? [] : [`T-${at}`]
    return aPlanTask({
      ...facts,
      id: `T-${at + 1}`,
      dependsOn: before,
      headings: [`Part ${at >> 1}`],
    })
  }),
)

describe('a round trip loses nothing', () => {
  it('by a roadmap', () => {
    fc.assert(
      fc.property(plainPlan, (tasks) => {
        const { text, notes } = importTasks({ tasks, notes: [] }, '')
        expect(notes).toEqual([])
        const read = readRoadmap(text)
        expect(read.problems).toEqual([])
        expect(toPlanTasks(read.tasks)).toEqual(tasks)
      }),
    )
  })

  it('by a plan', () => {
    fc.assert(
      fc.property(plainPlan, (tasks) => {
        expect(readPlanYaml(writePlanYaml(tasks))).toEqual({ tasks, notes: [] })
      }),
    )
  })

  it('by a roadmap, a plan and a roadmap', () => {
    fc.assert(
      fc.property(plainPlan, (tasks) => {
        const first = importTasks({ tasks, notes: [] }, '').text
        const plan = writePlanYaml(toPlanTasks(readRoadmap(first).tasks))
        expect(importTasks(readPlanFile(plan, 'plan'), '').text).toBe(first)
      }),
    )
  })
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    ...[
      'T-9: other',
      '# Heading',
      '- [ ] T-7: inner',
      '```',
      '<!-- hidden',
      '-->',
      '**Files**: `../x`',
    ],
    ...[
      '(depends on T-1)',
      '[P] x',
      '> quote',
      '\r\n\r\n',
      '| a | b |',
      '`code',
      '',
      ' ',
      '1. [x] y',
      '\u202e',
    ],
  ),
)

const anyTask = fc.record({
  ...{
    title: anyText,
    details: fc.array(anyText, { maxLength: 4 }).map((list) => list.join('\n')),
  },
  ...{
    headings: fc.array(anyText, { maxLength: 2 }),
    owner: fc.option(anyText),
    verify: fc.option(anyText),
  },
  ...{
    files: fc.array(anyText, { maxLength: 2 }),
    accept: fc.array(anyText, { maxLength: 2 }),
    status,
  },
  subtasks: fc.array(fc.record({ title: anyText, status }), { maxLength: 2 }),
})

describe('of hostile words', () => {
  it('says each task that a roadmap would read otherwise, and never touches the text before', () => {
    const before = '# Plan\r\n\r\n- [ ] T-0: Add a page\r\n'
    fc.assert(
      fc.property(fc.array(anyTask, { maxLength: 4 }), (list) => {
        const tasks = list.map((facts, at) => aPlanTask({ ...facts, id: `T-${at + 1}` }))
        const { text, notes } = importTasks({ tasks, notes: [] }, before)
        expect(text.startsWith(before.trimEnd())).toBe(true)
        const read = new Map(readRoadmap(text).tasks.map((task) => [task.id, toPlanTask(task)]))
        expect(read.get('T-0')?.title).toBe('Add a page')
        for (const task of tasks) {
          const said = notes.some((note) => note.startsWith(`${task.id}: `))
          const { headings, ...found } = read.get(task.id) ?? aPlanTask({ id: '', title: '' })
          const { headings: _, ...wanted } = task
          const squeezed = (value: object) =>
            JSON.stringify(value).replaceAll(/(?:\\[nrtfv]|\s)+/g, ' ')
          if (!said) expect(squeezed(found).length).toBeGreaterThan(0)
          if (!said) expect(found.title).toBe(wanted.title.replaceAll(/\s+/g, ' ').trim())
          if (!said) expect(found.accept).toEqual(wanted.accept)
        }
      }),
    )
  })

  it('reads no plan that it writes in two ways', () => {
    fc.assert(
      fc.property(fc.array(anyTask, { maxLength: 4 }), (list) => {
        const tasks = list.map((facts, at) => aPlanTask({ ...facts, id: `T-${at + 1}` }))
        const once = readPlanYaml(writePlanYaml(tasks)).tasks
        expect(readPlanYaml(writePlanYaml(once)).tasks).toEqual(once)
      }),
    )
  })
})
