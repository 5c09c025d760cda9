import { Command } from 'commander'
import { options, shorthands } from '../config/options.ts'
import { version } from '../version.ts'
import { addSetUp, type Does, jsonFlag } from './set-up-commands.ts'
import type { Terminal } from './terminal.ts'

const roadmap = ['--roadmap <file>', 'path of the roadmap (default: ROADMAP.md)'] as const

const description = `Works through a repository's ROADMAP.md: one verified change per task, on a branch agent/<id>.

Try it without a key:  executor demo
In your repository:    executor init && executor run --max-tasks 1`

const exitCodes = `
Exit codes: 0 all done · 1 some failed · 2 wrong use or set-up · 3 waiting for a person
            4 limit reached or cancelled, run again to resume · 5 internal error`

export function buildProgram(terminal: Terminal): { program: Command; exitCode: () => number } {
  let code = 0
  const does: Does = (load) =>
    async function (this: Command, ...given) {
      const work = await load()
      // Commander appends the flags and the command itself to the arguments.
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
  addCheck(program, does)
  addRollback(program, does)
  addWorkspace(program, does)
  addMemory(program, does)
  addHistory(program, does)
  addExchange(program, does)
  addLint(program, does)
  addApp(program, does)
  addMcp(program, does)
  program
    .command('normalize')
    .description('print the roadmap with a checkbox for each task in signs or prose')
    .option(...roadmap)
    .option('--model <name>', 'model that reads prose')
    .option('--base-url <url>', 'endpoint of that model')
    .option('--write', 'change the file instead of printing it')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/normalize.ts')).normalize))
  addSetUp(program, does)
  program
    .command('demo')
    .description('watch a run on a sample repository, without a key or network')
    .option('--keep', 'keep the sample repository and say where it is')
    .action(does(async () => (await import('./commands/demo.ts')).demo))
  return { program, exitCode: () => code }
}

const inHelp = (description: string): string =>
  description
    .replaceAll('`', '')
    .replace(/\.$/, '')
    .replace(/^[A-Z]/, (first) => first.toLowerCase())

function addRun(program: Command, does: Does): void {
  const run = program
    .command('run')
    .description('work through the roadmap')
    .option('--task <id...>', 'only these tasks, even if they failed before')
    .option('--all', 'all open tasks (the default)')
  for (const { flag, description } of options) {
    if (flag !== null) run.option(flag, inHelp(description))
  }
  for (const { flag, description } of shorthands) run.option(flag, inHelp(description))
  run
    .option('--dry-run', 'write nothing; show the order and a forecast')
    .option('--resume', 'resume an unfinished run (the default)')
    .option('--fresh', 'discard an unfinished run; finished branches still count')
    .option('--checkout', 'check out the last branch in your own working tree at the end')
    .option('--json', 'print the report as one JSON document on standard output')
    .option('--events [file]', 'write events as JSON lines to this file, or on standard output')
    .addHelpText(
      'after',
      `
Examples:
  executor run --max-tasks 1                 one task, to see how it goes
  executor run --task T-101 --checkout       one task, then check out the result
  executor run --base-url http://localhost:11434/v1 --model qwen3-coder
  executor run --dry-run                     what a run would do and cost`,
    )
    .action(does(async () => (await import('./commands/run.ts')).run))
}

function addApp(program: Command, does: Does): void {
  const environment = `
Environment: APP_ID, PRIVATE_KEY or PRIVATE_KEY_PATH, WEBHOOK_SECRET (only for app),
             DATABASE_URL (PostgreSQL), EXECUTOR_DATA (folder of the embedded queue), HOST, PORT,
             EXECUTOR_URL, EXECUTOR_PAGES, EXECUTOR_CONCURRENCY, EXECUTOR_LOCAL_REPOSITORIES; see
             docs/app.md. Without an App, executor app serves a page that registers one.`
  program
    .command('app')
    .description('run the GitHub App, with webhooks at /api/github/webhooks')
    .option(
      '--no-worker',
      'only receive webhooks; executor worker works on them (with DATABASE_URL)',
    )
    .addHelpText('after', environment)
    .action(does(async () => (await import('./commands/app.ts')).app))
  program
    .command('worker')
    .description("run another process that works on the App's queue (with DATABASE_URL)")
    .addHelpText('after', environment)
    .action(does(async () => (await import('./commands/app.ts')).worker))
}

function addMcp(program: Command, does: Does): void {
  program
    .command('mcp')
    .description(
      'serve plan, status, context, check and run_task to editors and agents (MCP, stdio)',
    )
    .option('--repo <folder>', 'the repository to work in', '.')
    .addHelpText('after', '\nHow to add it to Claude Code, Codex, VS Code or Cursor: docs/mcp.md')
    .action(does(async () => (await import('./commands/mcp.ts')).mcp))
}

function addRollback(program: Command, does: Does): void {
  program
    .command('replay')
    .description('replay a recorded run offline, and show where it departs from the recording')
    .argument('[run]', 'a run id or its beginning, or last; without it, list the runs')
    .option('--verify <how>', 'run the tests, or skip: use the recorded results', 'run')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/replay.ts')).replay))
  program
    .command('rollback')
    .description('revert the work of a task or run with new commits, newest first')
    .argument(
      '[task|run]',
      'a task id, a run id or its beginning, or last; --last alone means last',
    )
    .option('--last <n>', 'only the newest n operations')
    .option('--with-dependents', 'also revert the tasks that build on it')
    .option('--github', 'work on GitHub (origin, with GITHUB_TOKEN) instead of in this repository')
    .option('--dry-run', 'show what would be reverted')
    .option('--yes', 'do not ask for confirmation')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/rollback.ts')).rollback))
}

function addWorkspace(program: Command, does: Does): void {
  const workspace = program
    .command('workspace')
    .description('work on several repositories as one: their roadmaps may need one another')
  const file = ['--file <file>', 'the workspace file', 'workspace.yml'] as const
  const onGitHub = 'work on GitHub (each origin, with GITHUB_TOKEN) instead of on this disk'
  const github = ['--github', onGitHub] as const
  const run = workspace
    .command('run')
    .description('run the roadmap of each repository, in the order in which they need one another')
    .option(...file)
  const perRun = ['--model', '--base-url', '--strategy', '--agent-command', '--approval-mode']
  for (const { flag, description } of options) {
    const [name = ''] = flag?.split(' ') ?? []
    if (flag !== null && perRun.includes(name)) run.option(flag, inHelp(description))
  }
  run
    .option('--max-tokens <number>', 'maximum number of tokens for all repositories together')
    .option(...github)
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/workspace.ts')).workspaceRun))
  workspace
    .command('plan')
    .description('show ready and waiting tasks, and the sets')
    .option(...file)
    .option(...github)
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/workspace.ts')).workspacePlan))
  workspace
    .command('rollback')
    .description('revert the tasks of a set, the last repository first')
    .argument('<set|task>', 'a set of the workspace file, or a task like api:T-1')
    .option(...file)
    .option(...github)
    .option('--dry-run', 'show what would be reverted')
    .option('--yes', 'do not ask for confirmation')
    .action(does(async () => (await import('./commands/workspace.ts')).workspaceRollback))
  workspace
    .command('merge')
    .description('merge the pull requests of a set on GitHub in order: all of them, or none')
    .argument('<set|task>', 'a set of the workspace file, or a task like api:T-1')
    .option(...file)
    .action(does(async () => (await import('./commands/workspace.ts')).workspaceMerge))
}

function addApply(program: Command, does: Does): void {
  program
    .command('apply')
    .description('preview what a saved model answer would change: files, edits, diffs or JSON')
    .argument('<answer>', 'a file with the answer, or - for standard input')
    .option('--repo <folder>', 'the folder that the answer changes', '.')
    .option('--write', 'change the files: all of the answer or nothing')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/apply.ts')).apply))
}

function addCheck(program: Command, does: Does): void {
  program
    .command('check')
    .description('check any change as a draft of the executor: gate, validation, tests, receipt')
    .argument('<change>', 'a branch, a commit, A..B, A...B, a patch file, or - for standard input')
    .option('--base <branch>', 'the branch or commit that it changes (default: the default branch)')
    .option('--task <id>', 'judge scope and accept commands by this task')
    .option(...roadmap)
    .option('--sarif', 'print SARIF 2.1.0 on standard output, for code scanning')
    .option('--strict', 'exit with 1 for warnings too')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/check.ts')).check))
}

function addReaders(program: Command, does: Does, terminal: Terminal): void {
  program
    .command('plan')
    .description('show the open tasks in order and in groups, with a forecast')
    .option(...roadmap)
    .option('--group <rule>', 'show what small tasks would be done in one request')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/roadmap.ts')).plan))
  program
    .command('context')
    .description('show what the first request for a task would hold, why, and its tokens')
    .argument('<task>', 'a task id')
    .option(...roadmap)
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/context.ts')).context))
  program
    .command('status')
    .description('show the status of each task, and how to answer one that waits')
    .option(...roadmap)
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/status.ts')).status))
  program
    .command('report')
    .description('show the report of the last run')
    .option(...jsonFlag)
    .option('--html', 'print the path of the HTML report')
    .action(does(async () => (await import('./commands/left-by-runs.ts')).report))
  program
    .command('parse')
    .description('read a roadmap and show its tasks and problems')
    .argument('[file]', 'a Markdown file, or - for standard input', 'ROADMAP.md')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/roadmap.ts')).parse))
  program
    .command('validate')
    .description('check files as the executor checks a change before writing it')
    .argument('<file...>', 'files, or - for standard input (with --path)')
    .option('--path <name>', 'the file name of standard input')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/validate.ts')).validate))
  program
    .command('graph')
    .description('print the graph of the steps as a mermaid diagram')
    .action(async () => terminal.print((await import('../../graph/draw-mermaid.ts')).drawMermaid()))
  program
    .command('config')
    .description('commands for the configuration')
    .command('check')
    .description(
      'check .github/executor.yml and show every value: changed ones first, then defaults',
    )
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/config-check.ts')).configCheck))
}

function addExchange(program: Command, does: Does): void {
  program
    .command('import')
    .description("add the tasks of another program's plan, or of GitHub issues, to the roadmap")
    .argument(
      '<source>',
      'a plan YAML, tasks.md, tasks.json or CSV file, - for standard input, or issues',
    )
    .option(
      '--from <format>',
      'plan, spec-kit, task-master or csv (default: by the name of the file)',
    )
    .option('--label <name>', 'issues with this label (origin, with GITHUB_TOKEN)')
    .option('--milestone <title>', 'issues of this milestone')
    .option('--write', 'change the roadmap instead of printing it')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/exchange.ts')).importPlan))
  program
    .command('export')
    .description('print the tasks of the roadmap as a plan YAML, JSON or a mermaid diagram')
    .option('--to <format>', 'plan, json or mermaid', 'plan')
    .option(...roadmap)
    .action(does(async () => (await import('./commands/exchange.ts')).exportPlan))
}

function addMemory(program: Command, does: Does): void {
  const memory = program
    .command('memory')
    .description(
      'list what earlier tasks made and the fixes that worked, as the next task may see it',
    )
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/memory.ts')).showMemory))
  memory
    .command('forget')
    .description('forget facts or fixes, by the ids that the list shows')
    .argument('<id...>', 'ids of eight characters')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/memory.ts')).forgetFacts))
  memory
    .command('edit')
    .description('correct or delete fixes and facts in your editor')
    .action(does(async () => (await import('./commands/memory.ts')).editMemory))
  memory
    .command('clear')
    .description('forget everything, and list it')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/memory.ts')).clearMemory))
}

function addLint(program: Command, does: Does): void {
  program
    .command('lint')
    .description('check a roadmap before a run, with a forecast of its cost')
    .argument('[file]', 'a Markdown file, or - for standard input; the roadmap by default')
    .option(...roadmap)
    .option('--json', 'print findings and forecast as one JSON document on standard output')
    .option('--sarif', 'print SARIF 2.1.0 on standard output, for code scanning')
    .option('--strict', 'exit with 1 for warnings too')
    .action(does(async () => (await import('./commands/lint.ts')).lint))
}

function addHistory(program: Command, does: Does): void {
  const since = [
    '--since <day>',
    'since this day (2026-01-31), or for this many days (7d)',
  ] as const
  const rebuild = ['--rebuild', 'rebuild the index from the journals first'] as const
  const github = [
    '--github',
    'download the history of runs on GitHub first (origin, with GITHUB_TOKEN)',
  ] as const
  const history = program
    .command('history')
    .description('show what earlier runs did with each task; or stats, errors, misroutes')
    .argument('[view]', 'stats, errors or misroutes')
    .option('--task <id>', 'only this task, with all its steps')
    .option('--limit <number>', 'maximum lines of a list')
    .action(does(async () => (await import('./commands/history.ts')).history))
  const analyze = program
    .command('analyze')
    .description('show whether another model or strategy would work better')
    .argument('<what>', 'routing, misroutes or learning')
    .option('--apply', 'propose the advice on routing with a pull request, or print the diff')
    .action(does(async () => (await import('./commands/history.ts')).analyze))
  for (const command of [history, analyze]) {
    command
      .option(...since)
      .option(...github)
      .option(...rebuild)
      .option(...jsonFlag)
  }
}
