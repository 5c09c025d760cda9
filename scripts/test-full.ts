/**
 * Runs all tests in parts: `npm run test:full`. Names of parts run only those, `--budget 40m` sets a time limit,
 * `--list` lists the parts. Exit code: 0 all passed, 1 a part failed, 2 wrong use, 4 the time limit came before
 * the last part.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readKeptTimes, writeTimes } from '../test/report-times.ts'
import { everyDay, nightly } from '../test/tiers.ts'
import { type Played, planParts, readBudget, readCounts, showEnd } from './plan-parts.ts'

interface Part {
  readonly name: string
  readonly command: readonly string[]
}

const vitest = (projects: readonly string[], report: string): readonly string[] => [
  ...['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'],
  ...[`--outputFile.json=${report}`, '--reporter=./test/report-times.ts'],
  ...projects.flatMap((project) => ['--project', project]),
]

const folder = await mkdtemp(join(tmpdir(), 'test-full-'))
const report = join(folder, 'report.json')
const parts: readonly Part[] = [
  { name: 'tests', command: vitest(everyDay, report) },
  ...nightly.map((name) => ({ name, command: vitest([name], report) })),
  { name: 'faults', command: ['test/faults/run.ts', 'run.ts'] },
  { name: 'kills', command: ['test/faults/run.ts', 'run-processes.ts'] },
]

try {
  process.exitCode = await playAsked()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function playAsked(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { budget: { type: 'string' }, list: { type: 'boolean' } },
  })
  const names = parts.map(({ name }) => name)
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    console.error(`There is no part "${unknown}". There are: ${names.join(', ')}.`)
    return 2
  }
  const budget = readBudget(values.budget)
  if (budget === 'invalid') {
    console.error(`--budget takes a time such as 40m or 90s, not "${values.budget}".`)
    return 2
  }
  const wanted = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const times = await readKeptTimes()
  const seconds = new Map(wanted.map(({ name }) => [name, times[`part ${name}`] ?? null]))
  console.log(planParts(seconds, budget))
  if (values.list) return 0
  return playAll(wanted, seconds, budget)
}

async function playAll(
  wanted: readonly Part[],
  expected: ReadonlyMap<string, number | null>,
  budget: number | null,
): Promise<number> {
  const ends = budget === null ? Number.POSITIVE_INFINITY : performance.now() + budget * 1000
  const played: Played[] = []
  for (const [index, part] of wanted.entries()) {
    const left = (ends - performance.now()) / 1000
    if (left <= 0 || (expected.get(part.name) ?? 0) > left) {
      played.push({ name: part.name, status: 'not played', seconds: 0, passed: 0, failed: 0 })
      continue
    }
    console.log(`\n━━ part ${index + 1} of ${wanted.length}: ${part.name}`)
    const result = await playPart(part, left)
    played.push(result)
    const { name, status, passed, failed, seconds } = result
    console.log(`━━ ${name}: ${status}, ${passed} passed, ${failed} failed, ${seconds} s`)
    if (status === 'good') await writeTimes({ [`part ${name}`]: seconds })
  }
  console.log(showEnd(played))
  if (played.some(({ status }) => status === 'failed')) return 1
  return played.every(({ status }) => status === 'good') ? 0 : 4
}

/** Runs one part in its own process group, and kills it after `left` seconds. */
async function playPart({ name, command }: Part, left: number): Promise<Played> {
  await rm(report, { force: true })
  const began = performance.now()
  const child = spawn(process.execPath, [...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, EXECUTOR_ALL_RUNS: '1' },
    detached: true,
  })
  let printed = ''
  child.stdout.on('data', (piece: Buffer) => {
    process.stdout.write(piece)
    printed = (printed + piece.toString('utf8')).slice(-100_000)
  })
  const stop = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  let isCutOff = false
  const cutOff = () => {
    isCutOff = true
    stop()
  }
  // A timer accepts at most 2^31 - 1 ms.
  const timer = setTimeout(cutOff, Math.min(left * 1000, 2 ** 31 - 1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  clearTimeout(timer)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  const counts = readCounts(await readFile(report, 'utf8').catch(() => null), printed)
  const seconds = Math.round((performance.now() - began) / 1000)
  const isGood = code === 0 && counts.passed > 0
  const status = isCutOff ? 'cut off' : isGood ? 'good' : 'failed'
  // A file that failed to load reports no failed test.
  const failed = status === 'failed' ? Math.max(1, counts.failed) : counts.failed
  return { name, status, seconds, passed: counts.passed, failed }
}
