/** One roadmap worked by the executor or by the floor, with a scripted model, and what it took. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type {
  ModelScript,
  RecordedModelRequest,
} from '../packages/github-simulator/model/model-script.ts'
import { startModelServer } from '../packages/github-simulator/model/start-model-server.ts'
import { watchForBrokenFiles } from './watch-for-broken-files.ts'
import {
  environment,
  makeRepository,
  type ProgramRun,
  project,
  runProgram,
  type Workshop,
} from './workshop.ts'

export interface Scenario {
  readonly name: string
  /** The repository, with its ROADMAP.md. */
  readonly files: Readonly<Record<string, string>>
  /** The task in words, for the floor; its first line is the commit's title. */
  readonly task: string
  readonly answers: Readonly<Record<Worker, ModelScript>>
}

export type Worker = 'executor' | 'floor'

export interface Work extends ProgramRun {
  readonly requests: readonly RecordedModelRequest[]
  /** Milliseconds from the spawn to each model request. */
  readonly requestedAt: readonly number[]
  /** Different broken texts seen on disk; 0 unless they were looked for. */
  readonly brokenFiles: number
  /** The repository afterwards. */
  readonly root: string
}

export interface Conditions {
  readonly reportMemory?: boolean
  /** Looks at the disk all the while, which costs time. */
  readonly watchFiles?: boolean
  /** More flags of `executor run`. */
  readonly flags?: readonly string[]
  /** How often the floor may ask; 2 when not said. */
  readonly tries?: number
  /** How the floor runs the tests; `npm test` when not said. */
  readonly tests?: string
  /** How long the model thinks about every answer; not at all when not said. */
  readonly latencySeconds?: number
}

/** Always a new repository, and a new home without a cache; the program's compiled code stays beside it. */
export async function work(
  workshop: Workshop,
  worker: Worker,
  scenario: Scenario,
  conditions: Conditions = {},
): Promise<Work> {
  const root = await makeRepository(workshop, scenario.files)
  const home = await mkdtemp(join(workshop.directory, 'home-'))
  const { latencySeconds = 0 } = conditions
  const model = await startModelServer({ script: scenario.answers[worker], latencySeconds })
  const watch = conditions.watchFiles ? watchForBrokenFiles([root, home]) : null
  const commands: Readonly<Record<Worker, readonly string[]>> = {
    executor: [
      join(project, 'dist/cli.cjs'),
      ...['run', '--model', 'scripted', '--base-url', model.url],
      ...(conditions.flags ?? []),
    ],
    floor: [
      workshop.floor,
      ...[model.url, `${conditions.tries ?? 2}`, conditions.tests ?? 'npm test', scenario.task],
    ],
  }
  try {
    const started = Date.now()
    const run = await runProgram(commands[worker], root, environment(home), conditions)
    const requestedAt = model.requests.map(({ at }) => Date.parse(at) - started)
    const brokenFiles = (await watch?.stop()) ?? 0
    return { ...run, requests: model.requests, requestedAt, brokenFiles, root }
  } finally {
    await watch?.stop()
    await model.close()
  }
}

/** The same, for work that must succeed: a figure of a failed run would say nothing. */
export async function workToTheEnd(...given: Parameters<typeof work>): Promise<Work> {
  const done = await work(...given)
  if (done.exitCode === 0) return done
  throw new Error(`${given[1]} failed at ${given[2].name} (${done.exitCode}):\n${done.stderr}`)
}

/** Tokens of everything the model was sent, tools that it was offered among it, as o200k_base counts them. */
export function promptTokens(requests: readonly RecordedModelRequest[]): number {
  const texts = requests.flatMap(({ messages, tools }) => [
    ...messages.map(({ content }) => content),
    ...tools.map(({ definition }) => definition),
  ])
  return texts.reduce((sum, content) => sum + countTokens(content), 0)
}
