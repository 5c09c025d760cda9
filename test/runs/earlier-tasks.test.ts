import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../packages/text/words/words.ts'
import type { Settings } from '../../src/core/domain/settings.ts'
import { recordEffects } from '../../src/core/journal/record-effects.ts'
import { noMemory } from '../../src/core/ports/memory.ts'
import { replayRun } from '../../src/runs/replay/replay-run.ts'
import { createMemoryStore } from '../fakes/memory-store.ts'
import { type HelperNight, nights } from './helper-nights.ts'
import { draft, openNight, remembering, sectionOf, syntax, verdictsOf } from './play-night.ts'

/** Whether a question holds the helper: as a fact, or in the files that it shows. */
const holds = ({ finds, helper }: HelperNight, question = '') =>
  question.includes(`- ${finds}`) || question.includes(helper.text.trim())

const [first] = nights
if (first === undefined) throw new Error('There is no night.')

describe('a helper that an earlier task of the night made', () => {
  it.each(nights)('is found: $name', async (night) => {
    const { asked, start } = openNight(night)
    expect(verdictsOf(await start())).toEqual(['unverified', 'unverified'])
    expect(sectionOf(asked.get('T-1'))).toBe('')
    expect(holds(night, asked.get('T-2'))).toBe(true)
    expect(estimateTokens(sectionOf(asked.get('T-2')))).toBeLessThanOrEqual(150)
  })

  it('would be found in 3 of 10 without the memory, which changes nothing else of a prompt', async () => {
    const found = await Promise.all(
      nights.map(async (night) => {
        const [on, off] = [openNight(night), openNight(night, { memory: false })]
        await Promise.all([on.start(), off.start()])
        const question = on.asked.get('T-2') ?? ''
        const section = sectionOf(question)
        const without = section === '' ? question : question.replace(`${section}\n\n`, '')
        expect(off.asked.get('T-2')).toBe(without)
        return holds(night, off.asked.get('T-2'))
      }),
    )
    expect(found.filter(Boolean)).toHaveLength(3)
  })

  it.each<[string, Settings['stack'], true | undefined, boolean]>([
    ['on a chain', 'chain', undefined, true],
    ['on the branch that it depends on', 'auto', true, true],
    ['on a branch of its own, without the helper', 'auto', undefined, false],
    ['on the base, without the helper', 'none', undefined, false],
  ])('is offered only where it is: %s', async (_, stack, needs, isThere) => {
    // An answer that imports the helper would be sent to its branch.
    const user = { ...first.user, text: 'export const invoice = 1\n' }
    const { asked, start } = openNight({ ...first, user, stack, ...(needs && { needs }) })
    await start()
    expect(sectionOf(asked.get('T-2')) !== '').toBe(isThere)
    expect(asked.get('T-2')?.includes('amounts')).toBe(isThere)
  })

  it('is found after a kill, and by the next run on a fresh machine', async () => {
    const whole = openNight(first)
    await whole.start()
    const killed = openNight(first)
    await expect(killed.start(null, {}, 2)).rejects.toThrow('the machine died')
    expect(killed.asked.has('T-2')).toBe(false)
    await killed.start()
    const fresh = openNight(first)
    await fresh.start(['T-1'])
    await fresh.start(['T-2'], { store: createMemoryStore() })
    const question = whole.asked.get('T-2')
    expect(sectionOf(question)).toContain(first.finds)
    expect([killed.asked.get('T-2'), fresh.asked.get('T-2')]).toEqual([question, question])
  })

  it('is in the prompts of a replay, and not in those of a journal that an older version wrote', async () => {
    const { ports, start } = openNight(first)
    await start()
    const [run = ''] = await ports.store.runs()
    const replay = (given: typeof ports) =>
      replayRun(run, given, { skipTests: true, signal: new AbortController().signal })
    const older = {
      ...ports.store,
      journal: async (id: string) =>
        (await ports.store.journal(id)).map((event) =>
          event.kind === 'started' ? { ...event, memory: undefined } : event,
        ),
    }
    const off = { ...ports, settings: { ...ports.settings, memory: false } }
    expect((await replay(off)).status).toBe('same')
    const differing = await replay({ ...ports, store: older })
    const steps = 'steps' in differing ? differing.steps : []
    expect(steps.flatMap(({ differences }) => differences)).toEqual([
      expect.stringContaining('4 lines were 0 others'),
    ])
  })
})

describe('a fix that a run was offered', () => {
  it('is offered to its replay, whatever the memory holds by then', async () => {
    const store = createMemoryStore()
    const { store: kept, recordRecalls } = recordEffects(store, { redact: String, note: () => {} })
    const about = { signature: 's', type: 'syntax_error', strategy: 'ask_again' } as const
    const fix = { ...about, fix: 'return cents BROKEN → return cents', worked: 1, failed: 0 }
    const memory = recordRecalls(
      remembering({ ...fix, failedInARow: 0, at: '2026-01-01T00:00:00Z' }),
    )
    const { ports, start, questions } = openNight(
      { ...first, draft },
      {},
      { store: kept, memory, syntax },
    )
    await start()
    expect(questions[1]).toContain('return cents BROKEN → return cents')
    const [run = ''] = await store.runs()
    const replay = async (without: string) => {
      const journal = async () => (await store.journal(run)).filter(({ kind }) => kind !== without)
      const asked = { skipTests: true, signal: new AbortController().signal }
      const given = { ...ports, store: { ...store, journal }, memory: noMemory }
      return (await replayRun(run, given, asked)).status
    }
    expect([await replay('nothing'), await replay('recalled')]).toEqual(['same', 'departed'])
  })
})
