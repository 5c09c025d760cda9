import type { Command } from 'commander'

/** Runs a command with its arguments, its flags and the terminal; returns the exit code. */
export type Work = (...given: never[]) => Promise<number>
export type Does = (
  load: () => Promise<Work>,
) => (this: Command, ...given: readonly unknown[]) => Promise<void>

export const jsonFlag = ['--json', 'print one JSON document on standard output'] as const

/** The commands around a run: `init`, `doctor` and `calibrate`. */
export function addSetUp(program: Command, does: Does): void {
  program
    .command('init')
    .description('write a workflow, a configuration and a sample roadmap if missing')
    .option('--model <name>', 'model for the configuration')
    .option('--base-url <url>', 'endpoint for the configuration')
    .option('--workflow <shape>', 'full, nightly, comments, issues or matrix', 'full')
    .option('--action <owner/repo@ref>', 'use the Action of a fork or a mirror in the workflow')
    .option('--yes', 'ask nothing; use what was found')
    .action(does(async () => (await import('./commands/init.ts')).init))
  program
    .command('doctor')
    .description('check what a run needs: folders, roadmap, key, model, sandbox, GitHub')
    .option('--model <name>', 'try this model instead of the configured one')
    .option('--no-model', 'look the model up, but do not call it')
    .option('--base-url <url>', 'try this endpoint instead of the configured one')
    .action(does(async () => (await import('./commands/doctor.ts')).doctor))
  program
    .command('calibrate')
    .description('measure what the model can do with eight tiny tasks; shows the cost first')
    .option('--model <name>', 'measure this model instead of the configured one')
    .option('--base-url <url>', 'measure at this endpoint instead of the configured one')
    .option('--yes', 'do not ask for confirmation')
    .option(...jsonFlag)
    .action(does(async () => (await import('./commands/calibrate.ts')).calibrateModel))
}
