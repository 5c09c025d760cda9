import { lastLines } from '../../../packages/diagnosis/diagnosis.ts'
import { idsOf, membersOf } from '../../../packages/task/task.ts'
import { tasksInLanes } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { NodeName, OutcomeOf } from '../../core/domain/steps.ts'
import { isFinishedVerdict, type Verdict } from '../../core/domain/verdict.ts'
import { byLane, currentLane } from '../observe/by-lane.ts'
import {
  describeFinding,
  describePlan,
  describePlanned,
  describePreview,
  describeResult,
} from '../observe/describe-step.ts'
import type { CallEnd, WatchedCall } from '../observe/watch-ports.ts'
import { describeCall, describeStep, isToldOf, shownLine } from './describe-activity.ts'

export type Paint = (
  format: 'green' | 'red' | 'yellow' | 'dim' | 'bold' | 'cyan',
  text: string,
) => string

interface Tale {
  stepBegan(node: NodeName, state: RunState): void
  stepEnded(node: NodeName, outcome: OutcomeOf<NodeName>, state: RunState): void
  callBegan(call: WatchedCall): void
  callEnded(
    call: WatchedCall,
    end: CallEnd,
    found: { readonly seconds: number; output(): string },
  ): void
}

export interface TaleOptions {
  readonly settings: Settings
  readonly say: (line: string) => void
  readonly paint: Paint
  /** With a live line, the beginning of a step needs no line of its own. */
  readonly isLive: boolean
  /** A log, which has no summary at its end, also lists tasks that were settled without work. */
  readonly tells: 'one task' | 'all tasks'
}

/** The task of a lane, as its lines name it. */
interface TaleOfLane {
  /** Its id and a space; empty between tasks. */
  task: string
  /** Its id, or those of its group. */
  ids: readonly string[]
  /** Seconds of the run before the current step. */
  spent: number
}

/** Last lines of a failed installer's output. */
const mostLines = 5

/** Writes the lines of a run: tasks, steps, findings and results; with `debug`, also each call and the time of each step. */
export function tellRun({ settings, say, paint, isLive, tells }: TaleOptions): Tale {
  const isVerbose = settings.logLevel === 'debug'
  const lanes = byLane((): TaleOfLane => ({ task: '', ids: [], spent: 0 }))
  /** A line about the current task, which names it where those of other lanes may come before it. */
  const sayInside = (line: string) => {
    const { task } = lanes.own()
    say(currentLane() === 0 ? `    ${line}` : `    ${task}${line}`)
  }
  const detail = (line: string) => {
    if (isVerbose) sayInside(paint('dim', line))
  }
  const announced = new Set<string>()
  let isDry = false
  let known: RunState['tasks']['results'] | null = null
  const announce = (words: string) => {
    if (!isLive && !isDry) say(`  ${lanes.own().task}${words} …`)
  }
  const announceTask = ({ attempt }: RunState) => {
    const now = attempt?.task
    if (now === undefined || announced.has(idsOf(now))) return
    announced.add(idsOf(now))
    if (!isDry) say(`${paint('bold', idsOf(now))} ${now.title}`)
  }
  const tellResults = (state: RunState) => {
    const { ids } = lanes.own()
    const underWay = tasksInLanes(state).map(({ id }) => id)
    const over = Object.entries(state.tasks.results).filter(([id]) => !underWay.includes(id))
    const filed = over.filter(
      ([id, each]) =>
        each.thisRun && known?.[id] !== each && (tells === 'all tasks' || ids.includes(id)),
    )
    for (const [, each] of filed)
      say(
        isDry ? describePlanned(each) : `${paintMark(each.verdict, paint)} ${describeResult(each)}`,
      )
    known = Object.fromEntries(over)
    announced.delete(ids.join(', '))
  }
  return {
    stepBegan(node, state) {
      isDry = state.run.dryRun
      if (known === null && node !== 'parse_roadmap') {
        say(`  resuming ${state.run.id} …`)
        announceTask(state)
      }
      known ??= state.tasks.results
      const { attempt, spent } = state
      Object.assign(lanes.own(), {
        task: attempt === null ? '' : `${attempt.task.id} `,
        ids: attempt === null ? [] : membersOf(attempt.task).map(({ id }) => id),
        spent: spent.seconds,
      })
      if (isToldOf(node)) announce(describeStep(node, state))
    },
    stepEnded(node, outcome, state) {
      if (node === 'parse_roadmap') for (const line of describePreview(state, settings)) say(line)
      announceTask(state)
      const found = describeFinding(node, outcome, state)
      for (const line of found?.split('\n') ?? []) sayInside(paint('dim', line.trim()))
      if (node === 'plan_task' && outcome === 'planned')
        for (const line of describePlan(state)) detail(line)
      detail(`${node}: ${outcome}, ${took(state.spent.seconds - lanes.own().spent)}`)
      if (node === 'decide_next') tellResults(state)
    },
    ...tellCalls({ announce, detail, say }),
  }
}

/** Writes the lines of calls: installers, and with `debug` all others. */
function tellCalls(
  ways: Readonly<Record<'announce' | 'detail' | 'say', (line: string) => void>>,
): Pick<Tale, 'callBegan' | 'callEnded'> {
  const { announce, detail, say } = ways
  return {
    callBegan(call) {
      const { kind, shown } = call
      if (kind === 'model') announce(describeCall(call))
      if (kind === 'model') detail(`prompt: ${shown.line}`)
      if (kind !== 'command') return
      if (isInstaller(call)) announce(describeCall(call))
      detail(`$ ${shownLine(shown.line)}`)
    },
    callEnded(call, end, { seconds, output }) {
      const { kind, shown } = call
      if (isInstaller(call)) {
        const isGood = end.error === null && end.facts['process.exit.code'] === 0
        if (isGood) say(`    ${shownLine(shown.title ?? '')}: done in ${took(seconds)}`)
        else {
          say(`    ${shownLine(shown.title ?? '')} failed after ${took(seconds)}:`)
          for (const line of lastLines(output(), mostLines)) say(`      ${line}`)
        }
      } else if (kind !== 'person') detail(describeEnd(call, end, seconds))
    },
  }
}

const isInstaller = ({ name, shown }: WatchedCall): boolean =>
  name.endsWith('prepare_dependencies') && shown.title !== undefined

const took = (seconds: number): string =>
  seconds < 9.95 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`

function describeEnd(
  { kind, name, shown }: WatchedCall,
  { facts, error }: CallEnd,
  seconds: number,
): string {
  const failed = error === null ? [] : [error.replaceAll('_', ' ')]
  if (kind === 'model') {
    const tokens = Number(facts['gen_ai.usage.output_tokens'] ?? 0).toLocaleString('en')
    const dollars = Number(facts['executor.dollars'] ?? 0)
    const cost = dollars > 0 ? [`$${dollars.toFixed(4)}`] : []
    return [`answer: ${tokens} tokens`, ...cost, ...failed, took(seconds)].join(', ')
  }
  if (kind === 'command') {
    const code = facts['process.exit.code']
    const ending = code === undefined ? [] : [`exit code ${code}`]
    const where = facts['executor.sandbox']
    const sandbox = where === undefined ? [] : [`in ${where}`]
    const what = shownLine(shown.title ?? shown.line)
    return `${what}: ${[...ending, ...failed, took(seconds), ...sandbox].join(', ')}`
  }
  const status = facts['executor.status']
  const ending = error === null && status !== undefined ? [String(status)] : failed
  return `${name}: ${[...ending, took(seconds)].join(', ')}`
}

/** Returns ✔ for done, ◌ for unverified, ✖ for failed, and ● for tasks that continue later. */
export function paintMark(verdict: Verdict, paint: Paint): string {
  if (verdict === 'unverified') return paint('yellow', '◌')
  if (isFinishedVerdict(verdict)) return paint('green', '✔')
  return verdict === 'failed' ? paint('red', '✖') : paint('yellow', '●')
}
