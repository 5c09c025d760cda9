import { Command } from 'commander'
import { options, shorthands } from '../config/options.ts'
import { version } from '../version.ts'
import type { Terminal } from './terminal.ts'

/** What a command does, given its arguments, its flags and the terminal; answers the exit code. */
type Work = (...given: never[]) => Promise<number>
type Does = (
  load: () => Promise<Work>,
) => (this: Command, ...given: readonly unknown[]) => Promise<void>

const json = ['--json', 'one JSON document on standard output'] as const
const roadmap = ['--roadmap <file>', 'the roadmap; ROADMAP.md by default'] as const

const description = `Works through a repository's ROADMAP.md: one verified change per task, on a branch agent/<id>.

A first try, without a key:   executor demo
In a repository of yours:     executor init && executor plan && executor run --max-tasks 1`

const exitCodes = `
Exit codes: 0 all done · 1 some failed · 2 wrong use or set-up · 3 waiting for a person
            4 a limit or a cancel, run again to go on · 5 a bug of ours`

export function buildProgram(terminal: Terminal): { program: Command; exitCode: () => number } {
  let code = 0
  const does: Does = (load) =>
    async function (this: Command, ...given) {
      const work = await load()
      // Behind its arguments it is given its flags and itself.
      const all = [...given.slice(0, -2), this.optsWithGlobals()]
      code = await Reflect.apply(work, undefined, [...all.slice(0, work.length - 1), terminal])
    }
  const program = new Command('executor')
    .description(description)
    .version(version)
    .addHelpText('after', exitCodes)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: (text) => terminal.say(text.trimEnd()) })

  addRun(program, does)
  addReaders(program, does, terminal)
  addApply(program, does)
  addRollback(program, does)
  addMemory(program, does)
  addHistory(program, does)
  addLint(program, does)
  addApp(program, does)
  program
    .command('normalize')
    .description('the roadmap with a check box for each task that is told by a sign or in prose')
    .option(...roadmap)
    .option('--model <name>', 'model that reads prose')
    .option('--base-url <url>', 'endpoint of that model')
    .option('--write', 'put it into the file instead of printing it')
    .option(...json)
    .action(does(async () => (await import('./commands/normalize.ts')).normalize))
  program
    .command('init')
    .description(
      'inspect the repository and write the files it lacks: workflow, configuration, sample roadmap',
    )
    .option('--model <name>', 'model for the configuration')
    .option('--base-url <url>', 'endpoint for the configuration')
    .option('--workflow <shape>', 'full, nightly, comments, issues or matrix', 'full')
    .option('--action <owner/repo@ref>', 'the Action of a fork or a mirror, for the workflow')
    .option('--yes', 'ask nothing: take what was found')
    .action(does(async () => (await import('./commands/init.ts')).init))
  program
    .command('doctor')
    .description(
      'try everything that a run needs: folders, roadmap, key and model (one short call), sandbox, GitHub',
    )
    .option('--model <name>', 'try this model instead of the configured one')
    .option('--no-model', 'look the model up, but do not call it')
    .option('--base-url <url>', 'try this endpoint instead of the configured one')
    .action(does(async () => (await import('./commands/doctor.ts')).doctor))
  program
    .command('demo')
    .description(
      'watch it work: a sample repository, a GitHub of our own and a scripted model; no key, no network',
    )
    .option('--keep', 'keep the sample repository and say where it is')
    .action(does(async () => (await import('./commands/demo.ts')).demo))
  return { program, exitCode: () => code }
}

function addRun(program: Command, does: Does): void {
  const run = program
    .command('run')
    .description('work through the roadmap')
    .option('--task <id...>', 'only these tasks, also ones that failed before')
    .option('--all', 'all open tasks (the default)')
  for (const { flag, description } of options) {
    if (flag !== null) run.option(flag, description.replaceAll('`', ''))
  }
  for (const { flag, description } of shorthands) run.option(flag, description.replaceAll('`', ''))
  run
    .option('--dry-run', 'write nothing anywhere; show the order and a forecast')
    .option('--resume', 'go on with an unfinished run (the default)')
    .option('--fresh', 'forget an unfinished run; finished branches are still found')
    .option('--checkout', 'end on the last branch, in your own checkout')
    .option('--json', 'print the report as one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  executor run --max-tasks 1                 one task, to see how it does
  executor run --task T-101 --checkout       one task, and look at the result
  executor run --base-url http://localhost:11434/v1 --model qwen3-coder
  executor run --dry-run                     what would be done, and what it would cost`,
    )
    .action(does(async () => (await import('./commands/run.ts')).run))
}

function addApp(program: Command, does: Does): void {
  const environment = `
Environment: APP_ID, PRIVATE_KEY or PRIVATE_KEY_PATH, WEBHOOK_SECRET (of the App only),
             DATABASE_URL (PostgreSQL), EXECUTOR_DATA (folder of the embedded queue), HOST, PORT,
             EXECUTOR_CONCURRENCY, EXECUTOR_LOCAL_REPOSITORIES; docs/app.md says what each is.`
  program
    .command('app')
    .description('the GitHub App: take webhooks at /api/github/webhooks and work on them in order')
    .option('--no-worker', 'only take webhooks; executor worker works on them (with DATABASE_URL)')
    .addHelpText('after', environment)
    .action(does(async () => (await import('./commands/app.ts')).app))
  program
    .command('worker')
    .description('one more process that works on what the App was told (with DATABASE_URL)')
    .addHelpText('after', environment)
    .action(does(async () => (await import('./commands/app.ts')).worker))
}

function addRollback(program: Command, does: Does): void {
  program
    .command('replay')
    .description('a recorded run once more, offline, and where it departs from the recording')
    .argument('[run]', 'a run id or its beginning, or last; lists the runs when not given')
    .option(
      '--verify <how>',
      'run the tests, or skip: take what they said from the recording',
      'run',
    )
    .option(...json)
    .action(does(async () => (await import('./commands/replay.ts')).replay))
  program
    .command('rollback')
    .description(
      'take back what the bot did about a task, or in a run: by new commits, newest first',
    )
    .argument(
      '[task|run]',
      'a task id, a run id or its beginning, or last; --last alone means last',
    )
    .option('--last <n>', 'only the newest n operations')
    .option('--with-dependents', 'also the tasks that are built on it')
    .option('--github', 'on GitHub (origin, with GITHUB_TOKEN) instead of in this repository')
    .option('--dry-run', 'show what would be taken back')
    .option('--yes', 'do not ask')
    .option(...json)
    .action(does(async () => (await import('./commands/rollback.ts')).rollback))
}

function addApply(program: Command, does: Does): void {
  program
    .command('apply')
    .description("what the bot would make of a model's answer: files, edits, diffs, or JSON")
    .argument('<answer>', 'a file with the answer, or - for standard input')
    .option('--repo <folder>', 'the folder the answer is about', '.')
    .option('--write', 'change the files; all of the answer, or nothing')
    .option(...json)
    .action(does(async () => (await import('./commands/apply.ts')).apply))
}

function addReaders(program: Command, does: Does, terminal: Terminal): void {
  program
    .command('plan')
    .description(
      'the open tasks in order, in groups that do not depend on each other, with a forecast',
    )
    .option(...roadmap)
    .option(...json)
    .action(does(async () => (await import('./commands/roadmap.ts')).plan))
  program
    .command('status')
    .description('each task: done, on a branch, running, failed and why, waiting and how to answer')
    .option(...roadmap)
    .option(...json)
    .action(does(async () => (await import('./commands/status.ts')).status))
  program
    .command('report')
    .description('the report of the last run')
    .option(...json)
    .option('--html', 'say where the report is as a web page')
    .action(does(async () => (await import('./commands/left-by-runs.ts')).report))
  program
    .command('parse')
    .description('read a roadmap and show its tasks and problems')
    .argument('[file]', 'a Markdown file, or - for standard input', 'ROADMAP.md')
    .option(...json)
    .action(does(async () => (await import('./commands/roadmap.ts')).parse))
  program
    .command('validate')
    .description('check files as the bot checks a change before writing it')
    .argument('<file...>', 'files, or - for standard input (with --path)')
    .option('--path <name>', 'the name that standard input stands for')
    .option(...json)
    .action(does(async () => (await import('./commands/validate.ts')).validate))
  program
    .command('graph')
    .description('the steps and what follows what, as a mermaid drawing')
    .action(async () => terminal.print((await import('../../graph/draw-mermaid.ts')).drawMermaid()))
  program
    .command('config')
    .description('the configuration')
    .command('check')
    .description(
      'check .github/executor.yml and show every value: changed ones first, then defaults',
    )
    .option(...json)
    .action(does(async () => (await import('./commands/config-check.ts')).configCheck))
}

function addMemory(program: Command, does: Does): void {
  const memory = program
    .command('memory')
    .description('fixes of errors that worked, offered first next time')
    .option(...json)
    .action(does(async () => (await import('./commands/left-by-runs.ts')).showMemory))
  memory
    .command('clear')
    .description('forget them all, and say which')
    .option(...json)
    .action(does(async () => (await import('./commands/left-by-runs.ts')).clearMemory))
}

function addLint(program: Command, does: Does): void {
  program
    .command('lint')
    .description(
      'check a roadmap before money is spent on it, with a forecast of what it will take',
    )
    .argument('[file]', 'a Markdown file, or - for standard input; the roadmap by default')
    .option(...roadmap)
    .option('--json', 'findings and forecast as one JSON document on standard output')
    .option('--sarif', 'SARIF 2.1.0 on standard output, for code scanning')
    .option('--strict', 'exit with 1 for a warning, too')
    .action(does(async () => (await import('./commands/lint.ts')).lint))
}

function addHistory(program: Command, does: Does): void {
  const since = ['--since <day>', 'from this day on (2026-01-31), or so many days (7d)'] as const
  const rebuild = ['--rebuild', 'make the index anew from the journals first'] as const
  const github = [
    '--github',
    'bring down what runs on GitHub did (origin, GITHUB_TOKEN) first',
  ] as const
  const history = program
    .command('history')
    .description('what earlier runs did with each task; or stats, errors, misroutes')
    .argument('[view]', 'stats, errors or misroutes')
    .option('--task <id>', 'only this task, with all its steps')
    .option('--limit <number>', 'most lines of a list')
    .action(does(async () => (await import('./commands/history.ts')).history))
  const analyze = program
    .command('analyze')
    .description('whether another model or strategy would serve better; nothing is changed')
    .argument('<what>', 'routing or misroutes')
    .action(does(async () => (await import('./commands/history.ts')).analyze))
  for (const command of [history, analyze]) {
    command
      .option(...since)
      .option(...github)
      .option(...rebuild)
      .option(...json)
  }
}
