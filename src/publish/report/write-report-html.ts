import { createHash } from 'node:crypto'
import { clip, countOf } from '../../../packages/text/text.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { describeForecast } from '../../model/budget/forecast.ts'
import { describeRedStart, describeReview, type Report } from './build-report.ts'
import { describeDollars } from './describe-verification.ts'
import {
  addressIn,
  constant,
  definitions,
  duration,
  foreign,
  grouped,
  html,
  icon,
  lengths,
  link,
  lookOf,
  type Markup,
  moment,
  outcomesInOrder,
  style,
} from './html/markup.ts'
import { script } from './html/script.ts'
import { costs, decisions, needsYou, signedLines, taskList } from './html/tasks.ts'
import { stack, timeline } from './html/timeline.ts'

/**
 * `report.html`: the run on one page that loads nothing and runs only its own script, whose hash is in its content
 * policy. It shows what {@link Report} has, and no more.
 */
export function writeReportHtml(report: Report): string {
  const title = `${report.dryRun ? '[DRY RUN] ' : ''}Run ${report.runId}`
  return `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${headline(report)} · ${title}</title>
<style>${constant(style)}</style>
</head>
<body>
${definitions}<a class="skip" href="#tasks">Skip to the tasks</a>
<header>
<p class="eyebrow">${title}${report.repository === null ? null : html` · ${link(report.repository, nameOf(report.repository))}`}${report.runLog === null ? null : html` · ${link(report.runLog, 'run log')}`}</p>
<h1>${headline(report)}</h1>
<p>${begun(report)}</p>
${paragraphOf(describeRedStart(report))}
${report.schedule === null ? null : html`<p>${foreign(report.schedule.text)}</p>`}
${outcomes(report)}
${figures(report)}
${contents(report)}
</header>
<main>
${needsYou(report)}
${timeline(report)}
${stack(report)}
${taskList(report)}
${costs(report)}
${decisions(report)}
</main>
<footer><p>${forecast(report)} The same data is in <code>report.json</code>, and in words in <code>report.md</code>.</p></footer>
<script>${constant(script)}</script>
</body>
</html>
`}`
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = (): string =>
  `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`

/** `https://github.com/corner/shop` → `corner/shop`. */
const nameOf = (repository: string): string => repository.replace(/^https?:\/\/[^/]+\//, '')

const paragraphOf = (words: string | null) =>
  words === null ? null : html`<p>${foreign(words)}</p>`

function headline({ dryRun, tasks, totals, ...report }: Report): string {
  if (dryRun)
    return `${countOf(tasks.filter(({ outcome }) => outcome === 'planned').length, 'task')} planned`
  const { replaced: _, ...others } = totals
  const all = Object.values(others).reduce((sum, each) => sum + each, 0)
  if (all > 0) return describeReview(tasks) ?? `${totals.done} of ${countOf(all, 'task')} done`
  if (report.unfinished !== null) return 'No task is finished yet'
  return report.errors.length > 0 ? 'No task was started' : 'There was nothing to do'
}

function begun({ startedAt, completedAt, base, repository, retryAt }: Report): Markup {
  const address = addressIn(repository, 'commit', base.sha)
  const until =
    completedAt === null
      ? '(still running)'
      : html`to ${moment(completedAt, startedAt.slice(0, 10))}`
  const again = retryAt === null ? null : html` Come back after ${moment(retryAt)}.`
  return html`From ${moment(startedAt)} ${until}, on <b><bdi>${clip(base.branch, lengths.title)}</bdi></b> at ${link(address, html`<code>${base.sha.slice(0, 7)}</code>`)}.${again}`
}

/** The outcomes of the tasks: a bar, and below it each outcome with its icon and count. */
function outcomes({ tasks }: Report): Markup | null {
  const counts = outcomesInOrder
    .map((outcome) => ({
      ...lookOf(outcome),
      n: tasks.filter((task) => task.outcome === outcome).length,
    }))
    .filter(({ n }) => n > 0)
  if (counts.length === 0) return null
  let at = 0
  const parts = counts.map(({ tone, n }) => {
    const [from, width] = [at, (100 * n) / tasks.length]
    at += width
    return html`<rect class="${tone}" x="${from.toFixed(2)}%" width="${width.toFixed(2)}%" height="10"/>`
  })
  const tally = counts.map(
    (each) =>
      html`<li class="badge ${each.tone}">${icon(each.icon)}<span><b>${each.n}</b> ${each.words}</span></li>`,
  )
  return html`<svg class="share-of" aria-hidden="true">${parts}</svg><ul class="tally">${tally}</ul>`
}

function figures(report: Report): Markup {
  const { usage, tasks, durationSeconds, recovered, lei, dryRun } = report
  const changed = tasks.flatMap((task) => task.changed ?? [])
  const sum = (key: 'files' | 'added' | 'removed') =>
    changed.reduce((total, each) => total + each[key], 0)
  const tokens = totalTokens(usage)
  const tried = tasks.some(({ thisRun, attempts }) => thisRun && attempts > 0)
  const rows = [
    figure('time worked', duration(durationSeconds), ''),
    figure(
      dryRun ? 'tokens, forecast' : 'tokens',
      grouped(tokens),
      countOf(usage.requests, 'request'),
    ),
    figure(
      'cost',
      report.cost === null ? 'unknown' : describeDollars(report.cost),
      report.cost === null
        ? 'unknown price'
        : report.isCostPartial
          ? 'at least: a price is unknown'
          : '',
    ),
    ...(changed.length === 0
      ? []
      : [
          figure(
            'changes',
            signedLines({ added: sum('added'), removed: sum('removed') }),
            `in ${countOf(sum('files'), 'file')}`,
          ),
        ]),
    ...(tried && !dryRun ? [verified(report)] : []),
    ...(recovered.tried === 0
      ? []
      : [figure('recoveries', `${recovered.succeeded} of ${recovered.tried}`, 'succeeded')]),
    ...(lei === 0 ? [] : [figure('stubs', String(lei), 'in 1,000 changed lines')]),
  ]
  return html`<dl class="figures">${rows}</dl>`
}

/** What the tests show of the finished tasks; of a report by an older version, only that they passed. */
function verified({ evidence: { proven, unharmed }, successRate }: Report): Markup {
  if (proven + unharmed === 0)
    return figure('verified', `${Math.round(successRate * 100)} %`, 'of attempted tasks')
  const rest = unharmed === 0 ? '' : `${unharmed} unharmed: no test shows the change`
  return figure('proven', `${proven} of ${proven + unharmed}`, rest)
}

const figure = (name: string, value: string | Markup, note: string): Markup =>
  html`<div><dt>${name}</dt><dd>${value}${note === '' ? null : html`<small>${note}</small>`}</dd></div>`

function contents(report: Report): Markup | null {
  if (report.tasks.length === 0) return null
  const parts: readonly (readonly [id: string, name: string, isThere: boolean])[] = [
    ['needs', 'Needs you', needsYou(report) !== null],
    ['timeline', 'Timeline', report.tasks.some(({ phases }) => phases.length > 0)],
    ['stack', 'Branches', report.tasks.some(({ branch, sha }) => branch !== null && sha !== null)],
    ['tasks', 'Tasks', true],
    ['cost', 'Cost', report.nodes.length > 0],
    ['recoveries', 'Recoveries', report.recoveries.length > 0],
    ['destructive', 'Destructive operations', report.destructive.length > 0],
  ]
  const links = parts.flatMap(([id, name, isThere]) =>
    isThere ? html`<li><a href="#${id}">${name}</a></li>` : [],
  )
  return html`<nav aria-label="Sections"><ul>${links}</ul></nav>`
}

const forecast = ({ preview }: Report): string =>
  preview === null
    ? ''
    : `Forecast before the start: ${describeForecast({ ...preview, samples: preview.pastTasks })}.`
