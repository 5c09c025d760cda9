/**
 * The bench with a real model: tasks with tests of their own, worked by the executor and by other programs
 * against the same server. Requests, answers and results are kept, so that a stopped bench resumes.
 */
import { mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addResult, readResults } from '../../harness/results-file.ts'
import { playReal, type RealModel, type RealResult } from '../real-model/play-task.ts'
import { readRealTasks } from '../real-model/read-tasks.ts'
import { type RealProgramName, realProgramNames } from '../real-model/real-programs.ts'
import type { Choice } from '../real-model/real-task.ts'
import type { Workshop } from '../workshop.ts'

export interface RealModelOptions extends RealModel, Omit<Choice, 'cache'> {
  readonly tasks: string
  /** Only this task of the chosen ones. */
  readonly only: string | undefined
  /** Where each program is. */
  readonly programs: readonly { readonly name: RealProgramName; readonly path: string }[]
  readonly keep: string
  readonly resume: boolean
}

export async function measureRealModel(
  workshop: Workshop,
  progress: (line: string) => void,
  options: RealModelOptions,
): Promise<readonly RealResult[]> {
  const { keep, resume, programs, only } = options
  const cache = join(tmpdir(), 'executor-bench-cache')
  await mkdir(keep, { recursive: true })
  const file = join(keep, 'results.jsonl')
  if (!resume) await setAside(keep)
  const known = await readResults<RealResult>(file)
  const read = await readRealTasks(options.tasks, { ...options, cache })
  const tasks = read.filter(({ id }) => only === undefined || id === only)
  const place = { workplace: join(workshop.directory, 'real-model'), keep }
  const results: RealResult[] = []
  const total = tasks.length * programs.length
  for (const task of tasks) {
    for (const { name, path } of programs) {
      const found = known.findLast(
        (each) =>
          each.program === name &&
          each.task === task.id &&
          each.model === options.model &&
          each.temperature === options.temperature,
      )
      const result = found ?? (await playReal(place, task, name, path, options))
      if (found === undefined) await addResult(file, result)
      results.push(result)
      progress(`${results.length}/${total} ${describe(result)}`)
    }
  }
  return results
}

/** What an earlier bench left in the folder stays, under another name. */
async function setAside(keep: string): Promise<void> {
  const at = new Date().toISOString().replaceAll(':', '-')
  for (const name of ['results.jsonl', 'runs'])
    await rename(join(keep, name), join(keep, `${at}-${name}`)).catch(() => undefined)
}

function describe(result: RealResult): string {
  const { task, program, requests, promptTokens, completionTokens, modelSeconds, outcome } = result
  const verdict = result.isWrong
    ? 'WRONG BUT PASSED'
    : result.isSolved
      ? 'solved'
      : result.isRight
        ? 'right, but not solved'
        : 'not solved'
  const spent = `${requests} requests, ${promptTokens + completionTokens} tokens, ${modelSeconds.toFixed(0)} s of the model`
  const twice = result.repeats > 0 ? `, ${result.repeats} sent twice` : ''
  const why = result.isSolved ? '' : ` (${result.reason.slice(0, 160)})`
  return `${task} ${program}: ${verdict}, ${outcome}, ${spent}${twice}${why}`
}

/** The executor's name comes first, whatever the order of the others. */
export function choosePrograms(
  wanted: string,
  paths: Readonly<Partial<Record<RealProgramName, string>>>,
): readonly { readonly name: RealProgramName; readonly path: string }[] | string {
  const names = ['executor', ...wanted.split(',').filter(Boolean)]
  const unknown = names.find((name) => !realProgramNames.some((known) => known === name))
  if (unknown !== undefined) return `--with knows ${realProgramNames.join(', ')}, not ${unknown}.`
  const chosen = realProgramNames.filter((name) => names.includes(name))
  const missing = chosen.find((name) => paths[name] === undefined)
  if (missing !== undefined) return `Say where ${missing} is.`
  return chosen.map((name) => ({ name, path: paths[name] ?? '' }))
}
