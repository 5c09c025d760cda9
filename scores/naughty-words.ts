import { spawnSync } from 'node:child_process'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { inertLog } from '../packages/text/markdown/write-markdown.ts'
import { readTaskMarker, taskMarker } from '../src/core/domain/identity.ts'
import { buildReport } from '../src/publish/report/build-report.ts'
import { writeCommitMessage, writeTitle } from '../src/publish/report/write-commit-message.ts'
import { writeEscalation, writePullRequest } from '../src/publish/report/write-pull-request.ts'
import { writeReportHtml } from '../src/publish/report/write-report-html.ts'
import { writeReportMarkdown } from '../src/publish/report/write-report-markdown.ts'
import { sampleResult, sampleState } from '../test/contracts/run-state.ts'
import { anAttempt, aTask, someSettings } from '../test/fakes/facts.ts'
import { aDraft } from '../test/graph/nodes/bench.ts'
import { aCommand, actedOn, htmlOf, nodesOf, wordsOf } from '../test/publish/report/hostile.ts'
import type { Result } from './score.ts'

const settings = someSettings()
const run = { run: { id: 'run-1' }, record: { hidden: [] } }
const { receipt } = sampleResult('T-1')

/** An attempt at a task in which everything that others write says this. */
const saying = (text: string) =>
  anAttempt({
    task: aTask({ title: text, details: text, model: text }),
    draft: aDraft({
      summary: text,
      notes: [text],
      changes: [{ action: 'create', path: `src/${text}.js`, content: '' }],
    }),
    receipt: receipt && {
      ...receipt,
      commands: [{ command: text, exitCode: 1, seconds: 1 }],
      notes: [text],
    },
  })

/** One line of title, and for git the trailers that we write and no others. */
export function judgeCommit(text: string): Result {
  const message = writeCommitMessage(saying(text), run, 'unverified', settings)
  const title = writeTitle(aTask({ title: text }), settings)
  const { stdout } = spawnSync('git', ['interpret-trailers', '--parse'], {
    input: message,
    encoding: 'utf8',
  })
  const trailers = stdout.split('\n').map((line) => line.split(':', 1)[0])
  const right =
    message.startsWith(`${title}\n\n`) &&
    [...title].length <= 72 &&
    !/(?!\n)\p{Cc}/u.test(message) &&
    !actedOn.test(message) &&
    !/\[(?:skip|no)[ -]ci\]|^skip-checks/im.test(message) &&
    trailers.join(' ') ===
      'Executor-Run Executor-Task Executor-Attempt Executor-Fingerprint Executor-Outcome Executor-Receipt '
  return right ? 'right' : 'wrong'
}

/** Nobody is called, nothing is closed, no bot obeys, and the frame stays as it is without the text. */
export function judgePullRequest(text: string): Result {
  const right = pullRequests(text).every(
    ({ title, body }, index) =>
      !actedOn.test(title) &&
      !/\p{Cc}/u.test(title) &&
      doesNothing(body) &&
      htmlOf(body).join('\n') === htmlOf(calmPullRequests[index]?.body ?? '').join('\n') &&
      blocksOf(body) === blocksOf(calmPullRequests[index]?.body ?? '') &&
      body.trimEnd().endsWith(taskMarker(aTask())) &&
      readTaskMarker(body)?.id === 'T-1',
  )
  return right ? 'right' : 'wrong'
}

const pullRequests = (text: string) => [
  writePullRequest(saying(text), run, settings),
  writeEscalation(
    saying(text),
    {
      strategy: 'ESCALATE',
      reason: 'unknown',
      explanation: text.replaceAll(/[\s\p{Cc}]+/gu, ' '),
      tasks: [],
    },
    run,
    settings,
  ),
]

const calmPullRequests = pullRequests('calm')

function doesNothing(markdown: string): boolean {
  return (
    !actedOn.test(wordsOf(markdown).replaceAll(/^#\d+$/gm, '')) &&
    !aCommand.test(withoutCode(markdown)) &&
    nodesOf(markdown).every(({ type }) => type !== 'image')
  )
}

/** report.md draws the same blocks whatever the words are, report.html the same elements. */
export function judgeReport(text: string): Result {
  const [markdown, html] = reports(text)
  const [calmMarkdown, calmHtml] = calmReports
  const right =
    doesNothing(markdown) &&
    htmlOf(markdown).join('\n') === htmlOf(calmMarkdown).join('\n') &&
    blocksOf(markdown) === blocksOf(calmMarkdown) &&
    elementsOf(html) === elementsOf(calmHtml) &&
    withoutTicks(textOf(parse(html))).includes(withoutTicks(visibly(text)))
  return right ? 'right' : 'wrong'
}

/** Invisible characters, and those that reverse the order of others, are shown as one that a reader sees. */
const visibly = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(
      /(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/gu,
      '\uFFFD',
    )

/** Text between backticks is drawn as code, without them. */
const withoutTicks = (text: string): string => text.replaceAll('`', '')

function reports(text: string): readonly [markdown: string, html: string] {
  const result = sampleResult('T-1', { title: text, reason: text })
  const report = buildReport(
    sampleState({
      tasks: { results: { 'T-1': result } },
      record: { errors: [{ code: 'git_failed', message: text, next: text, taskId: null }] },
      progress: { limits: [text] },
      roadmap: { changes: [text] },
    }),
  )
  return [writeReportMarkdown(report), writeReportHtml(report)]
}

/** As it is written, code blotted out: bots look for commands at the start of a line. */
function withoutCode(markdown: string): string {
  return nodesOf(markdown).reduce((text, { type, position }) => {
    if (!/^(?:code|inlineCode)$/.test(type)) return text
    const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0]
    return text.slice(0, start) + 'x'.repeat(end - start) + text.slice(end)
  }, markdown)
}

const calmReports = reports('calm')

const blockTypes = /^(?:heading|table|tableRow|tableCell|list|listItem|code|blockquote)$/

const blocksOf = (markdown: string): string =>
  nodesOf(markdown)
    .flatMap(({ type }) => (blockTypes.test(type) ? [type] : []))
    .join(' ')

/** Names of the elements and of their attributes, in order; `code`, which backticks make, is left out. */
function elementsOf(html: string): string {
  const walk = (node: DefaultTreeAdapterTypes.Node): readonly string[] => {
    const own =
      'attrs' in node && node.tagName !== 'code'
        ? [`${node.tagName}[${node.attrs.map(({ name }) => name).join(' ')}]`]
        : []
    return 'childNodes' in node ? [...own, ...node.childNodes.flatMap(walk)] : own
  }
  return walk(parse(html)).join(' ')
}

function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

/** The text after a command and a command after the text: the runner sees neither. */
export function judgeLog(text: string): Result {
  const logged = inertLog(`::error::${text}\n${text}##[group]\n${text}\r ::add-mask::${text}`)
  const obeyed = logged.split(/[\n\r\v\f\u0085\u2028\u2029]/).some((line) => /^\s*::/.test(line))
  return obeyed || logged.includes('##[') ? 'wrong' : 'right'
}
