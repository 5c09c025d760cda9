import { readRoadmap } from '../../packages/roadmap/document/read-roadmap.ts'
import { buildPromptContext } from '../../src/model/context/build-context.ts'
import type { Row } from '../row.ts'
import { edit, smallProject } from '../scenarios.ts'
import { nouns, textFor, verbs } from '../source-texts.ts'
import { createRandom, median, timed } from '../statistics.ts'
import { promptTokens, type Scenario, workToTheEnd } from '../work.ts'
import type { Workshop } from '../workshop.ts'

const size = 2000
const areas = ['billing', 'shipping', 'search', 'mail', 'stock', 'web', 'jobs', 'store', 'admin']
/** What the task is about: it has imports, and others import it. */
const target = 8
/** The default of `context-tokens`. */
const contextTokens = 12_000

/** A repository of 2,000 TypeScript files of 40 to 160 lines that import one another. */
export async function measureLargeRepository(
  workshop: Workshop,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  const scenario = largeScenario()
  const samples = await contextTimes(scenario.files)
  progress('executor run')
  const { requests, requestedAt } = await workToTheEnd(workshop, 'executor', scenario)
  return [
    {
      figure: 'repository of 2,000 files: prompt tokens, whole task',
      unit: 'tokens',
      measured: promptTokens(requests),
      limit: 5000,
    },
    {
      figure: 'repository of 2,000 files: build_context, first time',
      unit: 'ms',
      measured: samples[0] ?? Number.NaN,
      limit: 5000,
    },
    {
      figure: 'repository of 2,000 files: build_context, again',
      unit: 'ms',
      measured: median(samples.slice(1)),
      limit: 500,
      samples,
    },
    {
      figure: 'repository of 2,000 files: spawn to first model request',
      unit: 'ms',
      measured: requestedAt[0] ?? Number.NaN,
    },
  ]
}

/** Without git: the texts are in memory. */
async function contextTimes(files: Scenario['files']): Promise<readonly number[]> {
  const [task] = readRoadmap(files['ROADMAP.md'] ?? '').tasks
  if (task === undefined) throw new Error('The roadmap has no task.')
  const entries = Object.entries(files).map(([path, text]) => {
    return { path, mode: '100644' as const, size: Buffer.byteLength(text) }
  })
  const read = async (paths: readonly string[]) =>
    new Map(paths.flatMap((path) => (path in files ? [[path, files[path] ?? '']] : [])))
  return timed(5, async () => {
    const context = await buildPromptContext({
      task,
      plan: null,
      files: entries,
      roadmap: 'ROADMAP.md',
      read,
      budgetTokens: contextTokens,
    })
    if (context.status !== 'built') throw new Error('The context is too large.')
  })
}

function largeScenario(): Scenario {
  const sources = writeSources(size)
  const [path = '', text = ''] = sources[target] ?? []
  const title = 'Cap the totals'
  const details = '`capTotal(total)` is the total, and at most 10,000; the other functions stay'
  const roadmap = `# Roadmap\n\n- [ ] T-1: ${title}\n  - ${details}\n  - **Files**: \`${path}\`\n`
  const files = { ...smallProject, ...Object.fromEntries(sources), 'ROADMAP.md': roadmap }
  const [line = ''] = text.split('\n')
  const added = 'export const capTotal = (total: number): number => Math.min(total, 10_000)'
  const answer = edit(path, line, `${line}\n\n${added}`)
  return {
    name: 'a repository of 2,000 files',
    files,
    task: title,
    answers: { executor: [answer], floor: [] },
  }
}

/** Sources of 40 to 160 lines that import one another. */
export function writeSources(count: number): readonly (readonly [path: string, text: string])[] {
  const random = createRandom(count)
  const paths = Array.from({ length: count }, (_, index) => {
    const [area, noun, verb] = [areas, nouns, verbs].map(
      (words) => words[Math.floor(random() * words.length)],
    )
    return `src/${area}/${verb}-${noun}-${index}.ts`
  })
  return paths.map((path, index) => {
    const other = paths[Math.floor(random() * count)] ?? path
    const lines = 40 + Math.floor(random() * 120)
    const head = `import type { Item } from '../${other.slice('src/'.length)}'\n\n`
    return [path, `${head}${textFor(path, lines, index)}`]
  })
}
