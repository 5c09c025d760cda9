import type { TrailEvent } from '../../adapters/sqlite-history/query-executions.ts'
import { type Execution, servedVerdicts } from '../../core/history/execution.ts'
import type { ErrorGroup, Figures } from '../../core/history/statistics.ts'
import { alignColumns, drawBar, printTable } from './align-columns.ts'
import { printable } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

/** One line for each, newest first. */
export function showExecutions(list: readonly Execution[], terminal: Terminal): void {
  const rows = list.map((one) => [
    one.startedAt.slice(0, 16).replace('T', ' '),
    one.attempt > 1 ? `${printable(one.task)} (${one.attempt})` : printable(one.task),
    one.verdict === '' ? 'cut off' : one.verdict,
    printable(one.model) || '–',
    one.strategy || '–',
    String(one.requests),
    number(one.tokens),
    money(one.dollars),
    duration(one.seconds),
    printable(one.errorType || one.recovery),
  ])
  const [head = '', ...lines] = alignColumns(
    'Started (UTC)|Task|Verdict|Model|Strategy|>Asked|>Tokens|>Cost|>Time|Last error',
    rows,
  )
  terminal.print(terminal.paint('bold', head))
  lines.forEach((line, index) => {
    const verdict = list[index]?.verdict ?? ''
    const served = servedVerdicts.some((one) => one === verdict)
    terminal.print(verdict === 'failed' ? terminal.paint('red', line) : served ? line : dim(line))
  })
  function dim(line: string): string {
    return terminal.paint('dim', line)
  }
}

/** What happened in one execution, step by step. */
export function showTrail(
  { task, attempt, run, reason }: Execution,
  trail: readonly TrailEvent[],
  terminal: Terminal,
): void {
  terminal.print('')
  const title = `${printable(task)}, attempt ${attempt}, run ${printable(run)}`
  terminal.print(terminal.paint('bold', title))
  if (reason !== '') terminal.print(`  ${printable(reason)}`)
  const rows = trail.map((event) => [
    `  ${event.kind}`,
    event.name,
    event.outcome,
    event.seconds === null ? '' : duration(event.seconds),
    event.tokens === null || event.tokens === 0 ? '' : number(event.tokens),
    event.detail,
  ])
  const plain = rows.map((row) => row.map((cell, index) => (index === 0 ? cell : printable(cell))))
  for (const line of alignColumns('  What|Name|Outcome|>Time|>Tokens|', plain)) terminal.print(line)
}

/** Sums by model, strategy or day, with a bar for the success rate. */
export function showFigures(head: string, list: readonly Figures[], terminal: Terminal): void {
  const rows = list.map((one) => [
    printable(one.name) || 'none asked',
    number(one.executions),
    one.successRate === null ? '' : `${drawBar(one.successRate)} ${percent(one.successRate)}`,
    number(one.tokens),
    number(one.executions === 0 ? 0 : one.tokens / one.executions),
    money(one.dollars),
    one.secondsP50 === null ? '' : duration(one.secondsP50),
    one.secondsP90 === null ? '' : duration(one.secondsP90),
  ])
  printTable(`${head}|>Executions|Success|>Tokens|>each|>Cost|>p50|>p90`, rows, terminal)
  terminal.print('')
}

/** What went wrong, the most often first, and what was done about it. */
export function showErrors(groups: readonly ErrorGroup[], terminal: Terminal): void {
  const most = Math.max(...groups.map(({ times }) => times))
  const rows = groups.map((group) => [
    drawBar(group.times / most),
    number(group.times),
    printable(group.type),
    printable(group.node),
    group.lastDay,
    group.remedies
      .map(({ strategy, tried, worked }) => `${printable(strategy)} ${worked}/${tried}`)
      .join(', ') || 'nothing tried',
    printable(group.signature),
  ])
  printTable('|>Times|Error|Step|Last|Remedies that worked|What', rows, terminal)
}

export const number = (value: number): string => Math.round(value).toLocaleString('en')

const percent = (share: number): string => `${Math.round(share * 100)} %`

const money = (dollars: number): string => (dollars > 0 ? `$${dollars.toFixed(4)}` : '–')

const duration = (seconds: number): string =>
  seconds < 100 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`
