import { readFile, rm } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { startModelServer } from '../packages/github-simulator/model/start-model-server.ts'
import type { ModelScript } from '../packages/github-simulator/model.ts'
import type { Report, TaskReport } from '../src/publish/report/build-report.ts'
import { git, identity } from './git.ts'
import { runChild } from './run-child.ts'

export const project = dirname(import.meta.dirname)

/** Milliseconds that one case may take. */
export const longestCase = 600_000

/** The commit of this project, with a plus where its sources are not as committed. */
export async function programCommit(): Promise<string> {
  const sha = await git(project, 'rev-parse', '--short=10', 'HEAD')
  return (await git(project, 'status', '--porcelain', '--', 'src')) === '' ? sha : `${sha}+`
}

/** What one run of the program on one task came to. */
export interface ProgramRun {
  /** A verdict of the program, `timed out`, or `no report`. */
  readonly outcome: TaskReport['outcome'] | 'timed out' | 'no report'
  readonly receipt: 'passed' | 'unverified' | 'failed' | null
  readonly exitCode: number | null
  readonly requests: number
  /** How the second request begins: what the program had against the first answer. */
  readonly objection: string | null
  readonly seconds: number
  /** What the attempt that was kept says of itself, else the report, else the last that was printed. */
  readonly reason: string
  /** What the receipt tells a reviewer: commands with their exit codes, warnings, notes. */
  readonly told: readonly string[]
}

interface Asked {
  readonly repository: string
  readonly task: string
  readonly script: ModelScript
  readonly flags: readonly string[]
  /** A folder for caches that cases share. */
  readonly cache: string
  readonly milliseconds: number
}

/** `executor run --task` in a process of its own, against a scripted model. */
export async function runProgram(asked: Asked): Promise<ProgramRun> {
  const { repository, task, script, flags, cache, milliseconds } = asked
  const written = join(repository, '.executor/report.json')
  await rm(written, { force: true })
  await rm(join(repository, `.executor/attempts/${task}.md`), { force: true })
  const model = await startModelServer({ script })
  try {
    const argv = [
      ...[process.execPath, join(project, 'dist/cli.cjs'), 'run', '--task', task, '--fresh'],
      ...['--model', 'scripted', '--base-url', model.url, ...flags],
    ]
    const run = await runChild(argv, repository, environment(cache), milliseconds)
    const report: Report | null = await readFile(written, 'utf8').then(JSON.parse, () => null)
    const found = report?.tasks.find(({ id }) => id === task)
    const kept = await readFile(join(repository, `.executor/attempts/${task}.md`), 'utf8').catch(
      () => '',
    )
    const lastWords = run.output.trim().split('\n').slice(-3).join(' | ')
    const why = /^# .*\n\n(?!#)(.+)/.exec(kept)?.[1] ?? found?.reason
    return {
      outcome: run.isTimedOut ? 'timed out' : (found?.outcome ?? 'no report'),
      receipt: found?.receipt?.result ?? null,
      exitCode: run.code,
      requests: model.requests.length,
      objection: model.requests[1]?.messages.at(-1)?.content.slice(0, 500) ?? null,
      seconds: Math.round(run.seconds * 10) / 10,
      reason: why || (found === undefined || run.isTimedOut ? lastWords : ''),
      told: tell(found?.receipt ?? null),
    }
  } finally {
    await model.close()
  }
}

const tell = (receipt: TaskReport['receipt']): readonly string[] =>
  receipt === null
    ? []
    : [
        ...receipt.commands.map(({ command, exitCode }) => `${command} → ${exitCode}`),
        ...(receipt.warnings ?? []),
        ...receipt.notes,
      ]

/** Without the folders that `npm run` puts first: a repository must not find this project's packages. */
const pathOutside = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))

/** This machine's tools, this very Node, and nothing that says who runs us or with which settings. */
export function environment(cache: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(GITHUB_|EXECUTOR_|OPENAI_|INIT_CWD$|CI$|npm_(?!config_))/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    ...identity,
    PATH: [dirname(process.execPath), ...pathOutside].join(delimiter),
    XDG_CACHE_HOME: cache,
    OPENAI_API_KEY: 'sk-scripted-0123456789',
    npm_config_manage_package_manager_versions: 'false',
  }
}
