import { expect, onTestFinished, test, vi } from 'vitest'
import type { ModelRequest } from '../../../src/core/ports/model.ts'
import { loadAhead } from '../../../src/entry/compose/compose.ts'
import { createScriptedModel } from '../../fakes/scripted-model.ts'

const request: ModelRequest = {
  ...{ purpose: 'draft', model: 'scripted', messages: [] },
  ...{ maxOutputTokens: 1, json: false },
}

test.each([
  ['once the request has left', 400, 1],
  ['not for an answer that is there before', 200, 0],
])('what reads the answer is loaded %s', async (_, milliseconds, expected) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const answer = await createScriptedModel(['yes']).complete(request)
  const thinking = Promise.withResolvers<typeof answer>()
  const load = vi.fn(() => Promise.reject(new Error('It is not there.')))
  const model = loadAhead({ complete: () => thinking.promise }, load)
  const asked = model.complete(request)
  await vi.advanceTimersByTimeAsync(milliseconds)
  thinking.resolve(answer)
  expect(await asked).toBe(answer)
  await vi.advanceTimersByTimeAsync(1000)
  expect(load).toHaveBeenCalledTimes(expected)
})
