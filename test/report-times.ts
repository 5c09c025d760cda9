import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'
import { type Counts, countedFiles, listedFiles, readCounts } from '../scripts/security-counts.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What a test file counted, by its own names: SECURITY.md says it. */
    cases?: Readonly<Record<string, number>>
  }
}

/** Seconds of each test file, as it took them when they were last kept. */
export type FileTimes = Readonly<Record<string, number>>

const root = join(import.meta.dirname, '..')
/** Kept in the repository, by `EXECUTOR_KEEP_TIMES=1 npm run test:full`: what begins first where nothing ran yet. */
const keptAt = join(root, 'test/times.json')
const writtenAt = join(root, '.vitest/times.json')
/** Kept in the repository, by `EXECUTOR_KEEP_COUNTS=1`: what SECURITY.md says of its tests. */
const countsAt = join(root, 'test/counts.json')
const mostShown = 12
const between = 15_000

/** The times of test/times.json; none where it cannot be read. */
export const readKeptTimes = (): Promise<FileTimes> => readTimes(keptAt)

async function readTimes(path: string): Promise<FileTimes> {
  const text = await readFile(path, 'utf8').catch(() => '{}')
  return JSON.parse(text)
}

interface FileTime {
  readonly path: string
  readonly tier: string
  readonly seconds: number
}

/** Says how far a run is, and at its end which files took longest; writes all times to .vitest/times.json. */
export default class ReportTimes implements Reporter {
  #files = 0
  #began = 0
  #said = 0
  #failed = 0
  readonly #times: FileTime[] = []
  readonly #counts: { readonly path: string; readonly tests: number; readonly cases: Cases }[] = []

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length
    this.#began = this.#said = performance.now()
  }

  onTestModuleEnd(module: TestModule): void {
    const { duration, collectDuration, setupDuration } = module.diagnostic()
    const seconds = (duration + collectDuration + setupDuration) / 1000
    this.#times.push({ path: module.relativeModuleId, tier: module.project.name, seconds })
    if (!module.ok()) this.#failed += 1
    const tests = [...module.children.allTests()].length
    this.#counts.push({ path: module.relativeModuleId, tests, cases: module.meta().cases ?? null })
    const now = performance.now()
    if (now - this.#said < between) return
    this.#said = now
    const elapsed = Math.round((now - this.#began) / 1000)
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} with failures`
    console.log(`── ${this.#times.length} of ${this.#files} files${failed}, ${elapsed} s`)
  }

  async onTestRunEnd(): Promise<void> {
    await keepCounts(this.#counts)
    if (this.#times.length < 2) return
    const slowest = this.#times.toSorted((a, b) => b.seconds - a.seconds).slice(0, mostShown)
    console.log('\nThe slowest test files, in seconds:')
    for (const { path, tier, seconds } of slowest) {
      console.log(`${seconds.toFixed(1).padStart(7)}  ${tier.padEnd(10)} ${path}`)
    }
    for (const [tier, times] of Object.entries(Object.groupBy(this.#times, (time) => time.tier))) {
      const sum = (times ?? []).reduce((total, { seconds }) => total + seconds, 0)
      console.log(`${sum.toFixed(1).padStart(7)}  ${tier.padEnd(10)} all ${times?.length} files`)
    }
    await writeTimes(Object.fromEntries(this.#times.map(({ path, seconds }) => [path, seconds])))
  }
}

type Cases = Readonly<Record<string, number>> | null

/**
 * Keeps how many tests the files have that SECURITY.md names, where that is asked for; else the run fails where it is
 * not what was kept. A machine without all kinds of sandbox has fewer, in the files that ask for those.
 */
async function keepCounts(
  found: readonly { readonly path: string; readonly tests: number; readonly cases: Cases }[],
): Promise<void> {
  const named = countedFiles(await readFile(join(root, 'SECURITY.md'), 'utf8'))
  const kept = readCounts(await readFile(countsAt, 'utf8'))
  const counted = found.filter(({ path, tests }) => tests > 0 && named.includes(path))
  if (process.env.EXECUTOR_KEEP_COUNTS) {
    for (const { path, tests } of counted) kept.tests[path] = tests
    for (const { path, cases } of found) if (cases !== null) kept.cases[path] = { ...cases }
    const sorted: Counts = { tests: inOrder(kept.tests), cases: inOrder(kept.cases) }
    await writeFile(countsAt, `${JSON.stringify(sorted, null, 2)}\n`)
    return
  }
  for (const path of listedFiles(await readFile(join(root, 'SECURITY.md'), 'utf8'))) {
    const cases = found.find((each) => each.path === path)?.cases ?? null
    if (cases === null || isDeepStrictEqual({ ...cases }, kept.cases[path])) continue
    console.error(
      `${path} counts other cases than test/counts.json has: play it as \`npm run counts\` says`,
    )
    process.exitCode = 1
  }
  for (const { path, tests } of counted) {
    const said = kept.tests[path] ?? 0
    const mayLack = readFileSync(join(root, path), 'utf8').includes('sandbox-kinds.ts')
    if (tests === said || (mayLack && tests < said)) continue
    console.error(`${path} has ${tests} tests, and test/counts.json says ${said}: npm run counts`)
    process.exitCode = 1
  }
}

const inOrder = <Value>(all: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Adds to what is known of others, in `.vitest/times.json` and, when asked to, in `test/times.json`. */
export async function writeTimes(fresh: FileTimes): Promise<void> {
  await keep(writtenAt, fresh)
  if (process.env.EXECUTOR_KEEP_TIMES) await keep(keptAt, fresh)
}

async function keep(file: string, fresh: FileTimes): Promise<void> {
  const rounded = Object.entries(fresh).map(([path, seconds]) => [path, Number(seconds.toFixed(1))])
  const all = Object.entries({ ...(await readTimes(file)), ...Object.fromEntries(rounded) })
  await mkdir(dirname(file), { recursive: true })
  const sorted = all.toSorted(([a], [b]) => (a < b ? -1 : 1))
  await writeFile(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
