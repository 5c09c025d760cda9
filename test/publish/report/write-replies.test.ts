import { expect, it } from 'vitest'
import { writeGone, writeStatus } from '../../../src/publish/report/write-replies.ts'
import { aTask } from '../../fakes/facts.ts'

const proposal = (state: 'open' | 'closed' | 'merged') => ({
  ...{ number: 7, url: 'https://forge.test/pull/7', state },
  body: 'Instead:\n\n- **T-1-a** Add a\n  - Files: `a.js`\n- **T-1-b** Add b\n\nHow to answer.\n',
})
const [a, b] = ['T-1-a', 'T-1-b'].map((id) => aTask({ id, title: `Do ${id}` }))
if (a === undefined || b === undefined) throw new Error('There are two tasks.')

it.each([
  [
    'by several',
    proposal('merged'),
    [a, b],
    /replaced in \[#7\]\(\S+\) by \*\*T-1-a\*\*, \*\*T-1-b\*\*\.\n\n2 open\.\n\n/,
  ],
  [
    'by one',
    proposal('merged'),
    [b],
    /replaced in \[#7\].* by \*\*T-1-b\*\*\.\n\n\*\*T-1-b\*\* is open\.\n\nDo T-1-b$/,
  ],
  [
    'by tasks that went, too',
    proposal('merged'),
    [aTask()],
    /replaced in \[#7\].*has none of the new tasks any more\.$/,
  ],
  ['by nobody yet', proposal('open'), [a], /^\*\*T-1\*\* is no longer in the roadmap/],
  ['without a proposal', null, [a], /^\*\*T-1\*\* is no longer in the roadmap/],
])('says what became of a task that was replaced: %s', (_, given, tasks, says) => {
  expect(writeGone('T-1', given, tasks, {})).toMatch(says)
})

it('says how one stands', () => {
  expect(writeStatus([a], {})).toBe('**T-1-a** is open.\n\nDo T-1-a')
})
