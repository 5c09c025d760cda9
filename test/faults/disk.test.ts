import { expect, it } from 'vitest'
import { checkCutState, checkLock, checkTornJournal } from './disk-cases.ts'
import { checkPoison } from './poison.ts'

it.each([
  ['a state that is cut at any byte', () => checkCutState(41)],
  ['a line of the journal that is torn', checkTornJournal],
  ['two processes in one folder', checkLock],
  ['a task that kills every process', checkPoison],
])('%s ends well', async (_, check) => {
  expect(await check()).toEqual([])
})
