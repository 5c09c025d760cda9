/**
 * A history of 500 tasks, worked with `strategy: auto` by the outcome rates of the table of strategies. Each attempt
 * becomes a line of a journal, the history is opened as a run opens it, and the rule reads it before the next task.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openHistory } from '../../src/adapters/sqlite-history.ts'
import type { JournalEntry } from '../../src/core/domain/journal-event.ts'
import type { TaskShape, TaskWay } from '../../src/core/domain/route.ts'
import { chooseWay } from '../../src/core/history/choose-way.ts'
import { sampleResult } from '../../test/contracts/run-state.ts'
import type { Row } from '../row.ts'
import { createRandom } from '../statistics.ts'
import type { Kind } from '../strategies/task.ts'
import type { Workshop } from '../workshop.ts'

const tasks = 500
const seed = 1
const quarter = tasks / 4
const model = 'middling'

type Rates = Readonly<
  Record<Kind, { readonly shape: TaskShape } & Readonly<Record<TaskWay, number>>>
>

/** What such tasks name, and how many of them each way solves: docs/performance.md, Strategies. */
const measured: Rates = {
  'one file': { shape: 'one_file', single: 4 / 8, two_phase: 4 / 8, tools: 6 / 8 },
  'many files': { shape: 'few_files', single: 3 / 7, two_phase: 3 / 7, tools: 6 / 7 },
  'file not named': { shape: 'no_file', single: 0, two_phase: 3 / 8, tools: 7 / 8 },
  'needs a test run': { shape: 'few_words', single: 2 / 8, two_phase: 2 / 8, tools: 5 / 8 },
  'misleading name': { shape: 'one_file', single: 1 / 8, two_phase: 2 / 8, tools: 7 / 8 },
  'too big': { shape: 'few_words', single: 3 / 8, two_phase: 3 / 8, tools: 6 / 8 },
}

/** Where a first try of a task that says little seldom serves: one in eight. */
const seldom = { single: 1 / 8, two_phase: 1 / 8 }
const worse: Rates = {
  ...measured,
  'needs a test run': { ...measured['needs a test run'], ...seldom },
  'too big': { ...measured['too big'], ...seldom },
}

const sets: readonly (readonly [name: string, rates: Rates])[] = [
  ['rates of the table', measured],
  ['first tries that seldom serve', worse],
]

const tokensOf: Readonly<Record<TaskWay, number>> = {
  single: 7_523,
  two_phase: 7_751,
  tools: 37_619,
}

interface Worked {
  readonly isSolved: boolean
  /** The first way failed where another one served. */
  readonly isMisrouted: boolean
  readonly tokens: number
}

export async function measureRouting({ directory }: Workshop): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const [name, rates] of sets) rows.push(...(await workAll(name, rates, directory)))
  return rows
}

async function workAll(name: string, rates: Rates, directory: string): Promise<readonly Row[]> {
  const home = await mkdtemp(join(directory, 'routing-'))
  await mkdir(join(home, 'journal'))
  const random = createRandom(seed)
  const kinds = Object.values(rates)
  const learned: Worked[] = []
  const ruled: Worked[] = []
  const looped: Worked[] = []
  for (let at = 0; at < tasks; at += 1) {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? kinds[0]
    if (kind === undefined) throw new Error('There are no kinds.')
    // The same luck for both: what is compared is the order of the ways.
    const luck = { single: random(), two_phase: random(), tools: random() }
    const history = await openHistory({ directory: home, oldest: null })
    const record = history.shapes(model)
    history.close()
    const size = { shape: kind.shape, complexity: 'low' } as const
    const work = (first: TaskWay): Worked => {
      const ways: readonly TaskWay[] = first === 'tools' ? [first] : [first, 'tools']
      const isServed = ways.map((way) => luck[way] < kind[way])
      const used = isServed[0] === true ? 1 : ways.length
      const tokens = ways.slice(0, used).reduce((sum, way) => sum + tokensOf[way], 0)
      const isSolved = isServed.includes(true)
      return { isSolved, isMisrouted: isSolved && isServed[0] === false, tokens }
    }
    const { way } = chooseWay(size, false, record)
    const worked = work(way)
    learned.push(worked)
    ruled.push(work(chooseWay(size, false, { figures: [], misroutes: [] }).way))
    looped.push(work('tools'))
    await writeJournal(home, at, journalOf(at, way, kind.shape, worked))
  }
  return [
    ...rowsOf(`${name}, auto with its history`, learned),
    ...rowsOf(`${name}, auto by the rule alone`, ruled),
    ...rowsOf(`${name}, tools`, looped),
  ]
}

function rowsOf(how: string, all: readonly Worked[]): readonly Row[] {
  const rate = (some: readonly Worked[]) =>
    (100 * some.filter(({ isMisrouted }) => isMisrouted).length) / some.length
  const quarters = [0, 1, 2, 3].map((at) => rate(all.slice(at * quarter, (at + 1) * quarter)))
  const [first = 0, last = 0] = [quarters[0], quarters[3]]
  const tokens = all.reduce((sum, each) => sum + each.tokens, 0)
  const solved = all.filter(({ isSolved }) => isSolved).length
  const about = (figure: string) => `500 tasks, ${how}: ${figure}`
  return [
    { figure: about('misroutes of the first 125'), unit: '%', measured: first },
    { figure: about('misroutes of the last 125'), unit: '%', measured: last, samples: quarters },
    { figure: about('solved'), unit: '', measured: solved },
    { figure: about('tokens a task'), unit: 'tokens', measured: tokens / all.length },
  ]
}

/** What a run of this task leaves in its journal, as far as the history reads it. */
function journalOf(
  at: number,
  way: TaskWay,
  shape: TaskShape,
  { isSolved, isMisrouted }: Worked,
): readonly JournalEntry[] {
  const task = `T-${at}`
  const isSecond = way !== 'tools' && (isMisrouted || !isSolved)
  const attempt = (number: number, by: TaskWay): readonly JournalEntry[] => {
    const usage = { requests: 1, promptTokens: tokensOf[by], completionTokens: 0, dollars: 0 }
    const whose = { task, attempt: number, seconds: 1, usage }
    const node = by === 'tools' ? 'think' : by === 'two_phase' ? 'plan_task' : 'execute_task'
    const asked = { call: number, hash: '', text: '', exact: false, finish: 'stop' } as const
    return [
      { kind: 'stepped', node: 'pick_task', outcome: 'picked', ...whose, shape, complexity: 'low' },
      { kind: 'answered', purpose: by === 'tools' ? 'think' : 'draft', model, ...whose, ...asked },
      { kind: 'stepped', node, outcome: 'drafted', ...whose },
    ]
  }
  const reason = 'It still fails.'
  const after = { attempt: 1, fingerprint: task, reason }
  const rerouted: JournalEntry = {
    ...{ kind: 'routed', task, attempt: 2, way: 'tools', reason: `${way} failed`, after },
  }
  const result = sampleResult(task, {
    ...{ fingerprint: task, attempts: isSecond ? 2 : 1, repairs: 0 },
    verdict: isSolved ? 'in_review' : 'failed',
  })
  return [
    ...attempt(1, way),
    ...(isSecond ? [rerouted, ...attempt(2, 'tools')] : []),
    { kind: 'filed', result },
  ]
}

async function writeJournal(
  home: string,
  at: number,
  entries: readonly JournalEntry[],
): Promise<void> {
  const run = `run-${String(at).padStart(4, '0')}`
  // A second after the other, so that what came later is known.
  const lines = entries.map((entry, seq) => {
    const time = new Date(Date.UTC(2026, 0, 1) + (at * 100 + seq) * 1000).toISOString()
    return `${JSON.stringify({ seq, at: time, run, ...entry })}\n`
  })
  await writeFile(join(home, 'journal', `${run}.jsonl`), lines.join(''))
}
