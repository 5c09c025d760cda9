import { findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { findRun } from '../../../core/journal/find-run.ts'
import type { Store } from '../../../core/ports/store.ts'
import { type Replay, type ReplayedStep, replayRun } from '../../../runs/replay/replay-run.ts'
import { composeLocal } from '../../compose/compose-local.ts'
import type { Flags } from '../flags.ts'
import { inSession } from '../interrupt.ts'
import { loadSettings } from '../load-settings.ts'
import type { Terminal } from '../terminal.ts'

const exitCodes = { same: 0, departed: 1, impossible: 2 } as const

/** `executor replay`: returns 0 for the same result, 1 for another, 2 if impossible. Lists runs without one. */
export async function replay(
  asked: string | undefined,
  flags: Flags<'json', 'verify'>,
  terminal: Terminal,
): Promise<number> {
  const verify = flags.verify ?? 'run'
  if (verify !== 'run' && verify !== 'skip') {
    throw new ExecutorError('bad_usage', `--verify takes run or skip, not ${verify}.`)
  }
  const repository = await findRepository(terminal.directory)
  const settings = await loadSettings(repository.root, {}, terminal)
  const common = { repository, settings, apiKey: 'none', isTTY: false, dryRun: true }
  const open = (signal: AbortSignal) => composeLocal({ ...common, signal })
  return inSession(terminal, open, async ({ ports }, signal) => {
    const runs = await ports.store.runs()
    if (asked === undefined) return listRuns(runs, ports.store, terminal)
    const run = findRun(asked, runs)
    const started = (await ports.store.journal(run)).find((event) => event.kind === 'started')
    const name = started?.model ?? settings.model.name
    terminal.say(`${run}, recorded with ${name}`)
    const result = await replayRun(
      run,
      { ...ports, settings: { ...settings, model: { ...settings.model, name } } },
      {
        skipTests: verify === 'skip',
        signal,
        told: (step) => terminal.say(describeStep(step, terminal)),
      },
    )
    terminal.say(describeResult(result))
    if (flags.json) terminal.print(JSON.stringify({ run, ...result }, null, 2))
    return exitCodes[result.status]
  })
}

async function listRuns(
  runs: readonly string[],
  store: Pick<Store, 'journal'>,
  terminal: Terminal,
): Promise<number> {
  if (runs.length === 0) terminal.say('No run is recorded here yet: executor run records one.')
  for (const run of runs.toReversed()) {
    const events = await store.journal(run)
    const count = events.filter(({ kind }) => kind === 'stepped').length
    const end = events.findLast((event) => event.kind === 'ended')
    const how = end === undefined ? 'cut off' : (end.stopped ?? 'ended')
    terminal.print(`${run}  ${events[0]?.at ?? ''}  ${count} steps, ${how}`)
  }
  return 0
}

function describeStep(
  { node, task, outcome, recorded, differences }: ReplayedStep,
  { paint }: Terminal,
): string {
  const isSame = outcome === recorded
  const mark = !isSame
    ? paint('red', '✖')
    : differences.length > 0
      ? paint('yellow', '≠')
      : paint('green', '✔')
  const was = isSame ? '' : `; recorded: ${recorded ?? 'nothing more'}`
  const line = `${mark} ${node.padEnd(17)} ${(task ?? '').padEnd(8)} ${outcome ?? 'not reached'}${was}`
  return [line, ...differences.map((difference) => `    ${difference}`)].join('\n')
}

function describeResult(result: Replay): string {
  if (result.status === 'impossible') return `It cannot be replayed. ${result.reason}`
  const { steps, status } = result
  if (status === 'same') return `The same result in ${steps.length} steps.`
  const first = steps.findIndex(
    ({ outcome, recorded, differences }) => outcome !== recorded || differences.length > 0,
  )
  return `It departs from the recording at step ${first + 1}, ${steps[first]?.node}.`
}
