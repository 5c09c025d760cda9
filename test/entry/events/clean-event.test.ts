import { expect, it } from 'vitest'
import { stripHidden } from '../../../packages/text/hidden/hidden-text.ts'
import { createRedactor } from '../../../packages/text/secrets/redact.ts'
import { cleanEvent, longestList, longestText } from '../../../src/entry/events/clean-event.ts'
import { eventSchema, type RunEvent } from '../../../src/entry/events/event-schema.ts'
import { allSpellings, canary, findCanaries, longCanary, shapedCanary } from '../redact/canary.ts'

const secrets = [canary, longCanary]
const inPieces = [...canary].join('\u200b')

const texts: readonly (readonly [string, string])[] = [
  ['every spelling of a secret', `${allSpellings} ${shapedCanary}`],
  ['a secret with invisible characters in it', `before ${inPieces} after`],
  ['a secret where the text is cut', 'x'.repeat(longestText - canary.length / 2) + canary],
  ['control characters of a terminal', 'a\u001b[31mred\u001b]0;title\u0007\r\b'],
  ['letters in reverse order', 'a\u202edcba\u2066'],
  ['half a character', 'a\ud800'],
  ['half a character where the text is cut', `${'x'.repeat(longestText - 2)}😀😀`],
  ['a separator of lines', 'a\u2028b\u2029c\nd'],
  ['a very long text', 'word '.repeat(10_000)],
]

const place = { v: 1, at: '2026-01-31T02:00:00.000Z', run: 'run-1' } as const
const spent = { tokens: 1, cost: null, seconds: 1 }
const none = { done: 0, unverified: 0, failed: 0, deferred: 0, waiting: 0 }
const totals = { ...none, skipped: 0, rolledBack: 0, replaced: 0 }

/** An event of each type that holds a text from outside. */
const holding = (text: string): readonly RunEvent[] => [
  { ...place, task: text, type: 'task_started', attempt: 1, title: text },
  { ...place, task: 'T-1', type: 'question', title: text, text, choices: Array(99).fill(text) },
  {
    ...{ ...place, task: 'T-1', type: 'verdict', title: text, outcome: 'failed', reason: text },
    ...{ branch: text, sha: null, pr: { number: 1, url: text }, attempts: 1, repairs: 0, ...spent },
  },
  {
    ...{ ...place, task: null, type: 'run_ended', exitCode: 1, stopped: text, totals, ...spent },
    ...{ limits: Array(99).fill(text) },
    errors: Array(99).fill({ code: 'x', message: text, next: text }),
  },
]

it.each(texts)('a reader gets no harm from %s', (_, text) => {
  for (const event of holding(text)) {
    const clean = cleanEvent(event, createRedactor(secrets))
    expect(eventSchema.parse(clean)).toEqual(clean)
    const line = JSON.stringify(clean)
    expect(findCanaries(line)).toEqual([])
    expect(line).not.toContain(canary.slice(0, 8))
    expect(stripHidden(line, 'plain').text).toBe(line)
    expect(line.split(/[\n\u2028\u2029]/)).toHaveLength(1)
    expect(line).not.toMatch(/\\ud[89a-f]/i)
    expect(line.length).toBeLessThan(3 * (longestList + 2) * (longestText + 100))
  }
})

it('an event with nothing to hide stays as it is', () => {
  const [started] = holding('Halve a number')
  expect(started && cleanEvent(started, createRedactor(secrets))).toEqual(started)
})
