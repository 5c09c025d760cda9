import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../packages/text/secrets/redact.ts'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import type { JournalEntry } from '../../../src/core/domain/journal-event.ts'
import type { Settings } from '../../../src/core/domain/settings.ts'
import { keepScratchpads, readNotes } from '../../../src/publish/effects/keep-scratchpad.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { anAttempt, aState, aTask, someSettings } from '../../fakes/facts.ts'
import { createMemoryStore, type MemoryStore } from '../../fakes/memory-store.ts'

const secret = 'a-secret-of-this-run-42'

const observed = (turn: number, observation: string, more = {}): JournalEntry => ({
  ...{ kind: 'observed', task: 'T-1', attempt: 1, turn, tool: 'read_file', hash: 'h' },
  ...{ input: '{"path":"a.js"}', thought: 'I look.', observation, summary: '1 line', isOk: true },
  ...more,
})
const filed: JournalEntry = {
  kind: 'filed',
  result: sampleResult('T-1', { verdict: 'done', reason: '' }),
}

function open(given: Partial<Settings> = {}, inner: MemoryStore = createMemoryStore()) {
  const settings = { ...someSettings(), ...given }
  const store = keepScratchpads(inner, { settings, redact: createRedactor([secret]) })
  const at = (steps: number, facts: Partial<Attempt> = {}) =>
    aState({ attempt: anAttempt({ steps, ...facts }) })
  return { store, inner, at, pad: () => inner.reports.get('scratch/T-1.md') ?? null }
}

describe('the scratchpad of the current task', () => {
  it('grows with its calls, and is written once a step', async () => {
    const { store, at, pad, inner } = open()
    await store.save(at(1))
    await store.record('run-1', [observed(0, 'first')])
    expect(pad()).toBeNull()
    await store.save(at(2))
    expect(pad()).toContain('  first\n')
    await store.record('run-1', [observed(1, 'second')])
    await store.save(at(3), [filed])
    expect(pad()).toMatch(/first[\s\S]*second[\s\S]*\*\*Verdict\*\*: done/)
    await store.save(aState())
    expect([...inner.reports.keys()]).toEqual(['scratch/T-1.md'])
  })

  it('is not written where there is nothing to tell', async () => {
    const { store, at, inner } = open()
    await store.save(at(1))
    await store.save(at(2), [filed])
    expect(inner.reports.size).toBe(0)
  })

  it('holds no secret, wherever it stands', async () => {
    const { store, at, pad } = open()
    await store.save(at(1))
    await store.record('run-1', [
      observed(0, `it says ${secret}`, { thought: secret, summary: secret, input: secret }),
    ])
    await store.save(at(2))
    expect(pad()).toContain('it says ***')
    expect(pad()).not.toContain(secret)
  })

  it('goes on after a kill, in another process', async () => {
    const { store, at, inner } = open()
    await store.save(at(1))
    await store.record('run-1', [observed(0, 'before the kill')])
    const again = open({}, inner)
    await again.store.save(at(2), [{ kind: 'resumed', next: 'use_tool', from: 'disk' }])
    await again.store.record('run-1', [observed(1, 'after the kill')])
    await again.store.save(at(3))
    expect(again.pad()).toMatch(/before the kill[\s\S]*after the kill/)
    expect(again.pad()?.match(/before the kill/g)).toHaveLength(1)
  })

  it('starts anew with the next task, and knows the first attempt of a second one', async () => {
    const { store, at, inner } = open()
    await store.save(at(1))
    await store.record('run-1', [observed(0, 'the first try')])
    await store.save(at(2))
    await store.save(at(1, { task: aTask({ id: 'T-2' }) }))
    await store.record('run-1', [observed(0, 'of another', { task: 'T-2' })])
    await store.save(at(2, { task: aTask({ id: 'T-2' }) }))
    await store.save(at(1, { number: 2 }))
    await store.record('run-1', [observed(0, 'the second try', { attempt: 2 })])
    await store.save(at(2, { number: 2 }))
    expect(inner.reports.get('scratch/T-1.md')).toMatch(/the first try[\s\S]*the second try/)
    expect(inner.reports.get('scratch/T-1.md')).not.toContain('of another')
    expect(inner.reports.get('scratch/T-2.md')).toContain('of another')
  })

  it('holds only summaries where no answer is kept', async () => {
    const { store, at, pad } = open({ state: { answers: 'off', retentionDays: 90 } })
    await store.save(at(1))
    await store.record('run-1', [observed(0, 'seen')])
    await store.save(at(2))
    expect(pad()).toContain('`read_file` → 1 line')
    expect(pad()).not.toMatch(/seen|I look/)
  })
})

it.each<[string, Partial<Attempt>, boolean]>([
  ['a first change that passed', {}, false],
  ['a plan', { plan: { files: [], complexity: 'low', steps: [] } }, true],
  ['a repair', { testRepairs: 1 }, true],
  ['a reflection', { reflections: ['why'] }, true],
])('reads the journal for the notes of %s: %s', async (_, facts, expected) => {
  const inner = createMemoryStore()
  await inner.record('run-1', [observed(0, 'seen')])
  const notes = await readNotes(anAttempt(facts), 'run-1', { store: inner })
  expect(notes.includes('seen')).toBe(expected)
})
