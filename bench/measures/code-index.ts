/** Time and memory of the index of code: the first time, and again for the same commit. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Row } from '../row.ts'
import { median } from '../statistics.ts'
import { environment, makeRepository, project, runProgram, type Workshop } from '../workshop.ts'
import { writeSources } from './large-repository.ts'

/** Limits of the first time in seconds, and of a later one in milliseconds. */
const sizes = [
  { files: 2_000, once: 5, again: 300 },
  { files: 20_000, once: 60, again: 3_000 },
] as const

const later = 5

export async function measureCodeIndex(
  workshop: Workshop,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const { files, once, again } of sizes) {
    progress(`${files} files`)
    const root = await makeRepository(workshop, Object.fromEntries(writeSources(files)))
    const directory = await mkdtemp(join(workshop.directory, 'index-'))
    const first = await bring(workshop, root, directory)
    const repeated: Awaited<ReturnType<typeof bring>>[] = []
    for (let count = 0; count < later; count += 1) {
      repeated.push(await bring(workshop, root, directory))
    }
    const figure = `index of ${files.toLocaleString('en')} files`
    const seconds = first.milliseconds / 1_000
    const samples = repeated.map(({ milliseconds }) => milliseconds)
    const processor = median(repeated.map((each) => each.processor))
    rows.push(
      { figure: `${figure}: once`, unit: 's', measured: seconds, limit: once },
      { figure: `${figure}: once, processor time`, unit: 's', measured: first.processor / 1_000 },
      { figure: `${figure}: again`, unit: 'ms', measured: median(samples), limit: again, samples },
      { figure: `${figure}: again, processor time`, unit: 'ms', measured: processor },
      { figure: `${figure}: peak memory`, unit: 'MB', measured: first.memory, limit: 400 },
    )
  }
  return rows
}

async function bring({ directory: home }: Workshop, root: string, directory: string) {
  const script = join(project, 'bench/retrieval/index-tree.ts')
  const argv = [process.execPath, ...memoryReport, script, root, directory, 'total of the orders']
  const { exitCode, stdout, stderr } = await runProgram(argv, root, environment(home))
  if (exitCode !== 0) throw new Error(stderr)
  const [milliseconds = Number.NaN, processor = Number.NaN, kilobytes = Number.NaN] = stdout
    .trim()
    .split('\n')
    .map(Number)
  return { milliseconds, processor, memory: kilobytes / 1_024 }
}

/** Prints the peak of the process when it ends. */
const memoryReport = [
  '--import',
  'data:text/javascript,process.on("exit",()=>console.log(process.resourceUsage().maxRSS))',
]
