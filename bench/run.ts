/**
 * `npm run bench`: measures everything docs/performance.md promises, prints the table and keeps
 * it in bench/results/. `--only NAME` runs one measure; `--readme` renews the tables of docs/performance.md and README.md.
 * `--only peers --codex PATH --claude PATH` works beside other programs, which a run of everything does not;
 * neither does it play `--only strategies --repos DIR [--seed S] [--limit N] [--kind KIND] [--way WAY] [--profile P] [--task ID]
 * [--keep FILE]`, where DIR holds clones of public repositories and FILE the finished runs, so that a stopped bench resumes;
 * `--only retrieval --repos DIR [--seed S] [--limit N] [--before CHECKOUT]`, and `--only fleet [--repositories N] [--workers N]`;
 * `--only real-model --base-url URL --model NAME --tasks DIR [--n N] [--part odd|even] [--seed S] [--language L] [--task ID]
 * [--with naive,aider,mini-swe-agent] [--executor PATH] [--aider PATH] [--mini PATH] [--temperature T] [--keep DIR] [--resume]`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { renewPart } from '../scripts/renew-part.ts'
import { measureActionEvent } from './measures/action-event.ts'
import { measureApp } from './measures/app.ts'
import { measureBundle } from './measures/bundle.ts'
import { measureCodeIndex } from './measures/code-index.ts'
import { measureFleet } from './measures/fleet.ts'
import { measureGroups } from './measures/groups.ts'
import { measureHistory } from './measures/history.ts'
import { measureLargeRepository } from './measures/large-repository.ts'
import { measureParallel } from './measures/parallel.ts'
import { measurePeers } from './measures/peers.ts'
import { choosePrograms, measureRealModel } from './measures/real-model.ts'
import { measureRepairFirst } from './measures/repair-first.ts'
import { measureRepairPrompt } from './measures/repair-prompt.ts'
import { measureResume } from './measures/resume.ts'
import { measureRetrieval } from './measures/retrieval.ts'
import { measureRoadmap } from './measures/roadmap.ts'
import { measureRouting } from './measures/routing.ts'
import { measureSandbox } from './measures/sandbox.ts'
import { measureSmallTasks } from './measures/small-tasks.ts'
import { measureState } from './measures/state.ts'
import { measureStrategies } from './measures/strategies.ts'
import { measureValidation } from './measures/validation.ts'
import { peerNames } from './peer-programs.ts'
import type { RealResult } from './real-model/play-task.ts'
import { writeRealTables } from './real-model/summarise-real.ts'
import type { Row } from './row.ts'
import { compare, type Result, writeTables } from './strategies/summarise.ts'
import { writeSummary, writeTable } from './table.ts'
import { openWorkshop, project, type Workshop } from './workshop.ts'

type Measure = (workshop: Workshop, progress: (line: string) => void) => Promise<readonly Row[]>

const measures: Readonly<Record<string, Measure>> = {
  'small-tasks': measureSmallTasks,
  'repair-prompt': measureRepairPrompt,
  'repair-first': measureRepairFirst,
  groups: measureGroups,
  'large-repository': measureLargeRepository,
  'code-index': measureCodeIndex,
  roadmap: measureRoadmap,
  state: measureState,
  resume: measureResume,
  history: measureHistory,
  routing: measureRouting,
  validation: measureValidation,
  sandbox: measureSandbox,
  parallel: measureParallel,
  'action-event': measureActionEvent,
  bundle: measureBundle,
  app: measureApp,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    readme: { type: 'boolean', default: false },
    codex: { type: 'string' },
    claude: { type: 'string' },
    repos: { type: 'string' },
    seed: { type: 'string' },
    limit: { type: 'string', default: '1000' },
    jobs: { type: 'string', default: '2' },
    kind: { type: 'string' },
    way: { type: 'string' },
    profile: { type: 'string' },
    task: { type: 'string' },
    trace: { type: 'string' },
    keep: { type: 'string' },
    before: { type: 'string' },
    repositories: { type: 'string', default: '60' },
    workers: { type: 'string', default: '5' },
    'base-url': { type: 'string' },
    model: { type: 'string' },
    tasks: { type: 'string' },
    n: { type: 'string', default: '40' },
    part: { type: 'string' },
    language: { type: 'string', default: 'python' },
    with: { type: 'string', default: '' },
    executor: { type: 'string' },
    aider: { type: 'string' },
    mini: { type: 'string' },
    temperature: { type: 'string' },
    resume: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed ?? (values.only === 'real-model' ? 7 : 1))
const results: Result[] = []
const realResults: RealResult[] = []
const chosen = choose(values.only)

const rows = await measureAll()
if (rows.length > 0) console.log(writeTable(rows))
await keepResults(rows)
if (realResults.length > 0) {
  const tables = writeRealTables(realResults)
  console.log(tables)
  if (values.readme) await renew('docs/performance.md', tables, 'real-model')
} else if (results.length > 0) {
  const tables = writeTables(results, seed)
  console.log(`\n${tables}`)
  if (values.readme)
    await renew('docs/performance.md', `${tables}\n\n${writeTable(rows)}`, 'strategies')
} else if (values.readme && values.only === 'fleet') {
  await renew('docs/scale.md', writeTable(rows), 'fleet')
} else if (values.readme) {
  await renew('docs/performance.md', writeTable(rows))
  await renew('README.md', writeSummary(rows))
}

/** A path is meant from where npm was called, not from where it runs the script. */
function choose(only: string | undefined): readonly (readonly [name: string, measure: Measure])[] {
  if (only === undefined) return Object.entries(measures)
  const from = process.env.INIT_CWD ?? '.'
  const peers = peerNames.flatMap((name) => {
    const path = values[name]
    return path === undefined ? [] : [{ name, path: resolve(from, path) }]
  })
  if (only === 'parallel') {
    return [[only, (workshop, progress) => measureParallel(workshop, progress, peers)]]
  }
  if (only === 'peers') {
    if (peers.length === 0) fail('Say beside which program: --codex PATH, --claude PATH, or both.')
    return [[only, (workshop, progress) => measurePeers(workshop, progress, peers)]]
  }
  if (only === 'strategies') return [[only, playStrategies]]
  if (only === 'retrieval') return [[only, seekCode]]
  if (only === 'fleet') return [[only, playFleet]]
  if (only === 'real-model') return [[only, playRealModel]]
  const measure = measures[only]
  const names = [
    ...Object.keys(measures),
    'peers',
    'strategies',
    'retrieval',
    'fleet',
    'real-model',
  ].join(', ')
  if (measure === undefined) return fail(`No measure is called ${only}. There are: ${names}`)
  return [[only, measure]]
}

async function playStrategies(...given: Parameters<Measure>): Promise<readonly Row[]> {
  const { repos = noClones(), limit, jobs } = values
  const { kind, way, profile, task, trace } = values
  const keep = values.keep === undefined ? undefined : fromHere(values.keep)
  const [workshop, progress] = given
  const played = await measureStrategies(workshop, progress, {
    ...{ repos: fromHere(repos), kind, way, profile, task, trace, keep },
    ...{ seed, limit: Number(limit), jobs: Number(jobs) },
  })
  results.push(...played)
  return compare(played)
}

async function seekCode(...[workshop, progress]: Parameters<Measure>): Promise<readonly Row[]> {
  const { repos = noClones(), limit, before } = values
  return measureRetrieval(workshop, progress, {
    ...{ repos: fromHere(repos), seed, limit: Number(limit) },
    before: before === undefined ? undefined : fromHere(before),
  })
}

function playFleet(...[workshop, progress]: Parameters<Measure>): Promise<readonly Row[]> {
  const { repositories, workers } = values
  const size = { repositories: Number(repositories), workers: Number(workers) }
  return measureFleet(workshop, progress, size)
}

async function playRealModel(
  ...[workshop, progress]: Parameters<Measure>
): Promise<readonly Row[]> {
  const { tasks, model, n, part, language, resume, task: only } = values
  const { 'base-url': baseUrl, temperature, executor = 'dist/executor.cjs', aider, mini } = values
  if (baseUrl === undefined || model === undefined || tasks === undefined)
    return fail('Name the model and the tasks: --base-url URL --model NAME --tasks DIR.')
  if (part !== undefined && part !== 'odd' && part !== 'even') fail('--part is odd or even.')
  const programs = choosePrograms(values.with, {
    executor: values.executor === undefined ? join(project, executor) : fromHere(executor),
    naive: '',
    ...(aider !== undefined && { aider: fromHere(aider) }),
    ...(mini !== undefined && { 'mini-swe-agent': fromHere(mini) }),
  })
  if (typeof programs === 'string') return fail(programs)
  const keep =
    values.keep === undefined ? join(project, 'bench/results/real-model') : fromHere(values.keep)
  const played = await measureRealModel(workshop, progress, {
    ...{
      baseUrl,
      model,
      apiKey: process.env.OPENAI_API_KEY,
      language,
      resume,
      only,
      programs,
      keep,
    },
    ...{ tasks: fromHere(tasks), n: Number(n), part: part ?? null, seed },
    temperature: temperature === undefined ? null : Number(temperature),
  })
  realResults.push(...played)
  return []
}

function fromHere(path: string): string {
  return resolve(process.env.INIT_CWD ?? '.', path)
}

function noClones(): never {
  return fail('Say where the clones are: --repos DIR.')
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

async function measureAll(): Promise<readonly Row[]> {
  const all: Row[] = []
  const workshop = await openWorkshop()
  try {
    for (const [name, measure] of chosen) {
      const started = performance.now()
      const progress = (line: string) => console.error(`  ${name}: ${line}`)
      all.push(...(await measure(workshop, progress)))
      console.error(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
    }
  } finally {
    await workshop.close()
  }
  return all
}

async function keepResults(all: readonly Row[]): Promise<void> {
  const directory = join(project, 'bench/results')
  const at = new Date().toISOString()
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
  const text = JSON.stringify({ at, node: process.version, machine, rows: all, results }, null, 2)
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, `${at.replaceAll(':', '-')}.json`), `${text}\n`)
}

async function renew(document: string, renewed: string, part = 'bench'): Promise<void> {
  const path = join(project, document)
  const before = await readFile(path, 'utf8').catch(() => '')
  const after = renewPart(before, part, renewed)
  if (after !== null) await writeFile(path, after)
}
