import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFileStore, type FileStore } from '../../src/adapters/file-store.ts'
import { changeState } from '../../src/core/domain/change-state.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import { sampleResult, sampleState } from '../contracts/run-state.ts'
import { testStoreContract } from '../contracts/store.ts'
import { numbered } from './numbered-state.ts'

testStoreContract('the store in files', async (test) => {
  using place = makePlace()
  const { directory } = place
  await test({
    store: createFileStore({ directory }),
    reopen: () => createFileStore({ directory }),
    report: async (name) => readFileSync(join(directory, name), 'utf8'),
  })
})

const first = sampleState()
const second = sampleState({
  progress: { next: 'write_files' },
  tasks: { results: { ...first.tasks.results, 'T-2': sampleResult('T-2') } },
})

describe('a damaged state', () => {
  it('restores the one before it, wherever it was cut, and says so', async () => {
    using place = makePlace()
    await saveAll(place, first, second)
    const whole = readFileSync(place.file('state.json'))
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
        writeFileSync(place.file('state.json'), whole.subarray(0, length))
        const loaded = await place.open().load()
        expect(loaded).toEqual({
          status: 'loaded',
          state: first,
          restored: expect.stringMatching(/^state\.json: .*kept as state\.json\.corrupt-\d+/),
        })
      }),
      { numRuns: 60 },
    )
  })

  it('is corrupt when there is none before it, and the file is kept', async () => {
    using place = makePlace()
    await saveAll(place, first)
    truncateSync(place.file('state.json'), 100)
    const cut = readFileSync(place.file('state.json'))
    expect(await place.open().load()).toMatchObject({
      status: 'corrupt',
      detail: expect.stringContaining('state.json.corrupt-1'),
    })
    expect(readFileSync(place.file('state.json.corrupt-1'))).toEqual(cut)
  })

  it('is never taken for a good one when any one value has the wrong type', async () => {
    using place = makePlace()
    await saveAll(place, first)
    const text = readFileSync(place.file('state.json'), 'utf8')
    const paths = pathsOf(JSON.parse(text))
    expect(paths.length).toBeGreaterThan(150)
    for (const path of paths) {
      writeFileSync(place.file('state.json'), JSON.stringify(replaced(JSON.parse(text), path)))
      const { status } = await place.open().load()
      expect([path.join('.'), status]).toEqual([path.join('.'), 'corrupt'])
    }
  })

  it.each([
    '',
    'null',
    '[]',
    '"x"',
    '{}',
    '{"version":2}',
    '{"version":3}',
    '\0',
    '{"__proto__":{"version":1}}',
  ])('is corrupt: %j', async (text) => {
    using place = makePlace()
    mkdirSync(place.directory)
    writeFileSync(place.file('state.json'), text)
    expect((await place.open().load()).status).toBe('corrupt')
  })

  it.each(['javascript:alert(1)', 'https://a.test/"onclick="x', 'https://a.test/)<b>', ' data:x'])(
    'is corrupt where a link is %j',
    async (url) => {
      using place = makePlace()
      await saveAll(place, first)
      const text = readFileSync(place.file('state.json'), 'utf8')
      const questions = { 'T-1': [{ number: 1, url, head: 'agent/T-1' }] }
      const { tasks, ...state } = JSON.parse(text)
      const withQuestions = { ...state, tasks: { ...tasks, questions } }
      writeFileSync(place.file('state.json'), JSON.stringify(withQuestions))
      expect((await place.open().load()).status).toBe('corrupt')
    },
  )

  it('loses no result in silence when the log of results was cut', async () => {
    using place = makePlace()
    await saveAll(place, first, second)
    const log = readFileSync(place.file('results.jsonl'))
    const state = readFileSync(place.file('state.json'))
    const end = log.indexOf('\n') + 1
    for (let length = 0; length < log.length; length += 7) {
      writeFileSync(place.file('results.jsonl'), log.subarray(0, length))
      writeFileSync(place.file('state.json'), state)
      const loaded = await place.open().load()
      const restored = expect.stringContaining('truncated')
      if (length < end) expect(loaded.status).toBe('corrupt')
      else expect(loaded).toEqual({ status: 'loaded', state: first, restored })
    }
  })
})

describe('a kill', () => {
  it('in the middle of a line of results leaves nothing that counts', async () => {
    using place = makePlace()
    await saveAll(place, first)
    appendFileSync(place.file('results.jsonl'), '{"id":"T-9","result":{"verdict":"done"')
    const store = place.open()
    expect(await store.load()).toEqual({ status: 'loaded', state: first })
    await store.save(second)
    expect(await place.open().load()).toEqual({ status: 'loaded', state: second })
  })

  it('leaves the state of the last save that ended, or of the next one', async () => {
    using place = makePlace()
    let at = -1
    for (const saves of [1, 2, 3, 5, 8, 13]) {
      at += await saveUntilKilled(place.directory, at + 1, saves)
      const loaded = await place.open().load()
      if (loaded.status !== 'loaded') throw new Error(JSON.stringify(loaded))
      const reached = loaded.state.spent.calls
      expect([at, at + 1]).toContain(reached)
      expect(loaded).toEqual({ status: 'loaded', state: numbered(reached) })
      at = reached
    }
  })

  it('leaves a lock that the next run takes over', async () => {
    using place = makePlace()
    await saveUntilKilled(place.directory, 0, 1)
    expect(existsSync(place.file('lock'))).toBe(true)
    const lock = await place.open().acquireLock()
    await lock.release()
    expect(existsSync(place.file('lock'))).toBe(false)
  })
})

describe('a save', () => {
  it('costs what changed, not what was done before', async () => {
    using place = makePlace()
    const store = place.open()
    const sizes: number[] = []
    let results: RunState['tasks']['results'] = {}
    for (let task = 1; task <= 60; task++) {
      results = { ...results, [`T-${task}`]: sampleResult(`T-${task + 100}`) }
      await store.save(changeState(first, { tasks: { results } }))
      sizes.push(statSync(place.file('state.json')).size)
    }
    const lines = readFileSync(place.file('results.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(60)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(8)
  })

  it('leaves the old state when the disk takes no more, and goes on when it does', async () => {
    using place = makePlace()
    const large = changeState(second, { progress: { limits: ['x'.repeat(200_000)] } })
    await saveAll(place, first)
    writeFileSync(place.file('large.json'), JSON.stringify(large))
    const script = join(import.meta.dirname, 'save-once.ts')
    const args = [script, place.directory, place.file('large.json')]
    const limited = ['-c', 'ulimit -f 100; exec "$0" "$@"', process.execPath, ...args]
    expect(execFileSync('sh', limited, { encoding: 'utf8' })).toBe('state_unwritable')
    expect(await place.open().load()).toEqual({ status: 'loaded', state: first })
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('saved')
    expect(await place.open().load()).toEqual({ status: 'loaded', state: large })
    expect(place.names()).toEqual([
      'large.json',
      'results.jsonl',
      'state.json',
      'state.previous.json',
    ])
  })

  it.each<[string, (place: Place) => void]>([
    ['the directory cannot be made', ({ directory }) => writeFileSync(directory, '')],
    ['the directory is a symlink', ({ directory }) => symlinkSync(tmpdir(), directory)],
    [
      'the log of results is a symlink',
      ({ directory, file }) => {
        mkdirSync(directory)
        symlinkSync(join(directory, '../outside'), file('results.jsonl'))
      },
    ],
  ])('is refused where %s', async (_, prepare) => {
    using place = makePlace()
    prepare(place)
    const saved = place.open().save(first)
    await expect(saved).rejects.toMatchObject({ code: 'state_unwritable', exitCode: 4 })
    expect(existsSync(join(place.directory, '../outside'))).toBe(false)
  })
})

describe('a report', () => {
  it.each([
    ...['', '../x.md', 'a/b.md', 'attempts/../x.md', 'attempts/a/b.md', '/x', '.hidden'],
    ...['state.json', 'results.jsonl', 'lock', 'spending'],
  ])('is never called %j', async (name) => {
    using place = makePlace()
    await expect(async () => place.open().writeReport(name, 'x')).rejects.toThrow('report')
  })
})

describe('the lock', () => {
  const owner = { pid: process.pid, host: hostname(), started: null, since: 'now' }
  const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid
  const old = (place: Place): void => utimesSync(place.file('lock'), 1, 1)

  it.each<[string, 'refused' | 'taken over', () => unknown, (place: Place) => void]>([
    ['of a living process', 'refused', () => owner, old],
    ['of a dead process', 'taken over', () => ({ ...owner, pid: deadPid() }), () => {}],
    ['of an earlier process of this number', 'taken over', () => ({ ...owner, started: '1' }), old],
    ['of another machine, fresh', 'refused', () => ({ ...owner, host: 'other' }), () => {}],
    ['of another machine, silent', 'taken over', () => ({ ...owner, host: 'other' }), old],
    ['of nobody, fresh', 'refused', () => 'garbage', () => {}],
    ['of nobody, old', 'taken over', () => 'garbage', old],
  ])('%s is %s', async (_, expected, content, prepare) => {
    using place = makePlace()
    mkdirSync(place.directory)
    writeFileSync(place.file('lock'), JSON.stringify(content()))
    prepare(place)
    const lock = place.open().acquireLock()
    if (expected === 'taken over') await (await lock).release()
    else await expect(lock).rejects.toMatchObject({ code: 'another_run', exitCode: 4 })
    expect(place.names()).toEqual(expected === 'refused' ? ['lock'] : [])
  })

  it.runIf(process.platform === 'linux')(
    'of a killed process whose parent never asked for its end is taken over',
    async () => {
      using place = makePlace()
      const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'])
      onTestFinished(() => void parent.kill('SIGKILL'))
      const [said] = await once(parent.stdout, 'data')
      const pid = Number(`${said}`)
      const stateOf = (id: number | undefined) => readFileSync(`/proc/${id}/stat`, 'utf8')
      // A shell asks for the end of its children, `sleep` does not.
      await vi.waitFor(() => expect(stateOf(parent.pid)).toContain('(sleep)'))
      process.kill(pid, 'SIGKILL')
      await vi.waitFor(() => expect(stateOf(pid)).toMatch(/\) Z /))
      mkdirSync(place.directory)
      writeFileSync(place.file('lock'), JSON.stringify({ ...owner, pid }))
      await (await place.open().acquireLock()).release()
    },
  )

  it('is taken over by one of many', async () => {
    using place = makePlace()
    mkdirSync(place.directory)
    writeFileSync(place.file('lock'), JSON.stringify({ ...owner, pid: deadPid() }))
    const all = Array.from({ length: 12 }, () => place.open().acquireLock())
    const settled = await Promise.allSettled(all)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(place.names()).toEqual(['lock'])
  })

  it("does not take away another's lock when released late", async () => {
    using place = makePlace()
    const lock = await place.open().acquireLock()
    writeFileSync(place.file('lock'), JSON.stringify({ ...owner, since: 'later' }))
    await lock.release()
    expect(place.names()).toEqual(['lock'])
  })
})

interface Place extends Disposable {
  readonly directory: string
  file(name: string): string
  names(): string[]
  open(): FileStore
}

function makePlace(): Place {
  const root = mkdtempSync(join(tmpdir(), 'file-store-'))
  const directory = join(root, '.executor')
  return {
    directory,
    file: (name) => join(directory, name),
    names: () => readdirSync(directory).sort(),
    open: () => createFileStore({ directory }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

async function saveAll(place: Place, ...states: readonly RunState[]): Promise<void> {
  const store = place.open()
  for (const state of states) await store.save(state)
}

/** Kills a process that saves without pause, after so many saves; answers how many had ended. */
async function saveUntilKilled(directory: string, from: number, saves: number): Promise<number> {
  const script = join(import.meta.dirname, 'save-for-ever.ts')
  const child = spawn(process.execPath, [script, directory, `${from}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let ended = 0
  for await (const bytes of child.stdout) {
    ended += String(bytes).length
    if (ended >= saves) child.kill('SIGKILL')
  }
  return ended
}

type Path = readonly (string | number)[]

/** Every value inside, but not what is inside a `null`. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))
}

/** The same with one value replaced by something that is of no type any field has. */
function replaced(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return [[false]]
  const copy: unknown = structuredClone(value)
  Reflect.set(Object(copy), key, replaced(Reflect.get(Object(copy), key), rest))
  return copy
}
