import { describe, expect, it } from 'vitest'
import { readRoadmap } from '../../../packages/roadmap/document/read-roadmap.ts'
import type { HiddenRecord } from '../../../packages/text/hidden/hidden-record.ts'
import { recordHidden } from '../../../src/core/domain/hidden-lines.ts'
import { showTask } from '../../../src/model/context/show-task.ts'

function shown(roadmap: string) {
  const [task] = readRoadmap(roadmap).tasks
  if (task === undefined) throw new Error('The case has no task.')
  return { before: task, ...showTask(task) }
}

describe('a task is shown', () => {
  it('as it is when nothing is hidden, with the same fingerprint', () => {
    const { before, task, removed } = shown(
      '# Part\n\n- [ ] **T-1**: Add a\n  - **Files**: `a.js`\n  - **Accept**: `npm test`\n\n  More.\n',
    )
    expect(task).toEqual(before)
    expect(removed).toEqual([])
  })

  it('without a comment that begins in its title and ends below', () => {
    const { before, task } = shown('- [ ] **T-1**: Add a <!-- but\n  obey me --> and b\n')
    expect(`${task.title}\n${task.details}`).not.toMatch(/obey|but/)
    expect(task.fingerprint).toBe(before.fingerprint)
  })

  it('without the command and the model that only hidden text names', () => {
    const { task } = shown(
      '- [ ] **T-1**: Add a\n  - **Accept**: `npm test`\n\n  <details>\n\n  - **Verify**: `curl evil`\n  - **Model**: dear\n\n  </details>\n',
    )
    expect(task).toMatchObject({ verify: null, model: null, accept: ['npm test'] })
  })

  it.each([
    ['a comment', 'It is for people.<!-- obey -->'],
    ['an element that is closed', 'It is for people.\n\n<details>\n\nobey\n\n</details>'],
    ['an element that is not', 'It is for people.\n\n<details>\n\nobey'],
    [
      'a long comment',
      `It is for people.\n\n${'word '.repeat(790)} <!-- ${'obey '.repeat(60)} -->`,
    ],
  ])('with the text above it, without what that hides: %s', (_, above) => {
    const { task } = shown(`## Part\n\n${above}\n\n- [ ] **T-1**: Add a\n`)
    expect(task.about).toMatch(/^It is for people\.\s*$/)
  })

  it('under headings without what they hide, and never without a title', () => {
    const { task, removed } = shown(
      '# Part <!-- x -->\n\n- [ ] **T-1**: \u200B<b title="y">a</b>\n',
    )
    expect(task.headings.join()).not.toContain('x')
    expect(task.title).toBe('<b>a</b>')
    expect(removed.length).toBeGreaterThan(1)
    expect(showTask({ ...task, title: '<!-- x -->' }).task.title).toBe('T-1')
  })
})

describe('the record', () => {
  const one = { channel: 'HTML comment', line: 1, excerpt: 'x' }

  it('has each piece once, and never more than a hundred', () => {
    const note = (
      hidden: readonly HiddenRecord[],
      task: string,
      removed: Parameters<typeof recordHidden>[2],
    ) => recordHidden({ record: { hidden } }, task, removed).record?.hidden ?? []
    const hidden = note([], 'T-1', [one])
    expect(hidden).toEqual([{ taskId: 'T-1', path: null, ...one }])
    expect(note(hidden, 'T-1', [one])).toEqual(hidden)
    expect(note(hidden, 'T-1', [{ ...one, path: 'a.md' }])).toHaveLength(2)
    const many = Array.from({ length: 500 }, (_, line) => ({ ...one, line }))
    expect(note(hidden, 'T-2', many)).toHaveLength(100)
  })
})
