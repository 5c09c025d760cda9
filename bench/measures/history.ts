import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFileStore } from '../../src/adapters/file-store.ts'
import { openHistory } from '../../src/adapters/sqlite-history.ts'
import type { JournalEntry } from '../../src/core/domain/journal-event.ts'
import type { Verdict } from '../../src/core/domain/verdict.ts'
import { sampleResult } from '../../test/contracts/run-state.ts'
import type { Row } from '../row.ts'
import { createRandom, median, timed } from '../statistics.ts'
import type { Workshop } from '../workshop.ts'

const executions = 100_000
const tasksOfRun = 20
const days = 90
const opens = 9
const all = { since: null }

/** Making the index anew, bringing it up to date, and asking it after 100,000 executions. */
export async function measureHistory(
  { directory }: Workshop,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  const home = await mkdtemp(join(directory, 'history-'))
  progress(`journals of ${executions.toLocaleString('en')} executions`)
  const lines = await writeJournals(home)
  const place = { directory: home, oldest: null }
  progress(`an index of ${lines.toLocaleString('en')} lines`)
  const started = performance.now()
  const history = await openHistory(place)
  const perLine = (performance.now() - started) / lines
  const found = history.figures('day', all).reduce((sum, day) => sum + day.executions, 0)
  if (found !== executions) throw new Error(`${found} executions were found`)
  const questions: Readonly<Record<string, () => unknown>> = {
    'by model': () => history.figures('model', all),
    'by strategy': () => history.figures('strategy', all),
    'by day': () => history.figures('day', all),
    'by route': () => history.routes(all),
    'errors and remedies': () => history.errors(all, 20),
    misroutes: () => history.misroutes(all),
    'the last 20': () => history.executions({ ...all, task: null, limit: 20 }),
  }
  const rows: Row[] = []
  for (const [name, question] of Object.entries(questions)) {
    const samples = await timed(9, question)
    const figure = `history of 100,000 executions: ${name}`
    rows.push({ figure, unit: 'ms', measured: median(samples), limit: 50, samples })
  }
  history.close()
  return [
    await openRow(home),
    { figure: 'history rebuilt from 100,000 journal lines', unit: 's', measured: perLine * 100 },
    ...rows,
  ]
}

/** What a question waits for when a task was added to the 100,000 before it. */
async function openRow(home: string): Promise<Row> {
  const store = createFileStore({ directory: home })
  const random = createRandom(2)
  const samples: number[] = []
  for (let task = 1; task <= opens; task += 1) {
    await store.record('r-now', [...executionOf(`N-${task}`, random)])
    const open = async () => (await openHistory({ directory: home, oldest: null })).close()
    samples.push(...(await timed(1, open)))
  }
  const figure = 'history: opened after one more task'
  return { figure, unit: 'ms', measured: median(samples), samples }
}

/** Answers how many lines there are. */
async function writeJournals(home: string): Promise<number> {
  const random = createRandom(1)
  await mkdir(join(home, 'journal'))
  let lines = 0
  for (let from = 0; from < executions; from += tasksOfRun) {
    const run = `r-${String(from).padStart(6, '0')}`
    const at = new Date(Date.UTC(2026, 0, 1) + (from / executions) * days * 86_400_000)
    const entries = Array.from({ length: tasksOfRun }, (_, index) => [
      ...executionOf(`T-${from + index}`, random),
    ]).flat()
    const events = entries.map((entry, seq) => ({ seq, at: at.toISOString(), run, ...entry }))
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    await writeFile(join(home, 'journal', `${run}.jsonl`), text)
    lines += events.length
  }
  return lines
}

/** An execution as short as one can be; one in five fails, and of those one in three was tried elsewhere. */
function* executionOf(id: string, random: () => number): Generator<JournalEntry> {
  const task = { task: id, attempt: 1 }
  const model = `model-${Math.floor(random() * 4)}`
  const planned = random() < 0.4
  const fails = random() < 0.2
  const seconds = 5 + random() * 60
  const usage = {
    requests: 1,
    promptTokens: 1000 + random() * 4000,
    completionTokens: 500,
    dollars: 0,
  }
  const files = Math.ceil(random() * 7)
  const node = planned ? 'plan_task' : 'execute_task'
  yield { kind: 'stepped', node, outcome: 'drafted', ...task, seconds, usage, files }
  const answer = { call: 0, hash: '', text: '', finish: 'stop', usage, exact: true } as const
  yield { kind: 'answered', purpose: 'draft', model, ...task, seconds, ...answer }
  if (fails) {
    const type = random() < 0.5 ? 'test_failure' : 'syntax_error'
    const signature = `${type} ${Math.floor(random() * 500)}`
    const error = { type, severity: 'error', recoverable: true } as const
    const where = { ...task, node: 'verify_task', signature } as const
    yield { kind: 'failed', ...where, error, message: signature }
    yield { kind: 'remedied', ...where, type, strategy: 'ask_again', fix: '', worked: false }
  }
  const verdict: Verdict = fails ? 'failed' : 'in_review'
  const fingerprint = String(Math.floor(random() * 60_000))
  yield { kind: 'filed', result: sampleResult(id, { verdict, fingerprint, receipt: null }) }
}
