import { expect, test } from 'vitest'
import {
  characterChannels,
  markdownChannels,
  terminalChannels,
} from '../../scores/hidden-channels.ts'
import { scoreHiddenText } from '../../scores/hidden-text.ts'
import { missed } from '../../scores/score.ts'

test('no hidden word of any channel is in a request, and no honest text is lost', async ({
  task,
}) => {
  const score = await scoreHiddenText()
  expect(missed(score)).toEqual([])
  const [roadmap, , source, output, honest] = score.rows.map(({ cases }) => cases)
  task.file.meta.cases = {
    'ways in a roadmap or a file': roadmap ?? 0,
    'in source code': source ?? 0,
    'in test output': output ?? 0,
    'honest texts of many scripts': honest ?? 0,
  }
})

test('every channel really holds the word', () => {
  for (const { hide, reads } of [...characterChannels, ...markdownChannels, ...terminalChannels]) {
    const text = hide('CANARYWORD')
    expect(text.includes('CANARYWORD') || reads?.(text, 'CANARYWORD')).toBe(true)
  }
})
