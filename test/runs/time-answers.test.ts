import { expect, it } from 'vitest'
import type { RunState } from '../../src/core/domain/run-state.ts'
import { runGraph } from '../../src/graph/run-graph.ts'
import { timeAnswers } from '../../src/runs/run-ports.ts'
import { anAttempt, aState, emptyStore, fakePorts } from '../fakes/facts.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'

const question = { taskId: 'T-1', title: '', body: '', choices: ['approve'] } as const
const edges = { await_approval: { approved: 'END' } } as const
const { signal } = new AbortController()

it('does not count the time in which a person thinks, whatever comes of it', async () => {
  const clock = createFakeClock()
  const answers = [
    () => null,
    () => {
      throw new Error('The terminal is gone.')
    },
  ]
  const person = {
    present: true,
    async ask() {
      clock.advance(600)
      return answers.shift()?.() ?? null
    },
  }
  const { ports, waited } = timeAnswers(fakePorts({ clock, person, store: emptyStore }))
  const start: RunState = aState({ attempt: anAttempt(), progress: { next: 'await_approval' } })
  const node = async () => {
    clock.advance(2)
    await ports.person.ask(question)
    await expect(ports.person.ask(question)).rejects.toThrow('The terminal is gone.')
    return { outcome: 'approved' as const }
  }
  const end = await runGraph(start, { await_approval: node }, edges, ports, { signal, waited })
  expect(end.spent.seconds).toBe(2)
  expect(end.attempt?.seconds).toBe((start.attempt?.seconds ?? 0) + 2)
})
