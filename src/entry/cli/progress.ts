import type { Ora } from 'ora'
import type { Settings } from '../../core/domain/settings.ts'
import { finishedVerdicts, type Verdict } from '../../core/domain/verdict.ts'
import type { Observer } from '../../graph/run-graph.ts'
import {
  describeFinding,
  describePreview,
  describeResult,
  describeUsage,
  describeWaiting,
  isAsking,
} from '../observe/describe-step.ts'
import type { Terminal } from './terminal.ts'

export interface Progress {
  readonly observer: Observer
  stop(): void
}

/** Live on a terminal: one moving line that says what is waited for. Elsewhere: plain lines. */
export async function showProgress(terminal: Terminal, settings: Settings): Promise<Progress> {
  const live: Ora | null = terminal.isTTY ? await openSpinner() : null
  const quiet = settings.logLevel === 'error' || settings.logLevel === 'warn'
  const say = (line: string) => {
    if (quiet) return
    live?.clear()
    terminal.say(line)
  }
  const mark = (dryRun: boolean): string => (dryRun ? '[DRY RUN] ' : '')
  let announced: string | null = null
  let held: (() => void) | null = null
  return {
    observer: {
      noticed: say,
      started(node, state) {
        const waiting = describeWaiting(node, state, settings)
        // A dry run asks and runs nothing: there is nothing to wait for.
        if (waiting === null || quiet || state.run.dryRun) return
        const line = `${state.attempt ? `${state.attempt.task.id} ` : ''}${waiting} …`
        const show = () => {
          if (live !== null && node !== 'await_approval') live.start(terminal.redact(line))
          else say(`  ${line}`)
        }
        if (isAsking(waiting)) held = show
        else show()
      },
      asking() {
        held?.()
        held = null
      },
      finished(node, outcome, state) {
        live?.stop()
        held = null
        if (node === 'parse_roadmap') for (const line of describePreview(state, settings)) say(line)
        const task = state.attempt?.task
        if (task && task.id !== announced) {
          announced = task.id
          say(`${mark(state.run.dryRun)}${terminal.paint('bold', task.id)} ${task.title}`)
        }
        const found = describeFinding(node, outcome, state)
        if (found !== null) say(`    ${terminal.paint('dim', found)}`)
        if (node === 'decide_next') {
          const result = announced === null ? undefined : state.tasks.results[announced]
          if (result && state.run.dryRun) say(`    ${terminal.paint('dim', describeUsage(result))}`)
          else if (result) say(`${paintMark(result.verdict, terminal)} ${describeResult(result)}`)
          announced = null
        }
      },
    },
    stop: () => live?.stop(),
  }
}

async function openSpinner(): Promise<Ora> {
  const { default: ora } = await import('ora')
  return ora({ stream: process.stderr, discardStdin: false })
}

/** ✔ done, ◌ done but not verified, ✖ failed, ● anything that goes on later. */
export function paintMark(verdict: Verdict, terminal: Terminal): string {
  if (verdict === 'unverified') return terminal.paint('yellow', '◌')
  if (finishedVerdicts.includes(verdict)) return terminal.paint('green', '✔')
  return verdict === 'failed' ? terminal.paint('red', '✖') : terminal.paint('yellow', '●')
}
