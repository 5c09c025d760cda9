import { expect, test } from 'vitest'
import { scoreReplies } from '../../scores/replies.ts'
import { missed } from '../../scores/score.ts'

test('broken edits come out as they were meant, or are refused', async () => {
  expect(missed(await scoreReplies(4))).toEqual([])
})
