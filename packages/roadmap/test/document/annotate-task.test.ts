import { describe, expect, it } from 'vitest'
import { readRoadmap } from '../../document/read-roadmap.ts'
import { annotateTask } from '../../document/replace-task.ts'

const words = (text: string) =>
  readRoadmap(text).tasks.map(({ line, endLine, subtasks, ...rest }) => rest)

function annotate(text: string, id: string, note = 'asked') {
  const task = readRoadmap(text).tasks.find((each) => each.id === id)
  return annotateTask(text, { id, fingerprint: task?.fingerprint ?? '' }, note)
}

describe('a note under a task', () => {
  it.each([
    ['between two tasks', '- [ ] T-1: One\n- [ ] T-2: Two\n'],
    ['after its details', '- [ ] T-1: One\n  - **Files**: `a.js`\n\n  More.\n\n- [ ] T-2: Two\n'],
    ['at the end without a newline', '# Plan\n\n- [ ] T-1: One'],
    ['in a nested list', '- Group\n  - [ ] T-1: One\n    - detail\n  - [ ] T-2: Two\n'],
    ['in a numbered list with CRLF', '1. [ ] T-1: One\r\n2. [ ] T-2: Two\r\n'],
    ['behind a BOM', '\uFEFF- [ ] T-1: One\n\nText.\n'],
    ['with subtasks', '- [ ] T-1: One\n  - [ ] part\n- [x] T-2: Two\n'],
  ])('is one line that nothing reads: %s', (_, text) => {
    const edited = annotate(text, 'T-1')
    if (edited.status !== 'edited') throw new Error(edited.reason)
    expect(words(edited.text)).toEqual(words(text))
    expect(edited.text.replace(/\r?\n[ ]*<!-- executor: asked -->/, '')).toBe(text)
  })

  it('cannot be ended from inside', () => {
    const text = '- [ ] T-1: One\n- [ ] T-2: Two\n'
    const edited = annotate(text, 'T-1', 'x --> \n- [ ] T-9: Evil <!-- ')
    if (edited.status !== 'edited') throw new Error(edited.reason)
    expect(words(edited.text)).toEqual(words(text))
    expect(edited.text.match(/-->/g)).toHaveLength(1)
  })

  it('stands at the end for a task without an item', () => {
    const text = '# Plan\n\n- [ ] T-2: Two\n'
    const edited = annotateTask(text, { id: 'T-issue-7', fingerprint: 'f' }, 'asked')
    expect(edited).toEqual({ status: 'edited', text: `${text}\n<!-- executor: asked -->\n` })
  })

  it.each([
    ['has other words now', '- [ ] T-1: Another\n', 'The text of T-1 has changed.'],
    ['is there twice', '- [ ] T-1: One\n- [ ] T-1: Two\n', 'T-1 names more than one task.'],
  ])('is refused where the task %s', (_, text, reason) => {
    const edited = annotateTask(text, { id: 'T-1', fingerprint: 'f'.repeat(64) }, 'asked')
    expect(edited).toEqual({ status: 'refused', reason })
  })
})
