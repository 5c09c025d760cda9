import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { type History, openHistory } from '../../src/adapters/sqlite-history.ts'
import type { JournalEntry } from '../../src/core/domain/journal-event.ts'
import { noRecord } from '../../src/core/ports/routes.ts'
import { attemptOf, eventsOf, linesOf, putJournal, type Told } from '../core/history/journal-of.ts'

const all = { since: null }
const latest = { ...all, task: null, limit: 100 }

function makePlace() {
  const directory = mkdtempSync(join(tmpdir(), 'executor-history-'))
  return {
    directory,
    path: join(directory, 'history.db'),
    open: (options = {}) => openHistory({ directory, oldest: null }, options),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** What it has to say about everything: two indexes with the same answers are the same. */
function everything(history: History) {
  const executions = history.executions(latest)
  return {
    executions,
    trails: executions.map((one) => history.trail(one)),
    figures: (['model', 'strategy', 'day'] as const).map((by) => history.figures(by, all)),
    routes: history.routes(all),
    errors: history.errors(all, 100),
    misroutes: history.misroutes(all),
  }
}

const several = (count: number, told: Told): readonly JournalEntry[] =>
  Array.from({ length: count }, (_, index) =>
    attemptOf({ ...told, task: `${told.task}-${index + 1}` }),
  ).flat()

function putSome(directory: string): void {
  putJournal(directory, 'r1', [
    ...attemptOf({
      task: 'T-1',
      fails: true,
      recovered: 'DECOMPOSE',
      result: { verdict: 'failed' },
    }),
    ...attemptOf({ task: 'T-2', strategy: 'two_phase', fails: true }),
  ])
  const later = '2026-01-03T00:00:00.000Z'
  putJournal(directory, 'r2', attemptOf({ task: 'T-1', model: 'large', seconds: 9 }), later)
}

async function read<T>(place: ReturnType<typeof makePlace>, ask: (history: History) => T) {
  const history = await place.open()
  try {
    return { answer: ask(history), unwritten: history.unwritten, taken: history.taken }
  } finally {
    history.close()
  }
}

describe('what the history answers', () => {
  it('has nothing before the first run, and makes no folder for it', async () => {
    using place = makePlace()
    const directory = join(place.directory, 'none')
    const history = await openHistory({ directory, oldest: null })
    expect(history).toMatchObject({ unwritten: null })
    expect(history.executions(latest)).toEqual([])
    history.close()
    expect(existsSync(directory)).toBe(false)
  })

  it('tells executions, newest first, with what happened in each', async () => {
    using place = makePlace()
    putSome(place.directory)
    const { answer } = await read(place, everything)
    expect(answer.executions).toMatchObject([
      { run: 'r2', task: 'T-1', model: 'large', strategy: 'single', verdict: 'in_review' },
      { run: 'r1', task: 'T-2', strategy: 'two_phase', tokens: 1000, seconds: 5 },
      { run: 'r1', task: 'T-1', verdict: 'failed', recovery: 'DECOMPOSE', files: 1 },
    ])
    expect(
      answer.trails[2]?.map(({ kind, name, outcome }) => `${kind} ${name} ${outcome}`),
    ).toEqual([
      'call draft stop',
      'step execute_task drafted',
      'error test_failure error',
      'remedy ask_again did not help',
      'recovery DECOMPOSE approved',
    ])
  })

  it('sums up by model, strategy and day, from a day on when asked', async () => {
    using place = makePlace()
    const ten = Array.from({ length: 10 }, (_, index) =>
      attemptOf({
        task: `T-${index}`,
        seconds: index + 1,
        tokens: 100,
        result: { verdict: index < 6 ? 'done' : index < 8 ? 'failed' : 'waiting' },
      }),
    ).flat()
    putJournal(place.directory, 'r1', ten)
    putJournal(place.directory, 'r2', attemptOf({ model: '' }), '2026-02-01T00:00:00.000Z')
    const { answer } = await read(place, (history) => ({
      models: history.figures('model', all),
      days: history.figures('day', { since: '2026-01-15' }),
    }))
    expect(answer.models).toMatchObject([
      {
        ...{ name: 'small', executions: 10, served: 6, failed: 2, successRate: 0.75 },
        ...{ tokens: 1000, secondsP50: 5, secondsP90: 9 },
      },
      { name: '', executions: 1 },
    ])
    expect(answer.days).toMatchObject([{ name: '2026-02-01', executions: 1 }])
  })

  it('groups errors by type, step and signature, with how often each remedy helped', async () => {
    using place = makePlace()
    const lost = several(2, { task: 'A', fails: true, result: { verdict: 'failed' } })
    putJournal(place.directory, 'r1', [...lost, ...several(3, { task: 'B', fails: true })])
    const { answer } = await read(place, (history) => history.errors(all, 10))
    const remedies = [{ strategy: 'ask_again', tried: 5, worked: 3 }]
    const what = { type: 'test_failure', node: 'verify_task', signature: 'expected <n>' }
    expect(answer).toEqual([{ ...what, times: 5, lastDay: '2026-01-02', remedies }])
  })
})

describe('misroutes', () => {
  const failed = { verdict: 'failed' } as const
  it.each<[string, readonly JournalEntry[], readonly JournalEntry[], object | null]>([
    [
      'single on tasks with many files',
      several(3, { task: 'A', files: 5, result: failed }),
      [],
      { kind: 'needed_a_plan', cases: 3, better: { model: 'small', strategy: 'two_phase' } },
    ],
    ['not with few', several(3, { task: 'A', files: 4, result: failed }), [], null],
    ['not when they served', several(3, { task: 'A', files: 9 }), [], null],
    [
      'single on a task that was split',
      several(1, { task: 'A', recovered: 'DECOMPOSE', result: { verdict: 'replaced' } }),
      [],
      { kind: 'needed_a_plan', cases: 1 },
    ],
    [
      'answers cut at their length',
      several(2, { task: 'A', finish: 'length', result: failed }),
      [],
      { kind: 'needed_a_plan', cases: 2 },
    ],
    [
      'two_phase on small tasks, for more than twice the tokens',
      several(10, { task: 'A', tokens: 100 }),
      several(2, { task: 'B', strategy: 'two_phase', tokens: 201 }),
      { kind: 'plan_not_needed', cases: 2, better: { model: 'small', strategy: 'single' } },
    ],
    [
      'not for just twice',
      several(10, { task: 'A', tokens: 100 }),
      several(2, { task: 'B', strategy: 'two_phase', tokens: 200 }),
      { kind: 'plan_not_needed', cases: 0 },
    ],
    [
      'not where nine are all there is to compare with',
      several(9, { task: 'A', tokens: 100 }),
      several(2, { task: 'B', strategy: 'two_phase', tokens: 900 }),
      null,
    ],
    [
      'a model that lost what another served later',
      attemptOf({ task: 'A', result: failed }),
      attemptOf({ task: 'A', model: 'large' }),
      {
        ...{ kind: 'other_route_served', cases: 1, better: { model: 'large', strategy: 'single' } },
        examples: [{ task: 'A', evidence: 'served in run r2' }],
      },
    ],
    [
      'not when the words of the task were others',
      attemptOf({ task: 'A', result: failed }),
      attemptOf({ task: 'A', model: 'large', result: { fingerprint: 'new words' } }),
      null,
    ],
    [
      'not when the same route served it later',
      attemptOf({ task: 'A', result: failed }),
      attemptOf({ task: 'A' }),
      null,
    ],
  ])('%s', async (_, first, second, expected) => {
    using place = makePlace()
    putJournal(place.directory, 'r1', first)
    putJournal(place.directory, 'r2', second, '2026-01-03T00:00:00.000Z')
    const { answer } = await read(place, (history) => history.misroutes(all))
    expect(answer).toMatchObject(expected === null ? [] : [expected])
  })
})

it.each([
  ['in order', ['r1', 'r2', 'r3', 'r4']],
  ['backwards', ['r4', 'r3', 'r2', 'r1']],
])(
  'a lost one is a case once, by the first route that served it: journals read %s',
  async (_, order) => {
    const told: Readonly<Record<string, Told>> = {
      r1: { task: 'A', result: { verdict: 'failed' } },
      r2: { task: 'A', model: 'large', result: { verdict: 'failed' } },
      r3: { task: 'A', model: 'larger' },
      r4: { task: 'A', model: 'largest' },
    }
    using place = makePlace()
    mkdirSync(join(place.directory, 'journal'))
    for (const run of order) {
      const at = `2026-01-0${run.slice(1)}T00:00:00.000Z`
      putJournal(place.directory, run, attemptOf(told[run]), at)
      ;(await place.open()).close()
    }
    const { answer } = await read(place, (history) => history.misroutes(all))
    const better = { model: 'larger', strategy: 'single' }
    expect(answer).toMatchObject([
      { route: { model: 'large' }, better, cases: 1 },
      { route: { model: 'small' }, better, cases: 1, examples: [{ evidence: 'served in run r3' }] },
    ])
    const later = await openHistory({ directory: place.directory, oldest: '2026-01-03T12:00:00Z' })
    expect(later.misroutes(all)).toEqual([])
    later.close()
  },
)

describe('the index follows the journals', () => {
  it('line by line and in any pieces, as if read at once', async () => {
    using place = makePlace()
    putSome(place.directory)
    const whole = await read(place, everything)
    const journal = join(place.directory, 'journal', 'r1.jsonl')
    const text = readFileSync(journal)
    using other = makePlace()
    mkdirSync(join(other.directory, 'journal'))
    putJournal(other.directory, 'r2', [])
    renameSync(
      join(place.directory, 'journal', 'r2.jsonl'),
      join(other.directory, 'journal', 'r2.jsonl'),
    )
    for (let at = 0; at < text.length; at += 157) {
      appendFileSync(join(other.directory, 'journal', 'r1.jsonl'), text.subarray(at, at + 157))
      ;(await other.open()).close()
    }
    expect((await read(other, everything)).answer).toEqual(whole.answer)
  })

  it('takes in what the repository kept of finished runs, and nothing twice', async () => {
    using place = makePlace()
    putSome(place.directory)
    const before = await read(place, everything)
    const run = eventsOf('r1', attemptOf({ task: 'T-2', fails: true }))
    mkdirSync(join(place.directory, 'history'))
    const segment = join(place.directory, 'history', '2026-01.jsonl')
    writeFileSync(segment, linesOf([...run, ...eventsOf('r0', attemptOf({ task: 'T-0' }))]))
    const after = await read(place, (history) => history.executions(latest))
    expect(after.answer.map(({ run, task }) => `${run} ${task}`).sort()).toEqual([
      ...['r0 T-0', 'r1 T-1', 'r1 T-2', 'r2 T-1'],
    ])
    expect(after.answer).toEqual(expect.arrayContaining([...before.answer.executions]))
  })

  it('reads a journal anew that was put in its place, and counts nothing twice', async () => {
    using place = makePlace()
    putSome(place.directory)
    const { answer } = await read(place, everything)
    const journal = join(place.directory, 'journal', 'r1.jsonl')
    const restored = readFileSync(journal, 'utf8').replaceAll('secret words', '')
    writeFileSync(`${journal}.new`, restored + linesOf(eventsOf('r1', [])))
    renameSync(`${journal}.new`, journal)
    expect((await read(place, everything)).answer).toEqual(answer)
  })

  it('keeps no answer of a model', async () => {
    using place = makePlace()
    putSome(place.directory)
    await read(place, everything)
    const names = readdirSync(place.directory).filter((name) => name.startsWith('history.db'))
    const bytes = names.map((name) => readFileSync(join(place.directory, name), 'latin1')).join('')
    expect(bytes).toContain('execute_task')
    expect(bytes).not.toContain('secret words')
  })

  it('drops runs that are older than is kept, and their sums', async () => {
    using place = makePlace()
    putSome(place.directory)
    const place2 = { directory: place.directory, oldest: '2026-01-02T12:00:00Z' }
    const history = await openHistory(place2)
    expect(history.executions(latest).map(({ run }) => run)).toEqual(['r2'])
    expect(history.figures('day', all)).toMatchObject([{ name: '2026-01-03', executions: 1 }])
    expect(history.errors(all, 10)).toEqual([])
    history.close()
    expect((await read(place, everything)).answer.executions).toHaveLength(1)
  })
})

describe('hostile journals', () => {
  it.each<[string, string | Buffer]>([
    ['a torn line', '{"seq":99,"at":"2026-01-0'],
    ['no JSON', 'hello\n\n{}\n[]\nnull\n'],
    ['an unknown kind', '{"seq":99,"at":"2026-01-02T03:04:05Z","run":"r1","kind":"exploded"}\n'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0, 10, 0xc3, 10])],
    ['a line of 17 MB', `${'x'.repeat(17_000_000)}\n`],
  ])('%s is left out, and what follows is read', async (_, strange) => {
    using place = makePlace()
    const journal = putJournal(place.directory, 'r1', attemptOf())
    appendFileSync(journal, strange)
    const more = eventsOf('r1', [...attemptOf(), ...attemptOf({ task: 'T-2' })]).slice(3)
    appendFileSync(journal, `\n${linesOf(more)}`)
    const { answer } = await read(place, (history) => history.executions(latest))
    expect(answer.map(({ task }) => task).sort()).toEqual(['T-1', 'T-2'])
  })

  it.each([
    "T'; DROP TABLE executions; --",
    'T"-1\n2\u2028\u0000',
    '%_*?',
    '💥'.repeat(400),
    '__proto__',
  ])('a task called %j', async (task) => {
    using place = makePlace()
    putJournal(place.directory, 'r1', attemptOf({ task }))
    const { answer } = await read(place, (history) => ({
      named: history.executions({ ...latest, task: task.slice(0, 500) }),
      all: history.executions(latest),
    }))
    expect(answer.named).toHaveLength(1)
    expect(answer.all[0]?.task).toBe(task.slice(0, 500))
  })

  it('a clock that goes back: the order is that of the journal', async () => {
    using place = makePlace()
    const times = ['2026-01-05', '2026-01-04', '2026-01-03', '1999-12-31', '2026-01-02']
    const events = eventsOf('r1', attemptOf({ fails: true })).map((event, index) => ({
      ...event,
      at: `${times[index]}T00:00:00.000Z`,
    }))
    mkdirSync(join(place.directory, 'journal'))
    writeFileSync(join(place.directory, 'journal', 'r1.jsonl'), linesOf(events))
    const { answer } = await read(place, everything)
    expect(answer.executions).toMatchObject([
      { startedAt: '2026-01-05T00:00:00.000Z', seconds: 4, verdict: 'in_review' },
    ])
    expect(answer.trails[0]?.map(({ kind }) => kind)).toEqual(['call', 'step', 'error', 'remedy'])
  })

  it('numbers beyond every sum', async () => {
    using place = makePlace()
    const huge = [1, 2, 3].flatMap((task) => attemptOf({ task: `T-${task}`, tokens: 1e300 }))
    putJournal(place.directory, 'r1', huge)
    const { answer } = await read(place, everything)
    expect(answer.figures[0]).toMatchObject([{ executions: 3, tokens: 3e300 }])
  })
})

describe('a damaged index', () => {
  it('is made anew, wherever it was cut and whatever was written over it', async () => {
    using place = makePlace()
    putSome(place.directory)
    const { answer } = await read(place, everything)
    const whole = readFileSync(place.path)
    const places = Array.from({ length: 24 }, (_, index) => (index * whole.length) / 24)
    for (const at of [0, 1, 15, 16, 99, 100, 4095, 4097, ...places.map(Math.floor)]) {
      writeFileSync(place.path, whole.subarray(0, at))
      expect((await read(place, everything)).answer, `cut at ${at}`).toEqual(answer)
      const torn = Buffer.from(whole)
      torn.fill(0xff, at, at + 512)
      writeFileSync(place.path, torn)
      const { answer: found } = await read(place, everything)
      expect(found.executions, `torn at ${at}`).toHaveLength(answer.executions.length)
    }
  })

  it.each<[string, (path: string) => void]>([
    ['no database', (path) => writeFileSync(path, 'hello'.repeat(5000))],
    [
      'a database of another make',
      (path) => {
        rmSync(path)
        const other = new DatabaseSync(path)
        other.exec(
          `CREATE TABLE executions (run TEXT); CREATE TRIGGER evil AFTER INSERT ON executions BEGIN DELETE FROM executions; END`,
        )
        other.close()
      },
    ],
    [
      'ours with one table more',
      (path) => {
        const other = new DatabaseSync(path)
        other.exec('CREATE TABLE more (x)')
        other.close()
      },
    ],
    ['a log without its database', (path) => renameSync(path, `${path}-wal`)],
  ])('%s is replaced', async (_, spoil) => {
    using place = makePlace()
    putSome(place.directory)
    const { answer } = await read(place, everything)
    spoil(place.path)
    const again = await read(place, everything)
    expect(again).toMatchObject({ answer, unwritten: null })
    const tables = new DatabaseSync(place.path, { readOnly: true })
    expect(tables.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(
      tables.prepare("SELECT 1 FROM sqlite_schema WHERE name IN ('more', 'evil')").all(),
    ).toEqual([])
    tables.close()
  })

  it('is made anew when asked', async () => {
    using place = makePlace()
    putSome(place.directory)
    const { answer } = await read(place, everything)
    rmSync(join(place.directory, 'journal', 'r2.jsonl'))
    const history = await place.open({ anew: true })
    expect(history.executions(latest)).toEqual(answer.executions.filter(({ run }) => run !== 'r2'))
    history.close()
  })
})

describe('where no index can be had, the answers are the same and it is said', () => {
  it.each<[string, (place: ReturnType<typeof makePlace>) => Disposable | undefined]>([
    [
      'another process has it for itself',
      ({ path }) => {
        const holder = new DatabaseSync(path)
        holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
        return { [Symbol.dispose]: () => holder.close() }
      },
    ],
    [
      'a folder is in its place',
      ({ path }) => {
        rmSync(path)
        mkdirSync(path)
        return undefined
      },
    ],
    [
      'a link is in its place',
      ({ path, directory }) => {
        const elsewhere = join(directory, 'elsewhere')
        renameSync(path, elsewhere)
        symlinkSync(elsewhere, path)
        return undefined
      },
    ],
    [
      'the folder cannot be written',
      ({ path, directory }) => {
        for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
        chmodSync(directory, 0o555)
        // Root may write anywhere but into what is no folder.
        if (process.getuid?.() === 0) mkdirSync(`${path}-wal`)
        return { [Symbol.dispose]: () => chmodSync(directory, 0o755) }
      },
    ],
  ])('%s', async (_, spoil) => {
    using place = makePlace()
    putSome(place.directory)
    const { answer } = await read(place, everything)
    using _undo = spoil(place) ?? { [Symbol.dispose]: () => {} }
    const again = await read(place, everything)
    expect(again.answer).toEqual(answer)
    expect(again.unwritten).toEqual(expect.stringMatching(/lock|not a file|open|file/))
    const elsewhere = join(place.directory, 'elsewhere')
    if (existsSync(elsewhere)) expect(statSync(elsewhere).isFile()).toBe(true)
  })
})

it('knows how each way served tasks of one shape, and what another completed', async () => {
  using place = makePlace()
  const put = (run: string, day: number, told: Told) =>
    putJournal(
      place.directory,
      run,
      attemptOf({ shape: 'one_file', ...told }),
      `2026-01-0${day}T00:00:00.000Z`,
    )
  put('r1', 1, { result: { verdict: 'failed' } })
  put('r2', 2, { strategy: 'tools', tokens: 500 })
  put('r3', 3, { task: 'T-2', model: 'other' })
  const history = await place.open()
  expect(history.record('small')).toMatchObject({
    figures: [
      { shape: 'one_file', way: 'single', served: 0, failed: 1, tokens: 1000 },
      { shape: 'one_file', way: 'tools', served: 1, failed: 0, tokens: 500 },
    ],
    misroutes: [{ shape: 'one_file', way: 'single', better: 'tools', cases: 1 }],
  })
  expect(history.record("small' OR 1=1 --")).toEqual(noRecord)
  history.close()
})

it('knows how first answers ended, by what their requests held', async () => {
  using place = makePlace()
  const told: readonly Told[] = [
    {},
    { fails: true, result: { verdict: 'failed' } },
    { fails: true, result: { repairs: 1 } },
    { refinement: 'no_lesson' },
    // None of these is a first answer to one request.
    { attempt: 2 },
    { strategy: 'tools' },
    { result: null },
    { result: { verdict: 'waiting' } },
    { model: 'other' },
  ]
  told.forEach((each, at) => {
    putJournal(
      place.directory,
      `r${at}`,
      attemptOf({ task: `T-${at}`, shape: 'one_file', ...each }),
    )
  })
  const history = await place.open()
  const usual = { shape: 'one_file', refinement: '', context: '' }
  expect(history.record('small').firstAnswers).toEqual([
    { ...usual, errorType: '', samples: 1, first: 1 },
    { ...usual, errorType: 'test_failure', samples: 2, first: 0 },
    { ...usual, refinement: 'no_lesson', errorType: '', samples: 1, first: 1 },
  ])
  history.close()
})
