import { describe, expect, it } from 'vitest'
import type { ProposedTask } from '../../../task/task-schema.ts'
import { readRoadmap } from '../../document/read-roadmap.ts'
import {
  depthOf,
  idsInPlaceOf,
  idWithModel,
  type Replacement,
  replaceTask,
} from '../../document/replace-task.ts'

const proposed = (id: string, facts: Partial<ProposedTask> = {}): ProposedTask => ({
  id,
  title: `Do ${id.slice(-1)}`,
  details: [],
  files: [],
  ...facts,
})

function amend(text: string, id: string, tasks: readonly ProposedTask[]): Replacement {
  const task = readRoadmap(text).tasks.find((each) => each.id === id)
  if (task === undefined) throw new Error(`The case has no ${id}.`)
  const at = '2026-01-11T09:00:00Z'
  return { task, strategy: 'DECOMPOSE', reason: 'task_too_complex', at, tasks }
}

const roadmap = `# Plan

* [x] T-1: Begin
* [ ] T-2: Do everything --> at once
  * With *details*
  * **Files**: \`src/all.js\`
  * **Depends on**: T-1
  * **Accept**: \`npm test\`
* [ ] T-3: Go on
  * **Depends on**: T-2
`

describe('a task that another model is to do', () => {
  it.each([
    ['* [ ] T-2: Do everything', '  * **Accept**: `npm test`', '  - **Model**: big'],
    ['1. [ ] T-2: Do everything', '   - More', '   - **Model**: big'],
    ['- [ ] T-2: Do everything', '', '  - **Model**: big'],
  ])('%s gains one line, and every other byte stays', (...[head, last, line]) => {
    const item = [head, ...(last === '' ? [] : [last])]
    const text = ['- [ ] T-1: Begin', ...item, '- [ ] T-3: Go on', ''].join('\n')
    const change = amend(text, 'T-2', [proposed('T-2', { model: 'big' })])
    const edited = replaceTask(text, change)
    const now = edited.status === 'edited' ? edited.text : edited.reason
    expect(now).toBe(['- [ ] T-1: Begin', ...item, line, '- [ ] T-3: Go on', ''].join('\n'))
    expect(readRoadmap(now).tasks.find(({ id }) => id === 'T-2')?.model).toBe('big')
    expect(idWithModel(text, change.task, 'big')).toBe('T-2')
  })

  it('has another id then where its words are its id', () => {
    const text = '- [ ] Do everything at once\n'
    const [task] = readRoadmap(text).tasks
    if (task === undefined) throw new Error('The case has no task.')
    const id = idWithModel(text, task, 'big')
    const [after] = readRoadmap(`${text}  - **Model**: big\n`).tasks
    expect(id).toBe(after?.id)
    expect(idWithModel(text, { ...task, id: 'T-9' }, 'big')).toBeNull()
  })
})

describe('a task that is replaced', () => {
  const tasks = [
    proposed('T-2-a', { details: ['It exists.'], files: ['src/a.js', 'test/a.test.js'] }),
    proposed('T-2-b', { files: ['src/b.js'] }),
  ]

  it('leaves an audit comment and the new items, and every other byte', () => {
    const edited = replaceTask(roadmap, amend(roadmap, 'T-2', tasks))
    expect(edited).toEqual({
      status: 'edited',
      text: `# Plan

* [x] T-1: Begin
<!-- executor: decompose T-2 at 2026-01-11T09:00:00Z, reason task_too_complex; original: * [ ] T-2: Do everything - -&gt; at once / * With *details* / * **Files**: \`src/all.js\` / * **Depends on**: T-1 / * **Accept**: \`npm test\` -->
* [ ] T-2-a: Do a
  - It exists.
  - **Files**: \`src/a.js\`, \`test/a.test.js\`
  - **Depends on**: T-1
* [ ] T-2-b: Do b
  - **Files**: \`src/b.js\`
  - **Depends on**: T-2-a
  - **Accept**: \`npm test\`
* [ ] T-3: Go on
  * **Depends on**: T-2
`,
    })
  })

  it('is still what others depend on: all that took its place', () => {
    const edited = replaceTask(roadmap, amend(roadmap, 'T-2', tasks))
    if (edited.status !== 'edited') throw new Error(edited.reason)
    const read = readRoadmap(edited.text)
    expect(read.problems).toEqual([])
    expect(read.tasks.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ['T-1', []],
      ['T-2-a', ['T-1']],
      ['T-2-b', ['T-2-a']],
      ['T-3', ['T-2-a', 'T-2-b']],
    ])
    const again = replaceTask(edited.text, amend(edited.text, 'T-2-a', [proposed('T-2-a-a')]))
    if (again.status !== 'edited') throw new Error(again.reason)
    expect(readRoadmap(again.text).problems).toEqual([])
    expect(readRoadmap(again.text).tasks.at(-1)?.dependsOn).toEqual(['T-2-a-a', 'T-2-b'])
  })

  it.each([
    ['CRLF and a nested list', '- Group\r\n  1. [ ] T-2: Do it\r\n     more\r\n- [ ] T-3: Go\r\n'],
    ['no final newline', '# P\n\n- [ ] T-2: Do it'],
    ['a BOM', '\uFEFF- [ ] T-2: Do it\n\nText after.\n'],
  ])('in a document with %s: the rest as it was', (_, text) => {
    const edited = replaceTask(text, amend(text, 'T-2', tasks))
    if (edited.status !== 'edited') throw new Error(edited.reason)
    const [before, after] = text.split(/(?:- |1\. )\[ \] T-2[\s\S]*?(?=\r?\n(?! {5})|$)/)
    expect(edited.text.startsWith(before ?? '?')).toBe(true)
    expect(edited.text.endsWith(after ?? '?')).toBe(true)
    expect(edited.text.includes('\r\n')).toBe(text.includes('\r\n'))
    expect(edited.text.replaceAll('\r\n', '').includes('\n')).toBe(!text.includes('\r\n') && true)
    const { tasks: read, problems } = readRoadmap(edited.text)
    expect(problems.filter(({ severity }) => severity !== 'note')).toEqual([])
    expect(read.map(({ id }) => id).slice(0, 2)).toEqual(['T-2-a', 'T-2-b'])
  })

  it.each([
    ['is gone', '# Plan\n', 'no longer has'],
    ['has other words', '- [ ] T-2: Do something else\n', 'text of T-2 has changed'],
    ['is there twice', `${roadmap}- [ ] T-2: Do everything\n`, 'more than one'],
  ])('nothing is written where it %s', (_, text, reason) => {
    const edited = replaceTask(text, amend(roadmap, 'T-2', tasks))
    expect(edited).toEqual({ status: 'refused', reason: expect.stringContaining(reason) })
  })
})

it('new ids tell their parent and depth', () => {
  expect(idsInPlaceOf({ id: 'T-3' }, 3)).toEqual(['T-3-a', 'T-3-b', 'T-3-c'])
  const depths = ['T-3', 'T-3-a', 'T-3-a-b', 'T-x-z', 'T-ab'].map((id) => depthOf({ id }))
  expect(depths).toEqual([0, 1, 2, 0, 0])
})

describe('tasks that belong together', () => {
  const parts = (id: string, together: boolean) =>
    ['a', 'b'].map((letter) => proposed(`${id}-${letter}`, together ? { together: true } : {}))
  const split = (text: string, id: string, together: boolean): string => {
    const edited = replaceTask(text, amend(text, id, parts(id, together)))
    if (edited.status !== 'edited') throw new Error(edited.reason)
    return edited.text
  }
  const groups = (text: string) =>
    Object.fromEntries(readRoadmap(text).tasks.map(({ id, together }) => [id, together]))

  it.each([
    ['T-2', true, { 'T-2-a': 'T-2', 'T-2-b': 'T-2' }],
    ['T-2', false, {}],
  ])('say so in a line that names %s, if the proposal does (%s)', (id, together, expected) => {
    const found = groups(split(roadmap, id, together))
    expect(Object.fromEntries(Object.entries(found).filter(([, group]) => group))).toEqual(expected)
  })

  it.each([true, false])('keep the parts of a part in their group (%s)', (together) => {
    const once = split(roadmap, 'T-2', true)
    expect(groups(split(once, 'T-2-a', together))).toMatchObject({
      ...{ 'T-2-a-a': 'T-2', 'T-2-a-b': 'T-2', 'T-2-b': 'T-2' },
    })
  })

  it.each([
    ['**Together**: T-5', 'T-5'],
    ['Together with: `#17`', '#17'],
    ['**Together**: a b', undefined],
    ['**Together**: <!-- T-5 -->', undefined],
    [`**Together**: ${'x'.repeat(300)}`, undefined],
    ['**Together**:', undefined],
  ])('%s names %s', (line, group) => {
    expect(groups(`- [ ] T-1: Do it\n  - ${line}\n`)).toEqual({ 'T-1': group })
  })
})
