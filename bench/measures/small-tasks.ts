import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { signOfLife } from '../../src/entry/progress/open-progress.ts'
import type { Row } from '../row.ts'
import { smallTasks } from '../scenarios.ts'
import { median } from '../statistics.ts'
import { promptTokens, type Scenario, type Work, type Worker, workToTheEnd } from '../work.ts'
import { project, type Workshop } from '../workshop.ts'

const pairs = 5

type Pair = Readonly<Record<Worker, Work>>

/** Request and token targets of docs/performance.md. */
const targets: Readonly<Record<string, { readonly requests: number; readonly tokens: number }>> = {
  S1: { requests: 1, tokens: 1000 },
  S2: { requests: 2, tokens: 1600 },
  S3: { requests: 2, tokens: 2000 },
}

/** S1, S2 and S3 by the executor and the floor: in turns, so that both meet the same machine. */
export async function measureSmallTasks(
  workshop: Workshop,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const scenario of smallTasks) {
    progress(scenario.name)
    const watched = {
      executor: await workToTheEnd(workshop, 'executor', scenario, { watchFiles: true }),
      floor: await workToTheEnd(workshop, 'floor', scenario, { watchFiles: true }),
    }
    const timed: Pair[] = []
    for (let pair = 0; pair < pairs; pair += 1) {
      const floor = await workToTheEnd(workshop, 'floor', scenario)
      timed.push({ executor: await workToTheEnd(workshop, 'executor', scenario), floor })
    }
    rows.push(...countRows(scenario, watched), ...timeRows(scenario, timed))
    if (scenario.name !== 'S1') continue
    rows.push(
      await bareRow(workshop, scenario),
      ...startRows(timed),
      await firstEverRow(workshop, scenario),
      await memoryRow(workshop, scenario),
    )
  }
  return rows
}

function countRows({ name }: Scenario, { executor, floor }: Pair): readonly Row[] {
  const target = targets[name]
  if (target === undefined) throw new Error(`${name} has no targets.`)
  return [
    {
      figure: `${name}: model requests`,
      unit: '',
      measured: executor.requests.length,
      limit: target.requests,
      floor: floor.requests.length,
    },
    {
      figure: `${name}: prompt tokens, whole task`,
      unit: 'tokens',
      measured: promptTokens(executor.requests),
      limit: target.tokens,
      floor: promptTokens(floor.requests),
    },
    {
      figure: `${name}: broken files ever on disk`,
      unit: '',
      measured: executor.brokenFiles,
      limit: 0,
      floor: floor.brokenFiles,
    },
  ]
}

function timeRows({ name }: Scenario, timed: readonly Pair[]): readonly Row[] {
  const seconds = timed.map(({ executor }) => executor.seconds)
  return [
    {
      figure: `${name}: wall time`,
      unit: 's',
      measured: median(seconds),
      floor: median(timed.map(({ floor }) => floor.seconds)),
      samples: seconds,
    },
    {
      figure: `${name}: wall time over the floor, median of pairs`,
      ...ratioOf(timed),
      ...(name === 'S1' && { limit: 1.5 }),
    },
  ]
}

function ratioOf(timed: readonly Pair[]): Pick<Row, 'unit' | 'measured' | 'samples'> {
  const samples = timed.map(({ executor, floor }) => executor.seconds / floor.seconds)
  return { unit: '×', measured: median(samples), samples }
}

/** The executor reads package.json to do without npm; this floor is told to. */
async function bareRow(workshop: Workshop, scenario: Scenario): Promise<Row> {
  const timed: Pair[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    const floor = await workToTheEnd(workshop, 'floor', scenario, { tests: 'node --test' })
    timed.push({ executor: await workToTheEnd(workshop, 'executor', scenario), floor })
  }
  return { figure: `${scenario.name}: the same over a floor without npm`, ...ratioOf(timed) }
}

function startRows(timed: readonly Pair[]): readonly Row[] {
  const firsts = (worker: Worker) =>
    timed.map(({ [worker]: { requestedAt } }) => requestedAt[0] ?? Number.NaN)
  const [stderr = ''] = timed.map(({ executor }) => executor.stderr)
  const lines = stderr.trim().split('\n')
  return [
    {
      figure: 'spawn to first model request, in a new home',
      unit: 'ms',
      measured: median(firsts('executor')),
      limit: 250,
      floor: median(firsts('floor')),
      samples: firsts('executor'),
    },
    {
      figure: "lines of a good task's log",
      unit: '',
      // Those that only say that the run goes on come of how long it takes.
      measured: lines.filter((line) => !signOfLife.test(line)).length,
      limit: 39,
    },
  ]
}

/** On a machine where the program never ran, or was just installed anew: nothing of it is compiled. */
async function firstEverRow(workshop: Workshop, scenario: Scenario): Promise<Row> {
  const samples: number[] = []
  for (let run = 0; run < pairs; run += 1) {
    await rm(join(project, 'dist/compiled'), { recursive: true, force: true })
    const { requestedAt } = await workToTheEnd(workshop, 'executor', scenario)
    samples.push(requestedAt[0] ?? Number.NaN)
  }
  const figure = 'spawn to first model request, the first time ever'
  return { figure, unit: 'ms', measured: median(samples), samples }
}

async function memoryRow(workshop: Workshop, scenario: Scenario): Promise<Row> {
  const reportMemory = { reportMemory: true }
  const executor = await workToTheEnd(workshop, 'executor', scenario, reportMemory)
  const floor = await workToTheEnd(workshop, 'floor', scenario, reportMemory)
  return {
    figure: 'peak memory, 1 task',
    unit: 'MB',
    measured: executor.peakMemory,
    limit: 150,
    floor: floor.peakMemory,
  }
}
