import type { History } from '../../adapters/sqlite-history.ts'
import { judgeMisroutes, type MisrouteGroup, shownFrom } from '../../core/history/misroutes.ts'
import {
  describeRate,
  nameRoute,
  type RoutingJudgement,
  samplesOf,
} from '../../core/history/routing.ts'
import type { Period } from '../../core/history/statistics.ts'
import { printTable } from './align-columns.ts'
import { printable } from './plain-text.ts'
import { number } from './show-history.ts'
import type { Terminal } from './terminal.ts'

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
