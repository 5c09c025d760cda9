import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFileStore } from '../../src/adapters/file-store.ts'
import { sampleState } from '../contracts/run-state.ts'

const day = '2026-01-31'
const call = { at: `${day}T10:00:00.000Z`, tokens: 100, dollars: 0.5 }
const nothing = { tokens: 0, dollars: 0 }

describe('the record of what a day has cost', () => {
  it('survives being cut anywhere: whole lines count, the rest is said, and it goes on', async () => {
    using place = makePlace()
    const { store, file } = place
    for (let n = 0; n < 3; n++) await store.recordSpending(call)
    const whole = readFileSync(file)
    const line = whole.length / 3
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (length) => {
        writeFileSync(file, whole)
        truncateSync(file, length)
        const lines = Math.floor(length / line)
        const torn = length % line > 1
        const cut = await store.spendingOn(day)
        expect(cut.tokens).toBe(lines * 100)
        expect(cut.unreadable === null).toBe(!torn)
        await store.recordSpending(call)
        expect(await store.spendingOn(day)).toMatchObject({ tokens: (lines + 1) * 100 })
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['no JSON', 'hello'],
    ['of another shape', '[1]'],
    ['null', 'null'],
    ['a negative sum, which would give money back', '{"at":"","tokens":-1e9,"dollars":-1}'],
    ['no number', '{"at":"","tokens":"9","dollars":0}'],
    ['more than a number holds', '{"at":"","tokens":1e999,"dollars":0}'],
    ['a prototype', '{"__proto__":{"at":"","tokens":1,"dollars":1}}'],
    ['binary', '\0\u0001\uFFFD'],
    ['deep', '['.repeat(50_000)],
  ])('leaves out a line that is %s, and says so', async (_, line) => {
    using place = makePlace()
    await place.store.recordSpending(call)
    appendFileSync(place.file, `\n${line}\n${line}`)
    expect(await place.store.spendingOn(day)).toEqual({
      tokens: 100,
      dollars: 0.5,
      unreadable: `.executor/spending/${day}.jsonl: 2 lines cannot be read`,
    })
  })

  it.each<[string, (file: string) => void]>([
    ['a folder', (file) => mkdirSync(file)],
    ['a symlink', (file) => symlinkSync('/etc/hostname', file)],
    ['endless', (file) => writeFileSync(file, Buffer.alloc(17_000_000))],
  ])('is unknown where it is %s', async (_, make) => {
    using place = makePlace()
    mkdirSync(join(place.directory, 'spending'), { recursive: true })
    make(place.file)
    const unreadable = expect.stringContaining(`.executor/spending/${day}.jsonl: `)
    expect(await place.store.spendingOn(day)).toEqual({ ...nothing, unreadable })
  })

  it('is written nowhere else by a symlink', async () => {
    using place = makePlace()
    mkdirSync(place.directory)
    symlinkSync(tmpdir(), join(place.directory, 'spending'))
    await expect(place.store.recordSpending(call)).rejects.toMatchObject({
      code: 'state_unwritable',
    })
  })

  it('takes nothing but a day for a name', async () => {
    using place = makePlace()
    await expect(place.store.spendingOn('../../x')).rejects.toThrow('not a day')
  })
})

describe('past tasks', () => {
  it('are those of the whole lines, whatever else is in the log', async () => {
    using place = makePlace()
    await place.store.save(sampleState())
    const log = join(place.directory, 'results.jsonl')
    appendFileSync(log, 'null\n{"id":"T-9"\n\0\n{"id":7,"result":null}\n')
    expect(await place.store.pastTasks()).toEqual([{ tokens: 720, forecastTokens: 640 }])
  })

  it('are none where the log is a folder', async () => {
    using place = makePlace()
    mkdirSync(join(place.directory, 'results.jsonl'), { recursive: true })
    expect(await place.store.pastTasks()).toEqual([])
  })
})

function makePlace() {
  const root = mkdtempSync(join(tmpdir(), 'spending-'))
  const directory = join(root, '.executor')
  return {
    directory,
    file: join(directory, 'spending', `${day}.jsonl`),
    store: createFileStore({ directory }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}
