/**
 * The bench of behaviour: tasks of real commits and exercises, by a modelled model, naively and by each strategy.
 * It needs clones of the repositories in one folder (`--repos DIR`), and says which are missing.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { approaches } from '../strategies/approaches.ts'
import { profiles } from '../strategies/faults.ts'
import { loadTask } from '../strategies/load-task.ts'
import { play, prepare } from '../strategies/play.ts'
import { findClone } from '../strategies/read-tree.ts'
import { addressOf } from '../strategies/sources.ts'
import type { Result } from '../strategies/summarise.ts'
import { readManifest, type Task } from '../strategies/task.ts'
import manifest from '../strategies/tasks.json' with { type: 'json' }
import type { Workshop } from '../workshop.ts'

export interface StrategyOptions {
  readonly repos: string
  readonly seed: number
  /** At most so many tasks, in turns of their kinds. */
  readonly limit: number
  readonly kind: string | undefined
  readonly way: string | undefined
  readonly profile: string | undefined
  readonly task: string | undefined
  /** Where to keep every request and answer. */
  readonly trace: string | undefined
  /** Runs at once. */
  readonly jobs: number
  /** A file of finished runs: those in it are not played again, and each new one is added. */
  readonly keep: string | undefined
}

type Kept = Result & { readonly seed: number }

export async function measureStrategies(
  workshop: Workshop,
  progress: (line: string) => void,
  options: StrategyOptions,
): Promise<readonly Result[]> {
  const place = {
    workplace: join(workshop.directory, 'strategies'),
    // Kept from one run to the next: compilers fill it for minutes.
    cache: join(tmpdir(), 'executor-bench-cache'),
    trace: options.trace,
  }
  await mkdir(place.cache, { recursive: true })
  const tasks = await loadTasks(options, progress)
  for (const task of tasks) await prepare(place, task)
  const cases = tasks.flatMap((task) =>
    profiles
      .filter(({ name }) => options.profile === undefined || name === options.profile)
      .flatMap((profile) =>
        approaches
          .filter(({ name }) => options.way === undefined || options.way.split(';').includes(name))
          .map((approach) => ({ task, profile, approach })),
      ),
  )
  progress(`${tasks.length} tasks, ${cases.length} runs`)
  const { seed, keep } = options
  const kept = keep === undefined ? [] : await readKept(keep)
  const findKept = ({ task, profile, approach }: (typeof cases)[number]) =>
    kept.find(
      (each) =>
        each.seed === seed &&
        each.task === task.id &&
        each.profile === profile.name &&
        each.approach === approach.name,
    )
  const results: Result[] = cases.flatMap((each) => findKept(each) ?? [])
  const queue = cases.filter((each) => findKept(each) === undefined).values()
  const worker = async () => {
    for (const { task, profile, approach } of queue) {
      const played = await play(place, task, approach, profile, seed)
      const result = { ...played, profile: profile.name, approach: approach.name, kind: task.kind }
      results.push(result)
      if (keep !== undefined) await appendFile(keep, `${JSON.stringify({ ...result, seed })}\n`)
      const said = `${played.isSolved ? 'solved' : 'not solved'}, ${played.outcome}, ${played.requests} requests, ${played.tokens} tokens, ${played.seconds.toFixed(1)} s`
      progress(
        `${results.length}/${cases.length} ${task.id} ${task.kind} ${profile.name} ${approach.name}: ${said}${played.isWrong ? ', WRONG BUT PASSED' : ''}${played.isSolved ? '' : ` (${played.reason.slice(0, 160)})`}`,
      )
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, worker))
  return inOrder(results)
}

async function readKept(path: string): Promise<readonly Kept[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line): Kept => JSON.parse(line))
}

async function loadTasks(
  { repos, limit, kind, task: only }: StrategyOptions,
  progress: (line: string) => void,
): Promise<readonly Task[]> {
  const { tasks: entries } = readManifest(manifest)
  const wanted = entries.filter(
    (entry) =>
      (kind === undefined || entry.kind === kind) && (only === undefined || entry.id === only),
  )
  const missing = new Set(
    wanted.map(({ repository }) => repository).filter((name) => findClone(repos, name) === null),
  )
  for (const name of missing) progress(`skipped, clone it into ${repos}: ${addressOf(name)}`)
  const there = wanted.filter(({ repository }) => !missing.has(repository))
  // Every so many, so that a quick look sees each kind.
  const step = Math.max(1, there.length / Math.max(1, limit))
  const chosen = there.filter(
    (_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step),
  )
  const tasks: Task[] = []
  for (const entry of chosen) {
    const clone = findClone(repos, entry.repository)
    if (clone !== null) tasks.push(await loadTask(clone, entry))
  }
  return tasks
}

function inOrder(results: readonly Result[]): readonly Result[] {
  const place = ({ profile, approach }: Result) =>
    profiles.findIndex(({ name }) => name === profile) * approaches.length +
    approaches.findIndex(({ name }) => name === approach)
  return results.toSorted((a, b) => place(a) - place(b))
}
