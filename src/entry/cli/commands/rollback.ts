import { createTerminalPerson } from '../../../adapters/terminal-person.ts'
import { findRepository } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import {
  type DoneOperation,
  planRollback,
  type RollbackPlan,
  rollBack,
} from '../../../runs/rollback/roll-back.ts'
import type { Session } from '../../compose/compose.ts'
import type { Flags } from '../flags.ts'
import { inSession } from '../interrupt.ts'
import { loadSettings } from '../load-settings.ts'
import { openToWrite } from '../open-to-write.ts'
import type { Terminal } from '../terminal.ts'

type RollbackFlags = Flags<'dryRun' | 'yes' | 'withDependents' | 'github' | 'json', 'last'>

/** `executor rollback`: returns 0 when nothing is left to revert, 1 when something is, 2 when declined. */
export async function rollback(
  asked: string | undefined,
  flags: RollbackFlags,
  terminal: Terminal,
): Promise<number> {
  const newest = flags.last === undefined ? null : Number(flags.last)
  if (newest !== null && !(Number.isSafeInteger(newest) && newest > 0)) {
    throw new ExecutorError('bad_usage', `--last takes a number from 1 on, not ${flags.last}.`)
  }
  const target = asked ?? (newest === null ? null : 'last')
  if (target === null) {
    throw new ExecutorError('bad_usage', 'Say what to revert: a task (T-1), a run, or last.')
  }
  const repository = await findRepository(terminal.directory)
  const settings = await loadSettings(repository.root, {}, terminal)
  const openHere = (signal: AbortSignal) =>
    openToWrite({ settings, signal, apiKey: 'none' }, repository, flags, terminal)
  return rollBackIn(openHere, { target, newest }, flags, terminal)
}

export const rollBackIn = (
  open: (signal: AbortSignal) => Promise<Session>,
  asked: { readonly target: string; readonly newest: number | null },
  flags: RollbackFlags,
  terminal: Terminal,
): Promise<number> =>
  inSession(terminal, open, async ({ ports }) => {
    const plan = await planRollback(
      { ...asked, withDependents: flags.withDependents ?? false },
      ports,
    )
    return carryOut(plan, ports, flags, terminal)
  })

async function carryOut(
  plan: RollbackPlan,
  ports: Session['ports'],
  flags: RollbackFlags,
  terminal: Terminal,
): Promise<number> {
  const report = (done: readonly DoneOperation[]) => {
    if (flags.json) terminal.print(JSON.stringify(documentOf(plan, done, flags), null, 2))
  }
  terminal.say(describePlan(plan, terminal))
  const show = (each: DoneOperation) => terminal.say(describeDone(each, terminal))
  const warned = (sentence: string) => terminal.say(`! ${sentence}`)
  const alone = plan.dependents.length > 0 && !flags.withDependents
  if (flags.dryRun || plan.operations.length === 0) {
    if (plan.operations.length === 0 && !flags.dryRun) await rollBack(plan, ports, show, warned)
    report([])
    return alone && plan.operations.length > 0 ? 2 : 0
  }
  if (alone) {
    report([])
    const names = plan.dependents.map(({ task }) => task).join(', ')
    throw new ExecutorError(
      'bad_usage',
      `These tasks build on the work to revert: ${names}. Add --with-dependents.`,
    )
  }
  if (!flags.yes && !(await agrees(plan, terminal))) {
    report([])
    terminal.say('Nothing was done.')
    return 2
  }
  const done = await rollBack(plan, ports, show, warned)
  report(done)
  return done.some(({ outcome }) => outcome === 'left') ? 1 : 0
}

/** @throws ExecutorError `bad_usage` without a terminal to ask at */
async function agrees(plan: RollbackPlan, terminal: Terminal): Promise<boolean> {
  if (!terminal.isTTY) {
    throw new ExecutorError(
      'bad_usage',
      'There is no terminal to ask at: add --yes to revert, or --dry-run to preview.',
    )
  }
  const person = createTerminalPerson({
    input: process.stdin,
    output: process.stderr,
    isTTY: terminal.isTTY,
  })
  const answer = await person.ask({
    taskId: plan.target,
    title: `Revert ${plan.operations.length} of these?`,
    body: 'Nothing is overwritten: new commits revert the old ones.',
    choices: ['approve', 'reject'],
  })
  return answer?.choice === 'approve'
}

function describePlan(plan: RollbackPlan, { paint }: Terminal): string {
  const { operations, dependents, leftAlone, stays } = plan
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [paint('bold', title), ...lines.map((line) => `  ${line}`)]
  const head =
    operations.length === 0
      ? [`Nothing of ${plan.target} is left to revert.`]
      : list(
          `Of ${plan.target}, newest first:`,
          operations.map(({ words }) => words),
        )
  return [
    ...head,
    ...list(
      'Built on it:',
      dependents.map(({ task, on }) => `${task}, on ${on}`),
    ),
    ...list('Left alone:', leftAlone),
    ...(operations.length === 0 ? [] : list('Cannot be reverted:', stays)),
  ].join('\n')
}

function describeDone({ operation, outcome, detail }: DoneOperation, { paint }: Terminal): string {
  const mark = outcome === 'done' ? paint('green', '✔') : paint('yellow', '!')
  const shown = detail === '' ? '' : `\n    ${detail}`
  return `${mark} ${operation.words}${shown}`
}

function documentOf(
  { target, operations, dependents, leftAlone, stays }: RollbackPlan,
  done: readonly DoneOperation[],
  { dryRun = false }: RollbackFlags,
) {
  return {
    target,
    dryRun,
    operations: operations.map((operation) => {
      const found = done.find((each) => each.operation === operation)
      const { outcome, detail } = found ?? { outcome: 'planned', detail: '' }
      const { kind, task, key, branch } = operation
      return { kind, task, key, branch, outcome, detail }
    }),
    dependents,
    leftAlone,
    stays,
  }
}
