import { expect, it } from 'vitest'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { withoutObservations } from '../../../src/core/domain/tool-loop.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import { readParkedAttempt, writeParked } from '../../../src/recovery/task/parked-attempt.ts'
import { sampleState } from '../../contracts/run-state.ts'
import { anAttempt, anOperation } from '../../fakes/facts.ts'

const { attempt } = sampleState()
if (attempt === null) throw new Error('The sample has no attempt.')
const sample: Attempt = attempt
const text = writeParked(sample)

it('a parked attempt comes back as it was, but for what its own run alone could use', () => {
  expect(readParkedAttempt('T-2', text)).toEqual({
    ...sample,
    tests: null,
    loop: withoutObservations(sample).loop,
    failure: sample.failure && { ...sample.failure, output: '' },
    usage: noUsage,
    seconds: 0,
    steps: 0,
    starts: 1,
  })
})

it('a parked attempt keeps no word of what its tools showed', () => {
  expect(sample.loop?.turns[0]?.observation).toBeTruthy()
  expect(text).not.toContain(sample.loop?.turns[0]?.observation)
})

it('a parked attempt keeps the code it was shown only where it may be written as it is', () => {
  const context = [{ path: 'a.js', text: 'x', whole: true }]
  const kept = (facts: Partial<Attempt>) =>
    readParkedAttempt('T-1', writeParked(anAttempt({ context, ...facts })))?.context
  expect(kept({})).toEqual([])
  expect(kept({ destructive: [anOperation()] })).toEqual(context)
})

it.each([
  ['nothing', 'T-2', ''],
  ['no JSON', 'T-2', text.slice(0, -10)],
  ['another version', 'T-2', text.replace('"version":1', '"version":2')],
  ["another task's", 'T-3', text],
  ['a name that is no id', '../T-2', text],
  ['a change of another shape', 'T-2', text.replace('"create"', '"chmod"')],
  ['a missing field', 'T-2', text.replace('"draft"', '"drift"')],
])('a parked text that is %s is no attempt', (_, id, damaged) => {
  expect(readParkedAttempt(id, damaged)).toBeNull()
})
