/** One task worked by the executor or naively, and judged by the solution's own tests. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { commitAll, git } from '../../harness/git.ts'
import { runChild } from '../../harness/run-child.ts'
import { environment } from '../../harness/run-program.ts'
import type { RecordedModelRequest } from '../../packages/github-simulator/model/model-script.ts'
import { startModelServer } from '../../packages/github-simulator/model/start-model-server.ts'
import { project } from '../workshop.ts'
import type { Profile } from './faults.ts'
import { createModel } from './model.ts'
import { type Spent, workNaively } from './naive.ts'
import { runTests, writeTree } from './run-tests.ts'
import type { Task } from './task.ts'

/** One row of the table: naive with so many requests, or the executor with these settings. */
export interface Approach {
  readonly name: string
  readonly naive?: number
  /** Lines of `.github/executor.yml`. */
  readonly settings?: readonly string[]
  /** Each task has the history of those before it. */
  readonly learns?: boolean
}

export interface Played extends Spent {
  readonly task: string
  readonly isSolved: boolean
  /** The program says `passed`, and the tests say no. */
  readonly isWrong: boolean
  readonly seconds: number
  readonly outcome: string
  readonly reason: string
}

const id = 'T-1'
const longest = 600_000
const shared = ['test-command', 'recovery: false', 'dashboard: false', 'sandbox: off']

export interface Place {
  /** A folder of this bench's own. */
  readonly workplace: string
  readonly cache: string
  /** Where to keep what was asked and answered. */
  readonly trace?: string | undefined
}

/** The tree that every run of this task starts from, as a repository with one commit. */
export async function prepare({ workplace }: Place, task: Task): Promise<void> {
  const root = join(workplace, 'start', task.id)
  await writeTree(root, task.files)
  await writeTree(root, [
    ['ROADMAP.md', `# Roadmap\n\n- [ ] ${id}: ${task.text}\n  - **Accept**: \`${task.accept}\`\n`],
  ])
  await git(root, 'init', '--quiet', '--initial-branch=main')
  await commitAll(root, 'Start')
}

export async function play(
  place: Place,
  task: Task,
  approach: Approach,
  profile: Profile,
  seed: number,
): Promise<Played> {
  const name = `${task.id} ${approach.name} ${profile.name}`.replaceAll(/[^\w-]+/g, '-')
  const root = join(place.workplace, 'runs', name)
  await mkdir(dirname(root), { recursive: true })
  await cp(join(place.workplace, 'start', task.id), root, { recursive: true })
  const started = performance.now()
  try {
    const done =
      approach.naive === undefined
        ? await workOurs(root, place, task, approach, profile, seed)
        : await playNaive(root, place, task, approach.naive, profile, seed)
    const seconds = done.seconds ?? (performance.now() - started) / 1000
    const isGreen = done.tree !== null && (await judge(done.tree, task, place))
    const { requests, tokens, outcome, reason } = done
    const isSolved = isGreen && done.isFinished
    const isWrong = done.isPassed && !isGreen
    return { task: task.id, requests, tokens, seconds, outcome, reason, isSolved, isWrong }
  } finally {
    await rm(root, { recursive: true, force: true })
    await rm(`${root}-judged`, { recursive: true, force: true })
  }
}

interface Done extends Spent {
  /** Where the work stands, or null where there is none. */
  readonly tree: string | null
  readonly isFinished: boolean
  readonly isPassed: boolean
  readonly outcome: string
  readonly reason: string
  readonly seconds?: number
}

async function playNaive(
  root: string,
  { cache }: Place,
  task: Task,
  requests: number,
  profile: Profile,
  seed: number,
): Promise<Done> {
  const model = createModel(task, profile, seed, 'whole')
  const spent = await workNaively(root, task, model, { requests, cache })
  const rest = { isFinished: true, isPassed: false, outcome: 'written', reason: '' }
  return { ...spent, tree: root, ...rest }
}

interface Report {
  readonly tasks: readonly {
    readonly id: string
    readonly outcome: string
    readonly reason?: string
    readonly receipt?: { readonly result?: string } | null
  }[]
}

async function workOurs(
  root: string,
  { cache, trace, workplace }: Place,
  task: Task,
  approach: Approach,
  profile: Profile,
  seed: number,
): Promise<Done> {
  const [command, ...rest] = shared
  const settings = [
    `${command}: ${JSON.stringify(task.accept)}`,
    ...rest,
    `history: ${approach.learns === true}`,
    ...(approach.settings ?? []),
  ]
  await writeTree(root, [['.github/executor.yml', `${settings.join('\n')}\n`]])
  await commitAll(root, 'Settings')
  const past = join(workplace, 'past', `${approach.name} ${profile.name}`)
  const kept = ['journal', 'results.jsonl'].map(
    (name) => [join(past, name), join(root, '.executor', name)] as const,
  )
  if (approach.learns) for (const [from, to] of kept) await copy(from, to)
  const model = createModel(task, profile, seed, 'edits')
  const said: string[] = []
  const faults: unknown[] = []
  const server = await startModelServer({
    script: [
      {
        when: {},
        answers: [
          (request) => {
            try {
              const answer = model.answer(request)
              said.push(answer)
              return answer
            } catch (error) {
              faults.push(error)
              throw error
            }
          },
        ],
      },
    ],
    countTokens,
  })
  const started = performance.now()
  try {
    const argv = [
      ...[process.execPath, join(project, 'dist/cli.cjs'), 'run', '--task', id, '--fresh'],
      ...['--model', 'scripted', '--base-url', server.url, '--no-pause-destructive'],
    ]
    const run = await runChild(argv, root, environment(cache), longest)
    if (approach.learns) for (const [to, from] of kept) await copy(from, to)
    const seconds = (performance.now() - started) / 1000
    // A bug of this bench is no fault of the program.
    if (faults.length > 0) throw faults[0]
    const report: Report | null = await readFile(join(root, '.executor/report.json'), 'utf8').then(
      JSON.parse,
      () => null,
    )
    const found = report?.tasks.find((each) => each.id === id)
    const prompts = server.requests.reduce((sum, { promptTokens }) => sum + promptTokens, 0)
    const completion = said.reduce((sum, answer) => sum + countTokens(answer), 0)
    if (trace !== undefined) {
      await writeTrace(
        join(trace, `${task.id} ${approach.name} ${profile.name}.md`),
        server.requests,
        said,
      )
    }
    const outcome = run.isTimedOut ? 'timed out' : (found?.outcome ?? 'no report')
    return {
      requests: server.requests.length,
      tokens: prompts + completion,
      tree: await treeOf(root),
      isFinished: ['done', 'in_review', 'unverified'].includes(outcome),
      isPassed: found?.receipt?.result === 'passed',
      outcome,
      reason: found?.reason ?? run.output.trim().split('\n').slice(-3).join(' | '),
      seconds,
    }
  } finally {
    await server.close()
  }
}

/** Where there is something to copy. */
const copy = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, force: true }).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function writeTrace(
  path: string,
  requests: readonly RecordedModelRequest[],
  said: readonly string[],
): Promise<void> {
  const texts = requests.map(({ purpose, messages }, index) => {
    const shown = messages.map(({ role, content }) => `### ${role}\n${content}`).join('\n')
    return `# ${index + 1}: ${purpose}\n${shown}\n### ANSWER\n${said[index] ?? ''}\n`
  })
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, texts.join('\n'))
}

/** The task's branch in a folder of its own; `null` where there is none. */
async function treeOf(root: string): Promise<string | null> {
  const branch = `agent/${id}`
  if ((await git(root, 'for-each-ref', `refs/heads/${branch}`)) === '') return null
  await git(root, 'worktree', 'add', '--quiet', '--detach', `${root}-judged`, branch)
  return `${root}-judged`
}

/** The solution's own tests, as they were, on what was made. */
async function judge(tree: string, task: Task, { cache }: Place): Promise<boolean> {
  await writeTree(
    tree,
    task.tests.map((path) => [path, task.files.get(path) ?? ''] as const),
  )
  return (await runTests(tree, task, cache)).isGreen
}
