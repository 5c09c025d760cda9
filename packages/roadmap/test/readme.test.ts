import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { orderTasks } from '../../task/task.ts'
import * as roadmap from '../roadmap.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
const shown = '{ groups, findings, ticked }'

it('the example of the README orders two tasks, finds one vague and ticks the other', () => {
  const names = [...Object.keys(roadmap), 'orderTasks']
  const play = new Function(...names, `${example}\nreturn ${shown}`)
  expect(play(...Object.values(roadmap), orderTasks)).toEqual({
    groups: [['T-1'], ['T-2']],
    findings: [expect.objectContaining({ rule: 'vague-task', line: 1 })],
    ticked: {
      status: 'edited',
      text: '- [ ] T-2: Test it\n  - **Depends on**: T-1\n- [x] T-1: Parse `src/words.ts`\n',
    },
  })
})

it('the README names what the door has', () => {
  const table = readme.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'))
  const named = table.flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(Object.keys(roadmap)).toEqual(expect.arrayContaining(named))
})
