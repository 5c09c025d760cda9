import { expect, it } from 'vitest'
import { readRoadmap } from '../../../packages/roadmap/document/read-roadmap.ts'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { readEditedTasks, writeEditableTasks } from '../../../src/recovery/task/edited-tasks.ts'

const [task] = readRoadmap(
  '- [ ] T-1: Count lines\n  - An empty file has none\n  - Files: `src/count.ts`\n',
).tasks
const proposal: NonNullable<Attempt['proposal']> = {
  ...{ strategy: 'DECOMPOSE', reason: 'task_too_complex', explanation: 'It is two tasks.' },
  tasks: [
    {
      id: 'T-1a',
      title: 'Read the file',
      details: ['Once.', 'Not twice.'],
      files: ['src/read.ts'],
    },
    { id: 'T-1b', title: 'Count its lines', details: ['An empty file has none.'], files: [] },
  ],
}

function writtenFor(found: Attempt['proposal']): string {
  if (task === undefined) throw new Error('There is no task.')
  return writeEditableTasks({ task, proposal: found })
}

it('lists the proposed tasks as it reads them', () => {
  const text = writtenFor(proposal)
  expect(text).toBe(
    '- [ ] Read the file\n  Once.\n  Not twice.\n  **Files**: `src/read.ts`\n- [ ] Count its lines\n  An empty file has none.\n',
  )
  const read = readEditedTasks(text, 'T-1')
  expect(read).toMatchObject({
    status: 'ok',
    tasks: [{ title: 'Read the file', files: ['src/read.ts'] }, { title: 'Count its lines' }],
  })
})

it.each([null, { ...proposal, strategy: 'ESCALATE', tasks: [] } as const])(
  'starts from the task itself where no tasks are proposed',
  (found) => {
    const text = writtenFor(found)
    expect(text).toContain('- [ ] Count lines\n')
    expect(text).toContain('An empty file has none')
    expect(text.match(/Files/g)).toHaveLength(1)
    expect(readEditedTasks(text, 'T-1')).toMatchObject({
      status: 'ok',
      tasks: [{ title: 'Count lines', files: ['src/count.ts'] }],
    })
  },
)

it.each(['Simplify', 'Count lines', 'Count the lines of a file'])(
  'takes %j, as a person writes it',
  (title) => {
    expect(readEditedTasks(`- [ ] ${title}\n`, 'T-1')).toMatchObject({
      status: 'ok',
      tasks: [{ title, files: [], details: [] }],
    })
  },
)

const six = [1, 2, 3, 4, 5, 6].map((n) => `- [ ] Add ${n}\n`).join('')

it.each(['', 'prose', six, '- [ ] Add it\n- [ ] **Add it**\n  - Once.\n'])('refuses %j', (text) => {
  expect(readEditedTasks(text, 'T-1')).toMatchObject({ status: 'refused' })
})

it('keeps tasks together, or lets them go', () => {
  const whole = {
    ...proposal,
    tasks: proposal.tasks.map((each) => ({ ...each, together: true as const })),
  }
  const text = writtenFor(whole)
  expect(text).toContain('- [ ] Count its lines\n  An empty file has none.\n  **Together**: T-1\n')
  const groups = (list: string) => {
    const read = readEditedTasks(list, 'T-1')
    return read.status === 'ok'
      ? read.tasks.map(({ together, details }) => [together ?? false, details.join(' ')])
      : read.reason
  }
  const words = ['Once. Not twice.', 'An empty file has none.']
  expect(groups(text)).toEqual(words.map((said) => [true, said]))
  // One line is enough.
  expect(groups(text.replace('  **Together**: T-1\n', ''))).toEqual(
    words.map((said) => [true, said]),
  )
  expect(groups(text.replaceAll('  **Together**: T-1\n', ''))).toEqual(
    words.map((said) => [false, said]),
  )
})
