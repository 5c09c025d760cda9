import { expect, it } from 'vitest'
import type { Ports } from '../../../src/core/ports.ts'
import type { Session } from '../../../src/entry/compose/compose.ts'
import { stopCalls } from '../../../src/entry/compose/stop-calls.ts'
import { createFakeClock } from '../../fakes/fake-clock.ts'

interface Held {
  readonly calls: string[]
  end(name: string): void
  port(...names: readonly string[]): object
}

/** Ports whose calls end when the test says so. */
function hold(): Held {
  const ends = new Map<string, () => void>()
  const calls: string[] = []
  const method = (name: string) => async (request?: { readonly signal?: AbortSignal }) => {
    calls.push(name)
    request?.signal?.addEventListener('abort', () => calls.push(`${name} was stopped`))
    await new Promise<void>((resolve) => ends.set(name, resolve))
    return name
  }
  return {
    calls,
    end: (name) => ends.get(name)?.(),
    port: (...names) => Object.fromEntries(names.map((name) => [name, method(name)])),
  }
}

function open(held: Held) {
  const ports = {
    ...{ clock: createFakeClock(), settings: {}, leases: {}, random: {}, syntax: held.port() },
    ...{ model: held.port('complete'), person: { present: false, ...held.port('ask') } },
    ...{ sandbox: held.port('run', 'prepare'), workspace: held.port('publish', 'discard') },
    ...{ forge: { kind: 'local', ...held.port('merge') }, store: held.port('record') },
    ...{ memory: held.port('learn'), routes: held.port('note') },
  } as unknown as Ports
  const close = async () => void held.calls.push('closed')
  return stopCalls({ ports, close } as unknown as Session)
}

it('ends what an interrupted step has begun, and lets it only remember that', async () => {
  const held = hold()
  const { ports, close } = open(held)
  const step = async () => {
    await ports.workspace.publish('agent/T-1', 'sha', null)
    await ports.store.record('run', [])
    await ports.forge.merge(1, 'sha')
  }
  const stepped = step()
  const tests = ports.sandbox.run({} as Parameters<typeof ports.sandbox.run>[0])
  const answer = ports.model.complete({} as Parameters<typeof ports.model.complete>[0])
  const closed = close()
  // Nobody waits for an answer, and a command ends by its signal.
  await expect(answer).rejects.toThrow('The run is over.')
  held.end('run')
  await tests
  held.end('publish')
  await expect.poll(() => held.calls.at(-1)).toBe('record')
  held.end('record')
  await expect(stepped).rejects.toThrow('The run is over.')
  await closed
  expect(held.calls).toEqual([
    ...['publish', 'run', 'complete', 'run was stopped', 'record', 'closed'],
  ])
  expect(() => ports.person.ask({} as Parameters<typeof ports.person.ask>[0])).toThrow('over')
  await expect(ports.clock.sleep(600)).rejects.toThrow('over')
  const removed = ports.workspace.discard('folder')
  held.end('discard')
  await removed
})

it('changes nothing while the run works', async () => {
  const held = hold()
  const { ports } = open(held)
  expect([ports.forge.kind, ports.person.present]).toEqual(['local', false])
  const answer = ports.model.complete({} as Parameters<typeof ports.model.complete>[0])
  held.end('complete')
  await expect(answer).resolves.toBe('complete')
})
