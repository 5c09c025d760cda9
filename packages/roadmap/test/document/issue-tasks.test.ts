import { expect, it } from 'vitest'
import { issueTasks } from '../../document/issue-tasks.ts'

const read = (title: string, body: string) =>
  issueTasks({ number: 7, title, body }, { granularity: 'task' })

const summary = ({ tasks }: ReturnType<typeof read>) =>
  tasks.map(({ id, title, dependsOn }) => [id, title, ...dependsOn].join(' | '))

it.each<[string, string, string, readonly string[]]>([
  [
    'an issue as a whole',
    'Add a greeting',
    'Say hello.\n\n- in English',
    ['T-issue-7 | Add a greeting'],
  ],
  ['its one box', 'A wish', 'Please:\n- [ ] Add a', ['T-issue-7 | Add a']],
  [
    'its boxes, whatever they are called',
    'Wishes',
    '- [ ] **T-1**: Add a\n- [ ] **T-2**: Add b\n  - **Depends on**: T-1\n',
    ['T-issue-7-1 | Add a', 'T-issue-7-2 | Add b | T-issue-7-1'],
  ],
  ['a title that is Markdown', '**T-1**: [x](y) *b*', '', ['T-issue-7 | x *b*']],
  ['a title of several lines', 'Add a\n- [ ] and b', '', ['T-issue-7 | Add a - [ ] and b']],
  ['a body with a fence', 'Add a', '```md\n- [ ] no task\n```', ['T-issue-7 | Add a']],
  ['a body with hidden boxes', 'Add a', '<!--\n- [ ] no task\n-->', ['T-issue-7 | Add a']],
])('reads %s', (_, title, body, tasks) => {
  const found = read(title, body)
  expect(summary(found)).toEqual(tasks)
  expect(found.problems.filter(({ severity }) => severity === 'error')).toEqual([])
})

it("keeps the fields of an issue's body", () => {
  const [task] = read('Add a', '**Files**: `src/a.js`\n**Accept**: `npm test`').tasks
  expect(task).toMatchObject({ files: ['src/a.js'], accept: ['npm test'] })
  expect(task?.details).toContain('Files')
})

it('tells the same issue by its fingerprint, and another text by another', () => {
  const print = (body: string) => read('Add a', body).tasks[0]?.fingerprint
  expect(print('x')).toBe(print('x'))
  expect(print('x')).not.toBe(print('y'))
})

it('says what is wrong in it', () => {
  const { problems } = read(
    'W',
    '- [ ] **T-1**: a\n  - **Depends on**: T-2\n- [ ] **T-2**: b\n  - **Depends on**: T-1',
  )
  expect(problems.some(({ severity }) => severity === 'error')).toBe(true)
})

it("keeps a group of its tasks apart from the roadmap's groups", () => {
  const body = '- [ ] Add a\n  - **Together**: T-5\n- [ ] Add b\n  - **Together**: T-5\n'
  const groups = read('Wishes', body).tasks.map(({ together }) => together)
  expect(groups).toEqual(['T-issue-7.T-5', 'T-issue-7.T-5'])
})
