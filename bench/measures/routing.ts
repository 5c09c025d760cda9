/**
 * A history of 500 tasks, drawn from those of the table of strategies with what each way made of them, and worked with
 * `strategy: auto`. Each attempt becomes a line of a journal, the history is opened as a run opens it, and the rule reads it before the next task.
 */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { openHistory } from '../../src/adapters/sqlite-history.ts'
import type { JournalEntry } from '../../src/core/domain/journal-event.ts'
import type { TaskShape, TaskWay } from '../../src/core/domain/route.ts'
import { chooseWay } from '../../src/core/history/choose-way.ts'
import { noRecord } from '../../src/core/ports/routes.ts'
import { sampleResult } from '../../test/contracts/run-state.ts'
import type { Row } from '../row.ts'
import { createRandom } from '../statistics.ts'
import recorded from '../strategies/outcomes.json' with { type: 'json' }
import { type Kind, kinds } from '../strategies/task.ts'
import type { Workshop } from '../workshop.ts'

const tasks = 500
const seed = 1
const quarter = tasks / 4
const model = 'middling'

const outcome = z.object({ isSolved: z.boolean(), tokens: z.number() })

/** What such tasks name. */
const shapes: Readonly<Record<Kind, TaskShape>> = {
  'one file': 'one_file',
  'many files': 'few_files',
  'file not named': 'no_file',
  'needs a test run': 'few_words',
  'misleading name': 'one_file',
  'too big': 'few_words',
}

/** Whether each way solved a task, and for how many tokens: docs/performance.md, Strategies. */
const outcomes = z
  .array(z.object({ kind: z.enum(kinds), single: outcome, two_phase: outcome, tools: outcome }))
  .parse(recorded)

type Outcomes = (typeof outcomes)[number]

interface Worked {
  readonly isSolved: boolean
  /** The first way failed where another one served. */
  readonly isMisrouted: boolean
  readonly tokens: number
}

export async function measureRouting({ directory }: Workshop): Promise<readonly Row[]> {
  const home = await mkdtemp(join(directory, 'routing-'))
  await mkdir(join(home, 'journal'))
  const random = createRandom(seed)
  const learned: Worked[] = []
  const ruled: Worked[] = []
  const looped: Worked[] = []
  for (let at = 0; at < tasks; at += 1) {
    const drawn = outcomes[Math.floor(random() * outcomes.length)]
    if (drawn === undefined) throw new Error('There are no outcomes.')
    const history = await openHistory({ directory: home, oldest: null })
    const record = history.record(model)
    history.close()
    const shape = shapes[drawn.kind]
    const size = { shape, complexity: 'low' } as const
    const { way } = chooseWay(size, false, record)
    const worked = work(drawn, way)
    learned.push(worked)
    ruled.push(work(drawn, chooseWay(size, false, noRecord).way))
    looped.push(work(drawn, 'tools'))
    await writeJournal(home, at, journalOf(at, way, shape, drawn, worked))
  }
  return [
    ...rowsOf('auto with its history', learned),
    ...rowsOf('auto by the rule alone', ruled),
    ...rowsOf('tools', looped),
  ]
}

/** Where the first way fails, the task is tried with tools. */
function work(drawn: Outcomes, first: TaskWay): Worked {
  const ways: readonly TaskWay[] =
    first === 'tools' || drawn[first].isSolved ? [first] : [first, 'tools']
  const isSolved = ways.some((way) => drawn[way].isSolved)
  const tokens = ways.reduce((sum, way) => sum + drawn[way].tokens, 0)
  return { isSolved, isMisrouted: isSolved && ways.length > 1, tokens }
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
  drawn: Outcomes,
  { isSolved, isMisrouted }: Worked,
): readonly JournalEntry[] {
  const task = `T-${at}`
  const isSecond = way !== 'tools' && (isMisrouted || !isSolved)
  const attempt = (number: number, by: TaskWay): readonly JournalEntry[] => {
    const usage = { requests: 1, promptTokens: drawn[by].tokens, completionTokens: 0, dollars: 0 }
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
