import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

/** Seconds of each test file, as it took them when they were last kept. */
export type FileTimes = Readonly<Record<string, number>>

const root = join(import.meta.dirname, '..')
/** Kept in the repository, by `EXECUTOR_KEEP_TIMES=1 npm run test:full`: what begins first where nothing ran yet. */
const keptAt = join(root, 'test/times.json')
const writtenAt = join(root, '.vitest/times.json')
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

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length
    this.#began = this.#said = performance.now()
  }

  onTestModuleEnd(module: TestModule): void {
    const { duration, collectDuration, setupDuration } = module.diagnostic()
    const seconds = (duration + collectDuration + setupDuration) / 1000
    this.#times.push({ path: module.relativeModuleId, tier: module.project.name, seconds })
    if (!module.ok()) this.#failed += 1
    const now = performance.now()
    if (now - this.#said < between) return
    this.#said = now
    const elapsed = Math.round((now - this.#began) / 1000)
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} with failures`
    console.log(`── ${this.#times.length} of ${this.#files} files${failed}, ${elapsed} s`)
  }

  async onTestRunEnd(): Promise<void> {
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
