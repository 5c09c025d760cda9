import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFileMemory, memoryText } from '../../src/adapters/file-store/memory-file.ts'
import { fixId } from '../../src/core/learn-fix.ts'

const about = { signature: 's', type: 'network', strategy: 'back_off' } as const
const outcome = { ...about, fix: 'wait', worked: true }
const at = '2026-01-01T00:00:00.000Z'
const fix = { ...about, fix: 'wait', worked: 1, failed: 0, failedInARow: 0, at }

function makePlace() {
  const directory = mkdtempSync(join(tmpdir(), 'memory-'))
  const said: string[] = []
  return {
    directory,
    file: join(directory, 'memory.json'),
    said,
    open: (now = at) =>
      createFileMemory({
        directory,
        clock: { now: () => now },
        notice: (sentence) => said.push(sentence),
      }),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

describe('the file of fixes that worked', () => {
  it('is there for the next process, in the order of their use, and forgets when told', async () => {
    using place = makePlace()
    const memory = place.open()
    await Promise.all([memory.learn(outcome), memory.learn({ ...outcome, signature: 't' })])
    await place.open('2026-01-02T00:00:00.000Z').learn(outcome)
    const next = place.open('2026-02-01T00:00:00.000Z')
    expect(await next.recall('s')).toMatchObject({ fix: 'wait', worked: 2 })
    expect((await next.all()).map(({ signature }) => signature)).toEqual(['s', 't'])
    expect(await place.open('2026-05-01T00:00:00.000Z').all()).toEqual([])
    const theirs = [
      { ...fix, failedInARow: 2, at: '2026-01-03T00:00:00.000Z' },
      { ...fix, signature: 'u' },
    ]
    expect((await next.join({ fixes: theirs, forgotten: [] })).fixes).toHaveLength(3)
    expect((await next.all()).map(({ signature }) => signature)).toEqual(['t', 'u'])
    expect(await next.recall('s')).toBeNull()
    const ids = (await next.all()).map(fixId)
    expect(await next.forget(ids)).toHaveLength(2)
    expect(await next.all()).toEqual([])
    expect(await next.forgotten()).toEqual(ids.toSorted())
    // The repository still has them.
    await next.join({ fixes: theirs, forgotten: [] })
    expect(await next.all()).toEqual([])
  })

  const ours = (changed: object) => JSON.stringify({ version: 1, fixes: [{ ...fix, ...changed }] })
  it.each([
    ['cut off', ours({}).slice(0, -9)],
    ['another program’s', '{"version":1,"memories":["x"]}'],
    ['of a later version', '{"version":2,"fixes":[]}'],
    ['an endless fix', ours({ fix: 'x'.repeat(100_000) })],
    ['a count that is none', ours({ worked: -1 })],
    ['a time that is none', ours({ at: 'tomorrow' })],
    ['a strategy that is none', ours({ strategy: 'rm -rf' })],
    ['huge', `${ours({})}${' '.repeat(1_000_001)}`],
    ['deep', '['.repeat(50_000)],
    ['empty', ''],
  ])(
    'counts for nothing when it is %s, and is not lost when the next is written',
    async (_, text) => {
      using place = makePlace()
      writeFileSync(place.file, text)
      expect(await place.open().all()).toEqual([])
      expect(place.said).toHaveLength(text === '' ? 0 : 1)
      await place.open().learn(outcome)
      expect(await place.open().all()).toEqual([fix])
      const aside = join(place.directory, 'memory.foreign.json')
      expect(existsSync(aside) ? readFileSync(aside, 'utf8') : '').toBe(text)
    },
  )

  it.each([
    ['a direction mark', 'npm\u202e test'],
    ['an invisible word', 'npm test\u{e0041}\u{e0042}'],
    ['a second line', 'npm test\nobey'],
    ['a code of the terminal', 'npm test\u001b[2J'],
  ])('leaves out a fix with %s', async (_, text) => {
    using place = makePlace()
    const hostile = { ...fix, signature: 'h', fix: text }
    writeFileSync(place.file, memoryText({ fixes: [hostile, fix], forgotten: [] }))
    expect(await place.open().all()).toEqual([fix])
    expect(place.said).toEqual([expect.stringContaining('invisible characters')])
  })

  it('takes a fix that is learned again after it was forgotten, and a correction', async () => {
    using place = makePlace()
    const [first, later] = [place.open(), place.open('2026-01-02T00:00:00.000Z')]
    await first.learn(outcome)
    await first.forget([fixId(outcome), '0123abcd'])
    expect(await first.recall('s')).toBeNull()
    await later.learn(outcome)
    expect(await later.recall('s')).toMatchObject({ fix: 'wait' })
    await later.correct({ ...fix }, 'wait longer')
    expect((await later.all()).map((each) => each.fix)).toEqual(['wait longer'])
    await expect(later.correct({ ...fix }, 'x'.repeat(401))).rejects.toThrow()
  })

  it('is not read, and not written, through a link', async () => {
    using place = makePlace()
    using other = makePlace()
    writeFileSync(other.file, ours({ fix: 'evil' }))
    symlinkSync(other.file, place.file)
    expect(await place.open().recall('s')).toBeNull()
    await place.open().learn(outcome)
    expect(readFileSync(other.file, 'utf8')).toBe(ours({ fix: 'evil' }))
    expect(await place.open().all()).toEqual([fix])
  })
})
