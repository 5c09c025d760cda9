import { expect, test } from 'vitest'
import {
  characterChannels,
  markdownChannels,
  terminalChannels,
} from '../../scores/hidden-channels.ts'
import { scoreHiddenText } from '../../scores/hidden-text.ts'
import { missed } from '../../scores/score.ts'

test('no hidden word of any channel is in a request, and no honest text is lost', async () => {
  expect(missed(await scoreHiddenText())).toEqual([])
})

test('every channel really holds the word', () => {
  for (const { hide, reads } of [...characterChannels, ...markdownChannels, ...terminalChannels]) {
    const text = hide('CANARYWORD')
    expect(text.includes('CANARYWORD') || reads?.(text, 'CANARYWORD')).toBe(true)
  }
})
