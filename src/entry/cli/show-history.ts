import { stripHidden } from '../../../packages/text/text.ts'
import type { TrailEvent } from '../../adapters/sqlite-history/query-history.ts'
import {
  describeRecovered,
  type Help,
  type Learning,
  type Recovered,
} from '../../core/history/learning.ts'
import type { RefinementFigures } from '../../core/history/refine.ts'
import {
  describeRate,
  type judgeMisroutes,
  type MisrouteGroup,
  nameRoute,
  type RoutingJudgement,
  shownFrom,
} from '../../core/history/routing.ts'
import {
  type ErrorGroup,
  type Execution,
  type Figures,
  type Interval,
  servedVerdicts,
} from '../../core/history/statistics.ts'
import { describeDollars } from '../../publish/report/describe-verification.ts'
import type { Terminal } from './terminal.ts'

/** Whether the price of a model is known. */
type IsPriced = (model: string) => boolean

export function showExecutions(
  list: readonly Execution[],
  isPriced: IsPriced,
  terminal: Terminal,
): void {
  const columns: Columns<Execution> = [
    ['Started (UTC)', (one) => one.startedAt.slice(0, 16).replace('T', ' ')],
    ['Task', ({ task, attempt }) => (attempt > 1 ? `${task} (${attempt})` : task)],
    ['Verdict', (one) => one.verdict || 'cut off'],
    ['Model', (one) => one.model || '–'],
    ['Strategy', (one) => one.strategy || '–'],
    ['>Asked', (one) => String(one.requests)],
    ['>Tokens', (one) => number(one.tokens)],
    ['>Cost', (one) => money(one.dollars, one.tokens, isPriced(one.model))],
    ['>Time', (one) => duration(one.seconds)],
    ['Last error', (one) => one.errorType || one.recovery],
  ]
  printTable(columns, list, terminal, (line, { verdict }) => {
    if (verdict === 'failed') return terminal.paint('red', line)
    return servedVerdicts.some((one) => one === verdict) ? line : terminal.paint('dim', line)
  })
}

export function showTrail(
  { task, attempt, run, reason }: Execution,
  trail: readonly TrailEvent[],
  terminal: Terminal,
): void {
  terminal.print('')
  const title = `${printable(task)}, attempt ${attempt}, run ${printable(run)}`
  terminal.print(terminal.paint('bold', title))
  if (reason !== '') terminal.print(`  ${printable(reason)}`)
  const columns: Columns<TrailEvent> = [
    ['  What', (event) => `  ${event.kind}`],
    ['Name', (event) => event.name],
    ['Outcome', (event) => event.outcome],
    ['>Time', (event) => optional(event.seconds, duration)],
    ['>Tokens', (event) => optional(event.tokens || null, number)],
    ['', (event) => event.detail],
  ]
  for (const line of alignColumns(columns, trail)) terminal.print(line)
}

/** @param isPriced whether the price is known for the row with this name */
export function showFigures(
  head: string,
  list: readonly Figures[],
  isPriced: IsPriced,
  terminal: Terminal,
): void {
  const columns: Columns<Figures> = [
    [head, (one) => one.name || 'none asked'],
    ['>Executions', (one) => number(one.executions)],
    ['Success', (one) => optional(one.successRate, (rate) => `${drawBar(rate)} ${percent(rate)}`)],
    ['>Tokens', (one) => number(one.tokens)],
    ['>each', (one) => number(one.executions === 0 ? 0 : one.tokens / one.executions)],
    ['>Cost', (one) => money(one.dollars, one.tokens, isPriced(one.name))],
    ['>p50', (one) => optional(one.secondsP50, duration)],
    ['>p90', (one) => optional(one.secondsP90, duration)],
  ]
  printTable(columns, list, terminal)
  terminal.print('')
}

export function showErrors(groups: readonly ErrorGroup[], terminal: Terminal): void {
  const most = Math.max(...groups.map(({ times }) => times))
  const columns: Columns<ErrorGroup> = [
    ['', (group) => drawBar(group.times / most)],
    ['>Times', (group) => number(group.times)],
    ['Error', (group) => group.type],
    ['Step', (group) => group.node],
    ['Last', (group) => group.lastDay],
    ['Remedies that worked', ({ remedies }) => describeRemedies(remedies) || 'nothing tried'],
    ['What', (group) => group.signature],
  ]
  printTable(columns, groups, terminal)
}

const describeRemedies = (remedies: ErrorGroup['remedies']): string =>
  remedies.map(({ strategy, tried, worked }) => `${strategy} ${worked}/${tried}`).join(', ')

const optional = (value: number | null, write: (value: number) => string): string =>
  value === null ? '' : write(value)

const number = (value: number): string => Math.round(value).toLocaleString('en')

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** An unknown price is recorded as 0 dollars, so tokens without dollars have an unknown cost. */
function money(dollars: number, tokens: number, isPriced: boolean): string {
  if (dollars === 0 && tokens === 0) return '–'
  return dollars === 0 && !isPriced ? 'unknown' : describeDollars(dollars)
}

const duration = (seconds: number): string =>
  seconds < 100 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`

/** Untrusted text as one line, without control characters. */
export const printable = (text: string): string =>
  stripHidden(text, 'plain').text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')

/** The most characters of a cell; longer text is cut with `…`. */
const widest = 48

/** Column heads, `>Times` for right-aligned numbers, and the untrusted text of each cell. */
type Columns<Row> = readonly (readonly [head: string, cell: (row: Row) => string])[]

/** Makes each column as wide as its widest cell; the last one is not padded. */
function alignColumns<Row>(columns: Columns<Row>, rows: readonly Row[]): readonly string[] {
  const cut = (text: string) =>
    [...text].length > widest ? `${[...text].slice(0, widest - 1).join('')}…` : text
  const aligned = columns.map(([head, cell]) => {
    const cells = [head.replace(/^>/, ''), ...rows.map((row) => cut(printable(cell(row))))]
    const width = Math.max(...cells.map((text) => [...text].length))
    return cells.map((text) => {
      const padding = ' '.repeat(width - [...text].length)
      return head.startsWith('>') ? padding + text : text + padding
    })
  })
  return ['', ...rows].map((_, index) =>
    aligned
      .map((cells) => cells[index])
      .join('  ')
      .trimEnd(),
  )
}

function printTable<Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
  terminal: Terminal,
  paint = (line: string, _: Row): string => line,
): void {
  const [head = '', ...lines] = alignColumns(columns, rows)
  terminal.print(terminal.paint('bold', head))
  rows.forEach((row, index) => {
    terminal.print(paint(lines[index] ?? '', row))
  })
}

/** Draws a share from 0 to 1 as a bar of this many characters: `██████▌···`. */
function drawBar(share: number, width = 10): string {
  const halves = Math.round(Math.min(1, Math.max(0, share)) * width * 2)
  const full = '█'.repeat(halves >> 1) + (halves % 2 === 1 ? '▌' : '')
  return full + '·'.repeat(width - full.length)
}

const kinds: Readonly<Record<MisrouteGroup['kind'], string>> = {
  needed_a_plan: 'failed immediately, and were too large to attempt without a plan',
  plan_not_needed: 'were planned, and cost more than twice as much as such tasks without a plan',
  other_route_served: 'failed, and another route completed the same task later',
}

export function showMisroutes(
  { shown, tooFew }: ReturnType<typeof judgeMisroutes>,
  terminal: Terminal,
): void {
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

/** `analyze routing`: each route with its interval, and suggested changes. */
export function showRouting(
  judgement: RoutingJudgement,
  isPriced: IsPriced,
  terminal: Terminal,
): void {
  const { configured, routes, advice, silence } = judgement
  const isConfigured = ({ model, strategy }: (typeof routes)[number]) =>
    model === configured.model && strategy === configured.strategy
  const columns: Columns<(typeof routes)[number]> = [
    ['', (route) => (isConfigured(route) ? '→' : '')],
    ['Model', (route) => route.model],
    ['Strategy', (route) => route.strategy],
    ['Served (at 95 %)', describeRate],
    ['>Tokens, median', (route) => optional(route.medianTokens, number)],
    [
      '>Cost each',
      ({ dollars, executions, tokens, model }) =>
        money(dollars / executions, tokens, isPriced(model)),
    ],
  ]
  printTable(columns, routes, terminal)
  terminal.print('')
  if (silence !== null) terminal.print(printable(silence))
  for (const { route, evidence, config } of advice) {
    terminal.print(
      `${terminal.paint('green', printable(nameRoute(route)))} ${printable(evidence)}.`,
    )
    terminal.print('  To use it, in .github/executor.yml:')
    for (const line of config.split('\n')) terminal.print(`    ${printable(line)}`)
  }
  terminal.say(
    'Routes are not assigned at random: one that gets the harder tasks looks worse than it is. Nothing changes unless you change it.',
  )
}

const helps: Readonly<Record<Help, string>> = {
  helps: 'helps',
  hinders: 'hinders',
  usual: 'as usual',
  unknown: 'fewer than 10',
}

/** `analyze learning`: what led to first answers that passed. */
export function showLearning(
  learned: readonly Learning[],
  refined: readonly RefinementFigures[],
  recovered: Recovered,
  terminal: Terminal,
): void {
  const columns: Columns<Learning> = [
    ['First request', ({ about }) => about],
    ['', ({ value }) => value],
    ['>Attempts', ({ samples }) => number(samples)],
    [
      'Passed at once',
      ({ first, samples }) => `${drawBar(first / samples)} ${percent(first / samples)}`,
    ],
    ['At 95 %', ({ confidence }) => (confidence === null ? '' : describeInterval(confidence))],
    ['', ({ help }) => helps[help]],
  ]
  printTable(columns, learned, terminal)
  terminal.print('')
  if (refined.length > 0) showRefinements(refined, terminal)
  terminal.print(describeRecovered(recovered))
}

function showRefinements(refined: readonly RefinementFigures[], terminal: Terminal): void {
  const share = ({ first, samples }: RefinementFigures['usual']) =>
    `${number(first)} of ${number(samples)}`
  const columns: Columns<RefinementFigures> = [
    ['Refinement', ({ refinement }) => refinement],
    ['Tasks', ({ shape }) => shape],
    ['Passed at once', share],
    ['At 95 %', ({ confidence }) => (confidence === null ? '' : describeInterval(confidence))],
    ['Without it', ({ usual }) => share(usual)],
    ['', ({ state }) => state.replace('_', ' ')],
  ]
  printTable(columns, refined, terminal)
  terminal.print('')
}

const describeInterval = ({ low, high }: Interval): string =>
  `${Math.round(low * 100)}–${Math.round(high * 100)} %`
