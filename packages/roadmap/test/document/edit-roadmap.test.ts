import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/property-runs.ts'
import type { Task } from '../../../task/task-schema.ts'
import { tickTask } from '../../document/edit-roadmap.ts'
import { readRoadmap } from '../../document/read-roadmap.ts'
import { documents } from './roadmap-documents.ts'

function tick(text: string, id: string, fingerprint = ''): string {
  const edit = tickTask(text, { id, fingerprint })
  return edit.status === 'edited' ? edit.text : `refused: ${edit.reason}`
}

/** Positions at which two texts of one length differ. */
function differences(before: string, after: string): number[] {
  const [a, b] = [Buffer.from(before), Buffer.from(after)]
  expect(b).toHaveLength(a.length)
  return [...a.keys()].filter((index) => a[index] !== b[index])
}

function isOpen({ status }: Pick<Task, 'status'>): boolean {
  return status !== 'done' && status !== 'cancelled'
}

// What a tick may change of a task: its state, and that of its subtasks.
function ticked(task: Task): Task {
  const subtasks = task.subtasks.map((s) => ({
    ...s,
    status: isOpen(s) ? ('done' as const) : s.status,
  }))
  return { ...task, status: 'done', subtasks }
}

function withoutTicks(task: Task): Task {
  return { ...task, details: task.details.replace(/\[[ \txX~/!-]\]/g, '[ ]') }
}

describe('tickTask', () => {
  it('changes one byte for each open box, and in the task nothing but its state', () => {
    let ticks = 0
    fc.assert(
      fc.property(
        documents,
        fc.nat(),
        fc.constantFrom('task', 'leaf'),
        (text, pick, granularity) => {
          const { tasks } = readRoadmap(text, { granularity })
          const unique = tasks.filter(
            ({ id }) => tasks.filter((other) => other.id === id).length === 1,
          )
          const task = unique[pick % Math.max(1, unique.length)]
          if (!task) return
          const edit = tickTask(text, task, { granularity })
          if (edit.status === 'refused') throw new Error(edit.reason)
          const own = /^[^[]*\[[xX]\]/.test(text.split(/\r\n|\n|\r/)[task.line - 1] ?? '') ? 0 : 1
          const boxes = task.status === 'done' ? 0 : own + task.subtasks.filter(isOpen).length
          expect(differences(text, edit.text)).toHaveLength(boxes)
          const after = readRoadmap(edit.text, { granularity }).tasks
          const expected = boxes === 0 ? tasks : tasks.map((t) => (t === task ? ticked(t) : t))
          expect(after.map(withoutTicks)).toEqual(expected.map(withoutTicks))
          expect(tickTask(edit.text, task, { granularity })).toEqual(edit)
          ticks += boxes
        },
      ),
      { numRuns: runs(500) },
    )
    expect(ticks).toBeGreaterThan(50)
  })

  it('ticks the result of a tick as it would tick that text read anew', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom('task', 'leaf'), (document, granularity) => {
        let text = document
        for (const task of readRoadmap(document, { granularity }).tasks) {
          const edit = tickTask(text, task, { granularity })
          tickTask('- [ ] T-1 another document in between', { id: 'T-1', fingerprint: '' })
          expect(tickTask(text, task, { granularity })).toEqual(edit)
          expect(tickTask('', task, { granularity }).status).toBe('refused')
          if (edit.status === 'edited') text = edit.text
        }
      }),
    )
  })

  it.each([
    ['- [ ] T-1 a', '- [x] T-1 a'],
    [
      '\uFEFF1.\t[~]\tT-1 ä\r\n\t* [ ] b\r\n\t* [-] c\r\n',
      '\uFEFF1.\t[x]\tT-1 ä\r\n\t* [x] b\r\n\t* [-] c\r\n',
    ],
    ['```\n- [ ] T-1 a\n```\n- [!] T-1 a\r- [ ] b', '```\n- [ ] T-1 a\n```\n- [x] T-1 a\r- [ ] b'],
    ['- [X] T-1 a\n  - [ ] b', '- [X] T-1 a\n  - [ ] b'],
    ['- [ ] T-1 $& $1 $$ `x`', '- [x] T-1 $& $1 $$ `x`'],
    ['🚀 text\n\n+ [\t] T-1 🚀', '🚀 text\n\n+ [x] T-1 🚀'],
  ])('makes %j %j', (before, after) => expect(tick(before, 'T-1')).toBe(after))

  it('ticks a task in every place where it stands', () => {
    const text = '- [x] a\n- [ ] a\n\n- [ ] b\n- [ ] a\n'
    const id = readRoadmap(text).tasks[0]?.id ?? ''
    expect(tick(text, id)).toBe('- [x] a\n- [x] a\n\n- [ ] b\n- [x] a\n')
  })

  it('finds a task under the id and the words that it had for versions before', () => {
    const text = '## 1.1 A\n- [ ] ENG-42: Add it'
    const { former } = readRoadmap(text).tasks[0] ?? {}
    expect(former?.id).toBe('T-1.1')
    expect(tick(text, 'T-1.1', former?.fingerprint)).toBe('## 1.1 A\n- [x] ENG-42: Add it')
  })

  it('finds a task by its id though its words were mended', () => {
    expect(tick('- [ ] T-1 mended', 'T-1', 'old')).toBe('- [x] T-1 mended')
  })

  it('finds a task by its words though its section was renumbered', () => {
    const before = readRoadmap('## 1.1 A\n- [ ] do it').tasks[0]
    const now = '## 1.2 A\n- [ ] do it\n- [ ] more'
    expect(tick(now, 'T-1.1', before?.fingerprint)).toBe('## 1.2 A\n- [x] do it\n- [ ] more')
  })

  it('refuses what is gone, and what it cannot tell apart', () => {
    expect(tick('- [ ] T-1 a', 'T-2')).toBe('refused: The roadmap no longer has the task T-2.')
    expect(tick('> - [ ] T-1 a', 'T-1')).toBe('refused: The roadmap no longer has the task T-1.')
    expect(tick('- [ ] T-1 a\n- [ ] T-1 b', 'T-1')).toBe(
      'refused: T-1 names different tasks, on lines 1, 2.',
    )
    const { fingerprint = '' } = readRoadmap('- [ ] T-1 a').tasks[0] ?? {}
    expect(tick('- [ ] T-1 a\n- [ ] T-1 b', 'T-1', fingerprint)).toContain('refused')
    expect(tick('- [ ] T-2 a\n- [ ] T-3 a', 'T-1', fingerprint)).toBe(
      'refused: T-1 could be any of the tasks on lines 1, 2.',
    )
  })
})
