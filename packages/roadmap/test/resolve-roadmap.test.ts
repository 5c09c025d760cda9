import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ProposedTask } from '../../task/task-schema.ts'
import { tickTask } from '../document/edit-roadmap.ts'
import { readRoadmap } from '../document/read-roadmap.ts'
import { replaceTask } from '../document/replace-task.ts'
import { resolveRoadmap } from '../resolve-roadmap.ts'
import { tickUnboxed, withBoxes } from '../unboxed/tick-unboxed.ts'
import { documents } from './document/roadmap-documents.ts'

function tick(text: string, ...ids: readonly string[]): string {
  return ids.reduce((before, id) => {
    const edit = tickTask(before, { id, fingerprint: '' })
    if (edit.status === 'refused') throw new Error(edit.reason)
    return edit.text
  }, text)
}

const proposed = (id: string): ProposedTask => ({ id, title: `Do ${id}`, details: [], files: [] })

function replace(text: string, id: string, ...ids: readonly string[]): string {
  const task = readRoadmap(text).tasks.find((each) => each.id === id)
  if (task === undefined) throw new Error(`The case has no ${id}.`)
  const facts = { strategy: 'DECOMPOSE', reason: 'unknown', at: '2026-01-11T09:00:00Z' } as const
  const edit = replaceTask(text, { task, ...facts, tasks: ids.map(proposed) })
  if (edit.status === 'refused') throw new Error(edit.reason)
  return edit.text
}

const resolve = (start: string, ours: string, theirs: string) =>
  resolveRoadmap({ start, ours, theirs })

const list = (...items: readonly string[]): string => `# Plan\n\n${items.join('\n')}\n`
const plan = list(
  '- [ ] T-1: one',
  '- [ ] T-2: two',
  '  - [ ] nested a',
  '  - [ ] nested b',
  '- [ ] T-3: three',
  '- [ ] T-4: four',
)

const doneIds = (text: string): readonly string[] =>
  readRoadmap(text)
    .tasks.filter(({ status }) => status === 'done')
    .map(({ id }) => id)

const blank = (text: string): string => text.replaceAll(/\[[x~]\]/g, '[ ]')

/** A roadmap of tasks, each with boxes and words of its own. */
const roadmaps = fc
  .array(fc.tuple(fc.nat(2), fc.boolean(), fc.constantFrom('', '## Part\n\n', '\n')), {
    minLength: 1,
    maxLength: 12,
  })
  .map((tasks) =>
    tasks.map(([boxes, field, before], index) => ({
      id: `T-${index}`,
      text: [
        `${before}- [ ] T-${index}: task ${index}`,
        ...Array.from({ length: boxes }, (_, box) => `  - [ ] box ${box}`),
        ...(field ? ['  - **Files**: `a.js`'] : []),
      ].join('\n'),
    })),
  )

describe('a roadmap that two histories changed', () => {
  it('takes ticks from a branch that has the base, and more of it than where the two part', () => {
    const newer = `${plan}- [ ] T-5: five\n`
    const ours = tick(newer, 'T-1', 'T-5')
    const theirs = tick(newer, 'T-1', 'T-4')
    expect(resolve(tick(plan, 'T-1'), ours, theirs)).toEqual({
      status: 'resolved',
      text: tick(newer, 'T-1', 'T-4', 'T-5'),
      gone: [],
    })
  })

  it('loses no tick of either side, and nothing else of the base', () => {
    const counts = { ticked: 0, gone: 0 }
    fc.assert(
      fc.property(
        roadmaps,
        fc.infiniteStream(fc.nat(5)),
        fc.constantFrom('\n', '\r\n'),
        (tasks, dice, ending) => {
          const roll = (): number => dice.next().value ?? 0
          const start = list(...tasks.map(({ text }) => text)).replaceAll('\n', ending)
          const our = tasks.filter(() => roll() < 2).map(({ id }) => id)
          const their = tasks.filter(() => roll() < 2).map(({ id }) => id)
          // The base: some tasks gone, some reworded, new ones between them, all turned round.
          const kept = tasks.filter(() => roll() < 5)
          const moved = roll() < 2 ? kept.toReversed() : kept
          const items = moved.flatMap(({ text, id }) => [
            roll() === 0 ? text.replace('task', 'another task') : text,
            ...(roll() === 0 ? [`- [ ] T-new-${id}: new`] : []),
          ])
          const base = list(...items).replaceAll('\n', ending)
          const there = new Set(kept.map(({ id }) => id))
          const theirs = tick(base, ...their.filter((id) => there.has(id)))
          const resolved = resolve(start, tick(start, ...our), theirs)
          if (resolved.status === 'conflict') throw new Error(resolved.reason)
          const expected = new Set([...our, ...their].filter((id) => there.has(id)))
          expect(new Set(doneIds(resolved.text))).toEqual(expected)
          expect(blank(resolved.text)).toBe(blank(base))
          expect(resolved.gone).toEqual(our.filter((id) => !there.has(id)))
          counts.ticked += expected.size
          counts.gone += resolved.gone.length
        },
      ),
      { numRuns: 100 },
    )
    expect(counts.ticked).toBeGreaterThan(150)
    expect(counts.gone).toBeGreaterThan(10)
  })

  it('is what ticking all of it would have made, whatever Markdown it is', () => {
    let resolved = 0
    fc.assert(
      fc.property(documents, fc.nat(), fc.nat(), (start, a, b) => {
        const { tasks } = readRoadmap(start)
        const unique = tasks.filter(({ id }) => tasks.filter((t) => t.id === id).length === 1)
        const [our, their] = [unique[a % unique.length], unique[b % unique.length]]
        if (our === undefined || their === undefined) return
        const result = resolve(start, tick(start, our.id), tick(start, their.id))
        const text = tick(start, our.id, their.id)
        expect(result).toEqual({ status: 'resolved', text, gone: [] })
        resolved += 1
      }),
      { numRuns: 100 },
    )
    expect(resolved).toBeGreaterThan(30)
  })

  it.each<[string, string, string, string, (readonly string[])?]>([
    [
      'a task that was reworded',
      tick(plan, 'T-3'),
      plan.replace('three', '3'),
      tick(plan, 'T-3').replace('three', '3'),
    ],
    [
      'a task that a person called off',
      tick(plan, 'T-3'),
      plan.replace('[ ] T-3', '[-] T-3'),
      tick(plan, 'T-3'),
    ],
    [
      'a box that came under a finished task',
      tick(plan, 'T-2'),
      plan.replace('nested b', 'nested b\n  - [ ] nested c'),
      tick(plan, 'T-2').replace('nested b', 'nested b\n  - [x] nested c'),
    ],
    [
      'a box under an open task, ticked by hand',
      plan.replace('[ ] nested b', '[x] nested b'),
      tick(plan, 'T-1'),
      tick(plan, 'T-1').replace('[ ] nested b', '[x] nested b'),
    ],
    [
      'a task ticked by hand above open boxes',
      plan.replace('[ ] T-2', '[X] T-2'),
      tick(plan, 'T-1'),
      tick(plan, 'T-1').replace('[ ] T-2', '[x] T-2'),
    ],
    ['an empty base', tick(plan, 'T-1', 'T-4'), '', '', ['T-1', 'T-4']],
    [
      'a replaced task, and ticks around it',
      replace(plan, 'T-3', 'T-3-a', 'T-3-b'),
      tick(plan, 'T-2', 'T-4'),
      replace(tick(plan, 'T-2', 'T-4'), 'T-3', 'T-3-a', 'T-3-b'),
    ],
    [
      'a replaced task, itself replaced and ticked',
      tick(replace(replace(plan, 'T-3', 'T-3-a', 'T-3-b'), 'T-3-a', 'T-3-a-a'), 'T-3-a-a'),
      tick(plan, 'T-4'),
      tick(replace(replace(plan, 'T-3', 'T-3-a', 'T-3-b'), 'T-3-a', 'T-3-a-a'), 'T-3-a-a', 'T-4'),
    ],
    [
      'a replacement that the base has by now',
      tick(replace(plan, 'T-3', 'T-3-a'), 'T-3-a'),
      tick(replace(plan, 'T-3', 'T-3-a'), 'T-2'),
      tick(replace(plan, 'T-3', 'T-3-a'), 'T-2', 'T-3-a'),
    ],
    [
      'a replaced task that was ticked by hand',
      replace(plan, 'T-3', 'T-3-a'),
      tick(plan, 'T-3'),
      tick(plan, 'T-3'),
      ['T-3'],
    ],
    [
      'a replaced task that is gone',
      tick(replace(plan, 'T-3', 'T-3-a'), 'T-3-a'),
      plan.replace('- [ ] T-3: three\n', ''),
      plan.replace('- [ ] T-3: three\n', ''),
      ['T-3', 'T-3-a'],
    ],
    [
      'a comment under a task',
      plan.replace('T-3: three', 'T-3: three\n  <!-- executor: asks T-3 at noon -->'),
      tick(plan, 'T-2'),
      tick(plan, 'T-2').replace('T-3: three', 'T-3: three\n  <!-- executor: asks T-3 at noon -->'),
    ],
    [
      'a comment after a task',
      plan.replace('nested b', 'nested b\n<!-- executor: asks T-2 at noon -->'),
      tick(plan, 'T-3'),
      tick(plan, 'T-3').replace('nested b', 'nested b\n<!-- executor: asks T-2 at noon -->'),
    ],
  ])('is joined: %s', (_, ours, theirs, text, gone = []) => {
    expect(resolve(plan, ours, theirs)).toEqual({ status: 'resolved', text, gone })
  })

  it.each<[string, string, string, string]>([
    ['a person reworded a task on our branch', plan, plan.replace('three', '3'), tick(plan, 'T-2')],
    ['a person took a tick away on our branch', tick(plan, 'T-2'), plan, tick(plan, 'T-1')],
    ['a person called a task off on our branch', plan, plan.replace('[ ] T-3', '[-] T-3'), plan],
    ['a person added a task on our branch', plan, `${plan}- [ ] T-5: five\n`, plan],
    ['a person took the end away', plan, plan.replace('- [ ] T-4: four\n', ''), plan],
    [
      'the base reworded what we replaced',
      plan,
      replace(plan, 'T-3', 'T-3-a'),
      plan.replace('three', '3'),
    ],
    [
      'the base ticked a box of what we replaced',
      plan,
      replace(plan, 'T-2', 'T-2-a'),
      plan.replace('[ ] nested a', '[x] nested a'),
    ],
    [
      'the base has two tasks of this id',
      plan,
      tick(plan, 'T-1'),
      plan.replace('T-3: three', 'T-1: another'),
    ],
    [
      'boxes came and went under an open task',
      plan,
      plan.replace('[ ] nested b', '[x] nested b'),
      plan.replace('  - [ ] nested a\n', ''),
    ],
  ])('is left to a person: %s', (_, start, ours, theirs) => {
    const reason = expect.any(String)
    expect(resolve(start, ours, theirs)).toEqual({ status: 'conflict', reason })
  })

  it('is joined where tasks are told by signs', () => {
    const signs = '# Plan\n\n- ⏳ Write it\n- ⏳ Test it\n- ✅ Begin\n- ⏳ Ship it\n'
    const ours = tickAllSigns(signs, ['Test it'])
    const theirs = tickAllSigns(signs, ['Write it', 'Ship it'])
    const text = tickAllSigns(signs, ['Write it', 'Test it', 'Ship it'])
    expect(ours).not.toBe(signs)
    expect(resolve(signs, ours, theirs)).toEqual({ status: 'resolved', text, gone: [] })
    expect(resolve(signs, ours.replace('Ship', 'Send'), theirs)).toMatchObject({
      status: 'conflict',
    })
  })
})

function tickAllSigns(text: string, titles: readonly string[]): string {
  return titles.reduce((before, title) => {
    const task = readRoadmap(withBoxes(before, []).text).tasks.find((each) => each.title === title)
    const edit = task && tickUnboxed(before, task, [])
    if (edit?.status !== 'edited') throw new Error(`no ${title}`)
    return edit.text
  }, text)
}
