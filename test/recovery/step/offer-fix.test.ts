import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TestFailure } from '../../../packages/judge/results/test-report.ts'
import { failureSignature, problemSignature } from '../../../src/recovery/step/note-repair.ts'
import { fixForFailure, fixForProblem } from '../../../src/recovery/step/offer-fix.ts'
import { createKnownFixes } from '../../fakes/known-fixes.ts'
import {
  drawFrom,
  failureOf,
  kinds,
  type Occurrence,
  occur,
  pick,
  randomFrom,
} from './error-pairs.ts'

/** The lines of all files in a folder of the tests. */
const linesIn = (...path: readonly string[]): readonly string[] => {
  const folder = join(import.meta.dirname, '../../../packages/judge/test', ...path)
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
}

/** Real code in several languages. */
const noise = linesIn('answer/sources')

/** Failures of real runners, as their reports were read. */
const recorded: readonly TestFailure[] = linesIn('recordings/read').flatMap((line) => {
  const [test, place = '', errorType = '', message, values = '', trace = ''] = line.split(' | ')
  if (test === undefined || message === undefined) return []
  const [actual = null, expected = null] = values
    .split(' ≠ ')
    .map((each) => (each === 'null' ? null : each))
  const [file = null] = place.split(':')
  const frames = trace === '' ? [] : trace.split(' ')
  return [{ test, file, line: 1, message, expected, actual, errorType, trace: frames }]
})

const problemOf = ({ kind, draw, path, line }: Occurrence) => ({
  ...{ path, line, column: 1, message: kind.message(draw) },
  type: kind.type === 'import' ? 'import' : 'syntax',
})

const isProblem = ({ kind }: Occurrence) => kind.type === 'problem' || kind.type === 'import'

/** Learns the fix of the first error, and asks for one when the second occurs. */
async function offers(first: Occurrence, second: Occurrence): Promise<boolean> {
  const memory = createKnownFixes()
  const about = { strategy: 'ask_again', fix: first.fix, worked: true } as const
  const signature = isProblem(first)
    ? problemSignature(problemOf(first))
    : failureSignature(failureOf(first))
  await memory.learn({ ...about, type: 'test_failure', signature })
  const offered = isProblem(second)
    ? await fixForProblem(problemOf(second), second.text, memory)
    : await fixForFailure(failureOf(second), [second], memory)
  return offered !== null
}

const tests = ['adds two', 'keeps the order', 'is empty at first', 'rounds up', 'sorts by name']

/** A pair of errors; `same` is what they share. */
function pairOf(random: () => number, same: 'cause' | 'words' | 'nothing', renamed: boolean) {
  const kind = pick(kinds, random)
  const around = { random, noise }
  const draw = drawFrom(random)
  const test = pick(tests, random)
  const at = Math.floor(random() * kind.causes.length)
  const first = occur(kind, at, draw, test, around)
  const other = renamed ? drawFrom(random) : { ...draw, n: 1 + Math.floor(random() * 90) }
  if (same === 'cause') return { first, second: occur(kind, at, other, test, around) }
  if (same === 'words') {
    const next = (at + 1) % kind.causes.length
    return { first, second: occur(kind, next, other, test, around) }
  }
  const strange = pick(
    kinds.filter((each) => each !== kind),
    random,
  )
  const cause = Math.floor(random() * strange.causes.length)
  return { first, second: occur(strange, cause, other, pick(tests, random), around) }
}

const labelOf = ({ kind, cause }: Occurrence) => `${kind.name} ${cause}`

async function offered(
  seed: number,
  count: number,
  same: readonly ('cause' | 'words' | 'nothing')[],
) {
  const random = randomFrom(seed)
  const found: string[] = []
  const missed: string[] = []
  for (let n = 0; n < count; n += 1) {
    const { first, second } = pairOf(random, same[n % same.length] ?? 'nothing', random() < 0.5)
    const label = `${labelOf(first)} / ${labelOf(second)}: ${first.fix} / ${second.fix}`
    if (await offers(first, second)) found.push(label)
    else missed.push(label)
  }
  return { found, missed }
}

describe('a fix that worked is offered', () => {
  it.each([
    ['other names', 'const sum = a + b', 'const total = price + tax', true],
    ['other spaces', 'const sum = a + b', '  const sum  = a + b', true],
    ['a name twice, and two names', 'return add(a, a)', 'return add(a, b)', false],
    ['two names, and a name twice', 'return add(a, b)', 'return add(a, a)', false],
    ['another keyword', 'const sum = a + b', 'let sum = a + b', false],
    ['another sign', 'const sum = a + b', 'const sum = a - b', false],
    ['another number', 'const sum = a + 1', 'const sum = a + 2', false],
    ['one more word', 'const sum = a + b', 'const sum = a + b + c', false],
    ['two words of prose', 'return a', 'return b', false],
  ])('for a line with %s', async (_, replaced, line, isOffered) => {
    const problem = {
      path: 'a.js',
      type: 'syntax',
      message: 'Unexpected token',
      line: 1,
      column: 1,
    }
    const memory = createKnownFixes()
    const about = { type: 'syntax_error', strategy: 'ask_again', worked: true } as const
    await memory.learn({ ...about, fix: `${replaced} → x`, signature: problemSignature(problem) })
    expect((await fixForProblem(problem, line, memory)) !== null).toBe(isOffered)
  })

  it('for none of 1,000 pairs of unlike errors', async () => {
    const { found } = await offered(17, 1_000, ['words', 'nothing'])
    expect(found).toEqual([])
  })

  it('for at least 90 % of 200 pairs of like errors', async () => {
    const { found, missed } = await offered(18, 200, ['cause'])
    expect(found.length, missed.join('\n')).toBeGreaterThanOrEqual(180)
  })

  it('for no other failure of 24 recordings of real runners, but the same one with another name', async () => {
    expect(recorded.length).toBeGreaterThan(40)
    const about = { type: 'test_failure', strategy: 'ask_again', worked: true } as const
    // A line that every file of the case shows.
    const shown = noise.find((line) => line.trim().startsWith('return '))?.trim()
    const found: string[] = []
    for (const one of recorded) {
      const memory = createKnownFixes()
      const fix = `${shown} → return null`
      await memory.learn({ ...about, fix, signature: failureSignature(one) })
      for (const other of recorded) {
        const files = [...other.trace, other.file ?? ''].map((frame) => ({
          path: frame.replace(/:\d+$/, ''),
          text: noise.join('\n'),
        }))
        if (other !== one && (await fixForFailure(other, files, memory)) !== null) {
          found.push(`${one.message} / ${other.message}`)
        }
      }
    }
    expect(found).toEqual([
      'unresolved import `serde` / unresolved import `crate::cart`',
      'unresolved import `crate::cart` / unresolved import `serde`',
    ])
  })
})
