import type { TrailEvent } from '../../adapters/sqlite-history/query-history.ts'
import type { History } from '../../adapters/sqlite-history.ts'
import {
  describeRate,
  judgeMisroutes,
  type MisrouteGroup,
  nameRoute,
  type RoutingJudgement,
  samplesOf,
  shownFrom,
} from '../../core/history/routing.ts'
import {
  type ErrorGroup,
  type Execution,
  type Figures,
  type Period,
  servedVerdicts,
} from '../../core/history/statistics.ts'
import { stripHidden } from '../../text/hidden/strip-hidden.ts'
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

const number = (value: number): string => Math.round(value).toLocaleString('en')

const percent = (share: number): string => `${Math.round(share * 100)} %`

const money = (dollars: number): string => (dollars > 0 ? `$${dollars.toFixed(4)}` : '–')

const duration = (seconds: number): string =>
  seconds < 100 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`

/** Text that anybody may have written, as one line: nothing in it moves the terminal's cursor. */
export const printable = (text: string): string =>
  stripHidden(text, 'plain').text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

/** Longest text of a cell, in characters: what is longer is cut, with `…`. */
const widest = 48

/**
 * Rows under their heads (`Name|>Times`: numbers stand right), each column as wide as its widest cell; the
 * last is not padded.
 */
function alignColumns(heads: string, rows: readonly (readonly string[])[]): readonly string[] {
  const cut = (text: string) =>
    [...text].length > widest ? `${[...text].slice(0, widest - 1).join('')}…` : text
  const columns = heads.split('|')
  const lines = [columns.map((head) => head.replace(/^>/, '')), ...rows.map((row) => row.map(cut))]
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => [...(line[index] ?? '')].length)),
  )
  return lines.map((line) =>
    columns
      .map((head, index) => {
        const cell = line[index] ?? ''
        const padding = ' '.repeat((widths[index] ?? 0) - [...cell].length)
        return head.startsWith('>') ? padding + cell : cell + padding
      })
      .join('  ')
      .trimEnd(),
  )
}

/** The same on standard output, with the heads in bold. */
function printTable(heads: string, rows: readonly (readonly string[])[], terminal: Terminal): void {
  const [head = '', ...lines] = alignColumns(heads, rows)
  terminal.print(terminal.paint('bold', head))
  for (const line of lines) terminal.print(line)
}

/** A share of 1 as a bar of this many characters: `██████▌···`. */
function drawBar(share: number, width = 10): string {
  const halves = Math.round(Math.min(1, Math.max(0, share)) * width * 2)
  const full = '█'.repeat(halves >> 1) + (halves % 2 === 1 ? '▌' : '')
  return full + '·'.repeat(width - full.length)
}

const kinds: Readonly<Record<MisrouteGroup['kind'], string>> = {
  needed_a_plan: 'failed at once, and were too large to be asked for without a plan',
  plan_not_needed: 'were planned, and cost more than twice what such tasks take without',
  other_route_served: 'failed, and the same task was served later by another route',
}

/** `history misroutes` and `analyze misroutes`. */
export function showMisroutes(
  history: History,
  { since, json }: Period & { readonly json?: boolean },
  terminal: Terminal,
): void {
  const sizes = history.routes({ since })
  const found = history.misroutes({ since }).map((group) => {
    const { model, strategy } = group.route
    const its = sizes.find((route) => route.model === model && route.strategy === strategy)
    return { ...group, of: its === undefined ? group.cases : samplesOf(its) }
  })
  const { shown, tooFew } = judgeMisroutes(found)
  if (json) {
    terminal.print(JSON.stringify({ since, shownFrom, shown, tooFew }, null, 2))
    return
  }
  for (const group of shown) showGroup(group, terminal)
  const few = `${tooFew} of kinds with fewer than ${shownFrom} cases, which prove nothing`
  if (shown.length === 0) terminal.say(`No misroutes to show${tooFew > 0 ? ` (${few})` : ''}.`)
  else if (tooFew > 0) terminal.say(`Not shown: ${few}.`)
}

function showGroup(group: MisrouteGroup, terminal: Terminal): void {
  const { kind, route, better, cases, of, examples } = group
  const head = `${number(cases)} of ${number(of)} by ${printable(nameRoute(route))}`
  terminal.print(`${terminal.paint('bold', head)}: ${kinds[kind]}`)
  terminal.print(`  would have served: ${printable(nameRoute(better))}`)
  for (const { run, task, attempt, verdict, evidence } of examples) {
    const where = `${printable(task)} (attempt ${attempt}, run ${printable(run)})`
    terminal.print(`  ${where} ${verdict}: ${printable(evidence)}`)
  }
}

/** `analyze routing`: each route with its interval, and what a person might change. */
export function showRouting(judgement: RoutingJudgement, terminal: Terminal): void {
  const { configured, routes, advice, silence } = judgement
  const rows = routes.map((route) => [
    route.model === configured.model && route.strategy === configured.strategy ? '→' : '',
    printable(route.model),
    route.strategy,
    describeRate(route),
    route.medianTokens === null ? '' : number(route.medianTokens),
    route.dollars > 0 ? `$${(route.dollars / route.executions).toFixed(4)}` : '–',
  ])
  printTable('|Model|Strategy|Served (at 95 %)|>Tokens, median|>Cost each', rows, terminal)
  terminal.print('')
  if (silence !== null) terminal.print(printable(silence))
  for (const { route, evidence, config } of advice) {
    terminal.print(
      `${terminal.paint('green', printable(nameRoute(route)))} ${printable(evidence)}.`,
    )
    terminal.print('  To take it, in .github/executor.yml:')
    for (const line of config.split('\n')) terminal.print(`    ${printable(line)}`)
  }
  terminal.say(
    'Routes were not given out by chance: one that got the harder tasks looks worse than it is. Nothing changes unless you change it.',
  )
}
