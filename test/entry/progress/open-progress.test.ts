import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { inLane } from '../../../src/entry/observe/by-lane.ts'
import { columnsOf } from '../../../src/entry/progress/draw-line.ts'
import { signOfLife } from '../../../src/entry/progress/open-progress.ts'
import { anAttempt, aState, aTask } from '../../fakes/facts.ts'
import {
  commandCall,
  modelCall,
  output,
  personCall,
  type Watched,
  watchRun,
} from './watched-run.ts'

const state = aState({ attempt: anAttempt() })
const done = { facts: { 'process.exit.code': 0 }, error: null }

/** A stream of 30 s, of which nothing is heard in the middle, and tests of 60 s that print for 20 of them. */
function playSlowRun({ progress, clock }: Watched): void {
  const { observer, watch } = progress
  observer.started?.('execute_task', state)
  const asked = watch(modelCall)
  for (let second = 1; second <= 30; second += 1) {
    clock.advance(1)
    if (second < 10 || second > 25) asked.heard?.({ kind: 'received', characters: second * 80 })
  }
  asked.ended({ facts: { 'gen_ai.usage.output_tokens': 600 }, error: null })
  observer.finished?.('execute_task', 'drafted', state)
  observer.started?.('verify_task', state)
  const tested = watch(commandCall('npm test'))
  for (let second = 1; second <= 60; second += 1) {
    clock.advance(1)
    if (second <= 20) tested.heard?.(output(`✔ works ${second} (1000.1ms)\n`))
  }
  tested.ended(done)
  observer.finished?.('verify_task', 'failed', state)
  progress.close()
  clock.advance(100)
}

const largestGap = (times: readonly number[]): number =>
  Math.max(...times.map((time, index) => time - (times[index - 1] ?? 0)))

describe.each([0, 1, 20, 80, 200])('on a terminal of %i columns', (width) => {
  it.each([true, false])('something changes every second, coloured: %s', (isColoured) => {
    const watched = watchRun({ width, isColoured })
    playSlowRun(watched)
    const { seen } = watched
    expect(largestGap(seen.map(({ at }) => at))).toBeLessThanOrEqual(1)
    expect(seen.length).toBeLessThanOrEqual(90 * 5 + 10)
    expect(seen.at(-1)).toEqual({ at: 90, kind: 'frame', text: '' })
    for (const frame of watched.frames()) {
      expect(columnsOf(stripVTControlCharacters(frame))).toBeLessThan(Math.max(2, width || 80))
      expect(frame).not.toMatch(isColoured ? /[\n\r]/ : /[\u0000-\u001F]/)
    }
  })
})

describe('without a terminal', () => {
  it('a line comes at least every 30 seconds, and those that only say so are known by their form', () => {
    const watched = watchRun({ width: null })
    playSlowRun(watched)
    expect(largestGap([...watched.seen.map(({ at }) => at), 90])).toBeLessThanOrEqual(30)
    const lines = watched.lines()
    expect(lines.filter((line) => signOfLife.test(line))).toEqual([
      '    … T-1 asking gpt-5 for the change: 28 s, 540 tokens, 20 tokens/s',
      '    … T-1 running the tests (npm test): 28 s, 20 passed, ✔ works 20 (1000.1ms)',
      '    … T-1 running the tests (npm test): 56 s, 20 passed, ✔ works 20 (1000.1ms)',
    ])
    expect(lines.filter((line) => !signOfLife.test(line))).toEqual([
      `  resuming ${state.run.id} …`,
      'T-1 Add a greeting',
      '  T-1 asking gpt-5 for the change …',
      '  T-1 running the tests …',
      expect.stringContaining('tests fail'),
    ])
  })

  it('a command outside the steps of a run is named, as those of `check` are', () => {
    const { progress, clock, lines } = watchRun({ width: null })
    const tested = progress.watch(commandCall('npm test'))
    clock.advance(30)
    tested.ended(done)
    progress.close()
    expect(lines()).toEqual(['    … running the tests (npm test): 28 s'])
  })

  it('nothing at all comes of a run that is to be quiet', () => {
    for (const width of [null, 80]) {
      const watched = watchRun({ width, logLevel: 'error' })
      playSlowRun(watched)
      expect(watched.seen.filter(({ text }) => text !== '')).toEqual([])
    }
  })
})

describe('the model', () => {
  it('is said to be asked when it is, after what the tests need was installed', () => {
    const { progress, lines } = watchRun({ width: null })
    const { observer, watch } = progress
    observer.started?.('execute_task', state)
    const ends = [
      { facts: { 'process.exit.code': 1 }, error: null },
      { facts: { 'process.exit.code': 0 }, error: null },
    ]
    for (const end of ends) {
      const installed = watch(commandCall('npm ci', 'prepare_dependencies'))
      installed.heard?.(output('npm error 404  not in this\u001B[0m registry\n\n', 'stderr'))
      installed.ended(end)
    }
    watch(commandCall('mkdir', 'run_command')).ended(done)
    watch(modelCall).ended({ facts: {}, error: 'unavailable' })
    observer.finished?.('execute_task', 'unavailable', aState())
    expect(lines().slice(2)).toEqual([
      '  T-1 installing dependencies (npm ci) …',
      '    npm ci failed after 0.0 s:',
      '      npm error 404  not in this registry',
      '  T-1 installing dependencies (npm ci) …',
      '    npm ci: done in 0.0 s',
      '  T-1 asking gpt-5 for the change …',
    ])
  })

  it('that asks for all of the change again does not call that a repair', () => {
    const { progress, clock, frames } = watchRun({ width: 200 })
    progress.observer.started?.('repair_test', state)
    const facts = { ...modelCall.facts, 'executor.purpose': 'repair_test' }
    const asked = progress.watch({ ...modelCall, facts })
    clock.advance(1)
    asked.ended({ facts: {}, error: null })
    const drawn = progress.watch({ ...modelCall, facts: { ...facts, 'executor.sample': 1 } })
    drawn.heard?.({ kind: 'received', characters: 40 })
    clock.advance(2)
    expect(frames().join('\n')).toContain('asking gpt-5 for a repair')
    expect(frames().at(-1)).toContain('asking gpt-5 for another version of the change')
  })

  it('that reads a long prompt is said to read it, until it answers', () => {
    const { progress, clock, frames } = watchRun({ width: 200 })
    progress.observer.started?.('execute_task', state)
    const asked = progress.watch(modelCall)
    asked.heard?.({ kind: 'reading', tokens: 3_100, seconds: 48.4 })
    clock.advance(2)
    expect(frames().at(-1)).toMatch(/for the change: 2 s$/)
    clock.advance(10)
    expect(frames().at(-1)).toMatch(
      /for the change: 12 s, reading the prompt: 3,100 tokens, about 50 s$/,
    )
    asked.heard?.({ kind: 'received', characters: 0 })
    clock.advance(40)
    expect(frames().at(-1)).toContain('reading the prompt')
    asked.heard?.({ kind: 'received', characters: 40 })
    clock.advance(2)
    expect(frames().at(-1)).toMatch(/for the change: 54 s, 10 tokens, 5 tokens\/s$/)
  })

  it('that reads at an unknown speed is said to read, without an end', () => {
    const { progress, clock, frames } = watchRun({ width: 200 })
    progress.observer.started?.('execute_task', state)
    const asked = progress.watch(modelCall)
    asked.heard?.({ kind: 'reading', tokens: 3_100, seconds: null })
    clock.advance(4)
    expect(frames().at(-1)).toMatch(/: 4 s, reading the prompt: 3,100 tokens$/)
    asked.heard?.({ kind: 'retrying', seconds: 20, reason: 'no data for 60 seconds' })
    clock.advance(5)
    expect(frames().at(-1)).toContain('next try in 15 s')
  })

  it('that does not answer is said to be asked again, why and when', () => {
    const { progress, clock, frames } = watchRun({
      width: 200,
      redact: (text) => text.replace('sk-12345', '***'),
    })
    progress.observer.started?.('execute_task', state)
    const asked = progress.watch(modelCall)
    clock.advance(1)
    asked.heard?.({ kind: 'received', characters: 400 })
    asked.heard?.({ kind: 'retrying', seconds: 20, reason: 'answered 429:\nsk-12345' })
    clock.advance(5)
    expect(frames().at(-1)).toContain('for the change: 6 s, next try in 15 s (answered 429: ***)')
    clock.advance(15)
    asked.heard?.({ kind: 'received', characters: 4 })
    clock.advance(0.5)
    expect(frames().at(-1)).toMatch(/for the change: 21 s, 1 token$/)
  })
})

it('a long setup command leaves room for what it prints', () => {
  const { progress, clock, frames } = watchRun({ width: 100 })
  progress.observer.started?.('execute_task', state)
  const line = 'for part in 1 2 3; do\n  curl --silent "https://a.example/$part" | tar x\ndone'
  const installing = progress.watch(commandCall(line, 'prepare_dependencies'))
  installing.heard?.(output('fetching part 1 of 3\n'))
  clock.advance(4)
  expect(frames().at(-1)).toBe(
    '  ⠋ T-1 installing dependencies (for part in 1 2 3; do curl --si…): 4 s  fetching part 1 of 3',
  )
})

it('while a person is asked, the question stands alone, for however long', () => {
  for (const width of [null, 80]) {
    const { progress, clock, seen } = watchRun({ width })
    progress.observer.started?.('await_approval', state)
    clock.advance(1)
    const asked = progress.watch(personCall)
    const before = seen.length
    clock.advance(3600)
    expect(seen.length).toBe(before)
    if (width !== null) expect(seen.at(-1)?.text).toBe('')
    asked.ended({ facts: {}, error: null })
    clock.advance(1)
    expect(seen.length - before).toBe(width === null ? 0 : 5)
  }
})

it('with --verbose the plan, the size of prompts, commands and the time of each step are said', () => {
  const { progress, clock, lines } = watchRun({ width: 80, logLevel: 'debug' })
  const { observer, watch } = progress
  const plan = { complexity: 'low', files: ['src/a.js'], steps: ['Write it', 'Test it'] } as const
  const planned = aState({ attempt: anAttempt({ plan }), spent: { seconds: 14 } })
  observer.started?.('plan_task', aState({ attempt: anAttempt(), spent: { seconds: 1.5 } }))
  const asked = watch(modelCall)
  clock.advance(12)
  const facts = { 'gen_ai.usage.output_tokens': 1234, 'executor.dollars': 0.0123 }
  asked.ended({ facts, error: null })
  observer.finished?.('plan_task', 'planned', planned)
  const tested = watch(commandCall('npm test'))
  clock.advance(3)
  tested.ended({ facts: { 'process.exit.code': 1, 'executor.sandbox': 'unshare' }, error: null })
  const pushed = watch({ kind: 'git', name: 'git publish', facts: {}, shown: { line: '' } })
  pushed.ended({ facts: { 'executor.status': 'published' }, error: null })
  expect(lines().map((line) => line.trim())).toEqual([
    'resuming run-1 …',
    'T-1 Add a greeting',
    'prompt: 2 messages, about 3,000 tokens; the answer may have 8,000',
    'answer: 1,234 tokens, $0.0123, 12 s',
    'plan: low complexity, in src/a.js',
    '1. Write it',
    '2. Test it',
    'plan_task: planned, 13 s',
    '$ sh -c npm test',
    'npm test: exit code 1, 3.0 s, in unshare',
    'git publish: published, 0.0 s',
  ])
})

describe('tasks side by side', () => {
  const stateOf = (id: string) => aState({ attempt: anAttempt({ task: aTask({ id }) }) })

  async function playTwo({ progress, clock }: Watched): Promise<void> {
    const { observer, watch } = progress
    observer.started?.('parse_roadmap', aState())
    observer.finished?.('parse_roadmap', 'parsed', aState())
    const calls = await Promise.all(
      ['T-1', 'T-2'].map((id, index) =>
        inLane(index + 1, async () => {
          observer.started?.('execute_task', stateOf(id))
          await Promise.resolve()
          return watch(id === 'T-1' ? modelCall : commandCall('npm test'))
        }),
      ),
    )
    clock.advance(30)
    for (const [index, call] of calls.entries()) {
      await inLane(index + 1, async () => {
        call.ended(done)
        observer.finished?.('execute_task', 'claims_done', stateOf(`T-${index + 1}`))
      })
    }
    progress.close()
  }

  it('have a line each on a terminal', async () => {
    const watched = watchRun({ width: 80 })
    await playTwo(watched)
    const last = watched.frames().findLast((frame) => frame !== '')
    expect(last?.split('\n')).toEqual([
      expect.stringContaining('T-1 asking gpt-5 for the change: 30 s'),
      expect.stringContaining('T-2 preparing the request (npm test): 30 s'),
    ])
  })

  it('name themselves in the lines of a log', async () => {
    const watched = watchRun({ width: null, logLevel: 'debug' })
    await playTwo(watched)
    const lines = watched.lines()
    expect(lines).toContain('  T-1 asking gpt-5 for the change …')
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}T-2 \$ sh -c npm test$/))
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}T-1 answer: /))
    expect(lines.filter((line) => signOfLife.test(line))).toHaveLength(2)
  })
})
