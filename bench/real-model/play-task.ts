/** One task worked by one program against a real model, and judged by the task's own tests. */
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { git } from '../../harness/git.ts'
import { runChild } from '../../harness/run-child.ts'
import { environment } from '../../harness/run-program.ts'
import { readJournalLine } from '../../src/core/domain/journal-event.ts'
import type { Report } from '../../src/publish/report/build-report.ts'
import { writeTree } from '../strategies/run-tests.ts'
import { type RealProgramName, realPrograms } from './real-programs.ts'
import type { RealTask, Start } from './real-task.ts'
import { type Exchange, startRecordProxy } from './record-proxy.ts'
import {
  type Causes,
  countRepeats,
  usabilityByForm,
  usabilityByJournal,
} from './unusable-answers.ts'

export interface RealPlace {
  /** A folder that goes when the bench ends. */
  readonly workplace: string
  /** Where requests, answers and results stay. */
  readonly keep: string
}

export interface RealModel {
  readonly baseUrl: string
  readonly model: string
  readonly apiKey: string | undefined
  /** Set where a program names none; `null` leaves that to the server. */
  readonly temperature: number | null
}

export interface RealResult {
  readonly program: RealProgramName
  readonly task: string
  readonly model: string
  readonly temperature: number | null
  /** The task's own tests pass, and the program came to its end; the executor also says that it is done. */
  readonly isSolved: boolean
  readonly isRight: boolean
  /** The executor's verdict is done, and the tests say no. */
  readonly isWrong: boolean
  /** The executor's verdict, or how the program ended. */
  readonly outcome: string
  readonly reason: string
  readonly limit: 'requests' | 'time' | null
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Answers whose tokens the server did not count. */
  readonly estimated: number
  readonly modelSeconds: number
  readonly seconds: number
  readonly repeats: number
  readonly unusable: Causes
  readonly isFirstUsable: boolean | null
  /** Of the first request, as the program sent it. */
  readonly ownTemperature: number | null
}

const limits = { requests: 6, milliseconds: 600_000 } as const

/** Milliseconds that the tests of a result may take. */
const longestTest = 60_000

/** A repository with one commit, made once for all tasks that start from it. */
async function prepareStart({ workplace }: RealPlace, start: Start): Promise<string> {
  const root = join(workplace, 'start', start.name)
  const isThere = await stat(root).catch(() => null)
  if (isThere !== null) return root
  await mkdir(root, { recursive: true })
  if ('folder' in start.from) {
    const { folder } = start.from
    const filter = (path: string) => !/^(?:\.git|\.executor)$/.test(basename(path))
    await cp(folder, root, { recursive: true, verbatimSymlinks: true, filter })
  } else {
    await writeTree(root, start.from)
  }
  await git(root, 'init', '--quiet', '--initial-branch=main')
  // What a repository ignores, such as installed packages, is there and not committed.
  await git(root, 'add', '--all')
  await git(root, 'commit', '--quiet', '-m', 'Start')
  if (start.modules !== undefined) await symlink(start.modules, join(root, 'node_modules'))
  return root
}

export async function playReal(
  place: RealPlace,
  task: RealTask,
  name: RealProgramName,
  path: string,
  real: RealModel,
): Promise<RealResult> {
  const label = task.id.replaceAll(/[^\w-]+/g, '-')
  const run = join(place.workplace, 'runs', `${name}-${label}`)
  const [root, home, judged] = ['repository', 'home', 'judged'].map((each) => join(run, each)) as [
    string,
    string,
    string,
  ]
  const kept = join(place.keep, 'runs', name, label)
  await rm(kept, { recursive: true, force: true })
  for (const folder of [home, kept]) await mkdir(folder, { recursive: true })
  const start = await prepareStart(place, task.start)
  await copyTree(start, root)
  try {
    const worked = await work({ root, home, kept }, task, name, path, real)
    const said = name === 'executor' ? await readVerdict(root, task) : null
    if (name === 'executor') await keepState(root, kept)
    const isThere = await settleResult(root, judged, name === 'executor' ? task.roadmapId : null)
    const isRight = isThere && (await judge(judged, start, task, home, kept))
    const { exchanges, limit } = worked
    const isDone = said === null || said.isDone
    return {
      ...{ program: name, task: task.id, model: real.model, temperature: real.temperature },
      ...{ isSolved: isRight && isDone && limit === null, isRight },
      isWrong: said?.isDone === true && !isRight,
      outcome: said?.outcome ?? (limit === null ? `exit ${worked.code}` : `${limit}`),
      reason: said?.reason ?? worked.lastWords,
      limit,
      seconds: worked.seconds,
      ...countExchanges(exchanges),
      ...(await usabilityOf(name, exchanges, root)),
    }
  } finally {
    await rm(run, { recursive: true, force: true })
  }
}

type Counted =
  | ('requests' | 'promptTokens' | 'completionTokens' | 'estimated')
  | ('modelSeconds' | 'repeats' | 'ownTemperature')

function countExchanges(exchanges: readonly Exchange[]): Pick<RealResult, Counted> {
  const sum = (value: (exchange: Exchange) => number) =>
    exchanges.reduce((total, exchange) => total + value(exchange), 0)
  return {
    requests: exchanges.length,
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    estimated: exchanges.filter(({ isEstimated }) => isEstimated).length,
    modelSeconds: sum(({ seconds }) => seconds),
    repeats: countRepeats(exchanges),
    ownTemperature: exchanges[0]?.ownTemperature ?? null,
  }
}

interface Worked {
  readonly exchanges: readonly Exchange[]
  readonly limit: RealResult['limit']
  readonly code: number | null
  readonly lastWords: string
  readonly seconds: number
}

async function work(
  { root, home, kept }: Readonly<Record<'root' | 'home' | 'kept', string>>,
  task: RealTask,
  name: RealProgramName,
  path: string,
  { baseUrl, model, apiKey, temperature }: RealModel,
): Promise<Worked> {
  const tooMany = new AbortController()
  const proxy = await startRecordProxy({
    ...{ upstream: baseUrl, apiKey, temperature, file: join(kept, 'exchanges.jsonl') },
    ...{ mostRequests: limits.requests, onStop: () => tooMany.abort() },
  })
  try {
    const program = realPrograms[name]
    const asked = { task, model, path, baseUrl: proxy.url }
    const env = {
      ...environment(join(home, '.cache')),
      ...{ HOME: home, XDG_CONFIG_HOME: join(home, '.config'), PYTHONDONTWRITEBYTECODE: '1' },
      ...{ XDG_DATA_HOME: join(home, '.local/share'), XDG_STATE_HOME: join(home, '.local/state') },
      ...program.env(asked),
    }
    const argv = program.argv(asked)
    const run = await runChild(argv, root, env, limits.milliseconds, tooMany.signal)
    await writeFile(join(kept, 'output.txt'), run.output)
    const limit = tooMany.signal.aborted ? 'requests' : run.isTimedOut ? 'time' : null
    const lastWords = run.output.trim().split('\n').slice(-3).join(' | ')
    // What is open is cut and written down before it is counted.
    await proxy.close()
    if (proxy.fault !== null)
      throw new Error(`The model at ${baseUrl} does not answer: ${proxy.fault}`)
    return { exchanges: proxy.exchanges, limit, code: run.code, lastWords, seconds: run.seconds }
  } finally {
    await proxy.close()
  }
}

async function readVerdict(
  root: string,
  { roadmapId }: RealTask,
): Promise<{ readonly outcome: string; readonly reason: string; readonly isDone: boolean }> {
  const report: Report | null = await readFile(join(root, '.executor/report.json'), 'utf8').then(
    JSON.parse,
    () => null,
  )
  const found = report?.tasks.find(({ id }) => id === roadmapId)
  const outcome = found?.outcome ?? 'no report'
  const isDone = outcome === 'done' || outcome === 'in_review'
  return { outcome, reason: found?.reason ?? '', isDone }
}

async function keepState(root: string, kept: string): Promise<void> {
  for (const name of ['report.json', 'journal', 'attempts']) {
    const from = join(root, '.executor', name)
    if ((await stat(from).catch(() => null)) !== null)
      await cp(from, join(kept, name), { recursive: true })
  }
}

/** The task's branch, or the working tree, in a folder of its own; false without such a branch. */
async function settleResult(root: string, judged: string, id: string | null): Promise<boolean> {
  if (id === null) {
    await copyTree(root, judged)
    return true
  }
  const branch = `agent/${id}`
  if ((await git(root, 'for-each-ref', `refs/heads/${branch}`)) === '') return false
  await git(dirname(root), 'clone', '--quiet', '--branch', branch, root, judged)
  return true
}

const copyTree = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, verbatimSymlinks: true })

/** Runs the task's own tests as they were at the start. */
async function judge(
  judged: string,
  start: string,
  task: RealTask,
  home: string,
  kept: string,
): Promise<boolean> {
  for (const path of [...task.guarded, 'node_modules']) {
    const [from, to] = [join(start, path), join(judged, path)]
    await rm(to, { recursive: true, force: true })
    if ((await stat(from).catch(() => null)) !== null) await copyTree(from, to)
  }
  const env = { ...environment(join(home, 'judge')), HOME: home, PYTHONDONTWRITEBYTECODE: '1' }
  const run = await runChild(['sh', '-c', task.command], judged, env, longestTest)
  const differences = await git(dirname(judged), ...difference, start, judged).catch(
    (error: unknown) =>
      error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error),
  )
  await writeFile(join(kept, 'judged.txt'), `${run.output}\n${differences}\n`)
  return run.code === 0
}

/** Ends with 1 where there are some. */
const difference = ['--no-pager', 'diff', '--no-index', '--stat', '--patch']

async function usabilityOf(
  name: RealProgramName,
  exchanges: readonly Exchange[],
  root: string,
): Promise<Pick<RealResult, 'unusable' | 'isFirstUsable'>> {
  const { usable } = realPrograms[name]
  if (usable !== null) return usabilityByForm(exchanges, usable)
  const folder = join(root, '.executor/journal')
  const names = (await readdir(folder).catch(() => [])).filter((each) => each.endsWith('.jsonl'))
  const texts = await Promise.all(names.map((each) => readFile(join(folder, each), 'utf8')))
  const events = texts.join('').split('\n').filter(Boolean).map(readJournalLine)
  return usabilityByJournal(events.filter((event) => event !== null))
}
