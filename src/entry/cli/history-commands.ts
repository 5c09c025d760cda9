import type { Command } from 'commander'
import type { HistoryFlags } from './open-history.ts'
import type { Terminal } from './terminal.ts'

const since = ['--since <day>', 'from this day on (2026-01-31), or so many days (7d)'] as const
const rebuild = ['--rebuild', 'make the index anew from the journals first'] as const
const github = [
  '--github',
  'bring down what runs on GitHub did (origin, GITHUB_TOKEN) first',
] as const
const json = ['--json', 'one JSON document on standard output'] as const

/** What earlier runs did, and whether another model or strategy would do better. */
export function addHistory(
  program: Command,
  terminal: Terminal,
  end: (code: number) => void,
): void {
  program
    .command('history')
    .description('what earlier runs did with each task; or stats, errors, misroutes')
    .argument('[view]', 'stats, errors or misroutes')
    .option('--task <id>', 'only this task, with all its steps')
    .option('--limit <number>', 'most lines of a list')
    .option(...since)
    .option(...github)
    .option(...rebuild)
    .option(...json)
    .action(async (view: string | undefined, flags: HistoryFlags) => {
      end(await (await import('./commands/history.ts')).history(view, flags, terminal))
    })
  program
    .command('analyze')
    .description('whether another model or strategy would serve better; nothing is changed')
    .argument('<what>', 'routing or misroutes')
    .option(...since)
    .option(...github)
    .option(...rebuild)
    .option(...json)
    .action(async (what: string, flags: HistoryFlags) => {
      end(await (await import('./commands/analyze.ts')).analyze(what, flags, terminal))
    })
}
