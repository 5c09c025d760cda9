import { expect, it } from 'vitest'
import type { OpenRelay, Relay } from '../../../src/core/ports/relay.ts'
import { bookRelays } from '../../../src/entry/compose/compose.ts'
import { createScriptedRelay } from '../../fakes/scripted-relay.ts'

const admit = async () => ({ status: 'over_budget', reason: 'Nothing is left.' }) as const

it('ends the sessions that a cancel has left open, and waits until they are booked', async () => {
  const closed: string[] = []
  const inner = createScriptedRelay()
  const relay: Relay = {
    async open(model, given): Promise<OpenRelay> {
      const opened = await inner.open(model, given)
      return {
        ...opened,
        async close() {
          await Promise.resolve()
          closed.push(model)
        },
      }
    },
  }
  const booked = bookRelays(relay)
  const first = await booked.relay.open('ended', admit)
  await booked.relay.open('left', admit)
  await first.close()
  expect(closed).toEqual(['ended'])
  await booked.close()
  expect(closed).toEqual(['ended', 'left'])
})
