/** The parts that every pull request about an attempt has: its evidence, its cost, and how to answer. */

import { changesOf } from '../../../packages/change/change.ts'
import type { TestFailure } from '../../../packages/judge/judge.ts'
import type { Task } from '../../../packages/task/task.ts'
import {
  boundText,
  clip,
  countOf,
  fenced,
  fold,
  inlineCode,
  lineBeforeCode,
  neutraliseLine,
  oneLine,
  paragraphs,
  writeList,
  writeTable,
} from '../../../packages/text/text.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { priceOf, totalTokens } from '../../core/domain/usage.ts'
import type { Forge } from '../../core/ports/forge.ts'
import { writePatch } from '../../core/write-patch.ts'
import { tellRepairs } from '../../recovery/task/tell-repairs.ts'
import { describeDollars } from './describe-verification.ts'

/** The most failing tests, warnings or problems listed. */
const mostShown = 5

/** Characters: GitHub accepts 65,536 in a body or comment, shared by all parts. */
const longestTask = 15_000
const longestOutput = 6_000
const longestPatch = 16_000
const longestLine = 600

/** Markdown of which a part is folded. */
export interface InParts {
  readonly shown: string
  readonly folded: string
}

/**
 * The evidence of a failed attempt: why it failed, with the first failing tests and problems, and, folded, the other
 * ones, the end of the output and the written files. Empty without evidence.
 *
 * @param mostVisible tests and problems to show unfolded
 */
export function writeEvidence(attempt: Attempt, mostVisible: number): InParts {
  const { failure, broken, draft } = attempt
  const tests = broken.length > 0 ? broken : (failure?.failures ?? [])
  // The message often quotes the first one.
  const problems = (failure?.problems ?? []).filter(
    ({ message }) => message === '' || !failure?.message.includes(message),
  )
  const lines = [
    ...tests.slice(0, mostShown).map(describeTest),
    ...(draft?.warnings ?? []).slice(0, mostShown).map((warning) => short(warning)),
    ...problems
      .slice(0, mostShown)
      .map(
        ({ path, line, message }) =>
          `${inlineCode(line > 0 ? `${path}:${line}` : path || 'the answer')}: ${short(message)}`,
      ),
  ]
  const output = failure?.output.trim() ?? ''
  const patch = writePatch(changesOf(draft), longestPatch)
  const more = lines.slice(mostVisible)
  const repairs = tellRepairs(attempt).map((line) => short(line))
  const [first] = tests
  const isSaid =
    mostVisible > 0 &&
    first !== undefined &&
    failure?.message.startsWith(`${first.test}: `) === true
  return {
    shown: paragraphs([
      failure === null || isSaid ? '' : `**Why it failed**: ${short(failure.message)}`,
      writeList(lines.slice(0, mostVisible)),
    ]),
    folded: paragraphs([
      more.length === 0 ? '' : fold(`More evidence (${more.length})`, writeList(more)),
      repairs.length === 0 ? '' : fold(`What was tried (${repairs.length})`, writeList(repairs)),
      output && fold('The end of the output', fenced(boundText(output, longestOutput))),
      patch && fold('What the last attempt wrote', fenced(patch, 'diff')),
    ]),
  }
}

function describeTest({ test, file, line, message, expected, actual }: TestFailure): string {
  const where = file === null ? '' : ` (${inlineCode(line === null ? file : `${file}:${line}`)})`
  const compared =
    expected === null || actual === null
      ? ''
      : `; expected ${inlineCode(expected.slice(0, 120))}, got ${inlineCode(actual.slice(0, 120))}`
  const [first = ''] = message.split('\n')
  const said = short(first, lineBeforeCode).replace(/[:.]$/, '')
  return `The test ${inlineCode(test)}${where} fails: ${said}${compared}`
}

const short = (text: string, neutral = neutraliseLine): string =>
  neutral(clip(oneLine(text), longestLine))

/** The task's text, folded; empty when it has only the title, which is shown above. */
export function foldTask({ title, details, members }: Task): string {
  if (details === '') return ''
  const words = boundText(members ? details : `${title}\n\n${details}`, longestTask)
  return fold('The task in the roadmap', fenced(words, 'markdown'))
}

/** Web address of the run's log, if it has one. */
export type LogPlace = Pick<Forge, 'runLog'>

/** The cost of the attempt, in one line. */
export function describeTaken(
  { task, usage, number, validationRepairs, testRepairs, seconds, route }: Attempt,
  { run }: StateFacts<'run.id'>,
  { model, runLog }: Pick<Settings, 'model'> & LogPlace,
): string {
  const { requests, promptTokens, completionTokens, dollars } = usage
  const id = `\`${run.id}\``
  const name = task.model ?? model.name
  const isUnknown = dollars === 0 && totalTokens(usage) > 0 && priceOf(name, model.prices) === null
  const repairs = validationRepairs + testRepairs
  const parts = [
    `Run ${runLog === undefined ? id : `[${id}](${runLog})`}`,
    ...(number > 1 ? [`attempt ${number}`] : []),
    inlineCode(name),
    ...(route === undefined ? [] : [`${route.way}: ${route.reason}`]),
    countOf(requests, 'request'),
    ...(repairs > 0 ? [countOf(repairs, 'repair')] : []),
    `${grouped(totalTokens(usage))} tokens (${grouped(promptTokens)} in, ${grouped(completionTokens)} out)`,
    isUnknown ? 'cost unknown' : describeDollars(dollars),
    `${seconds.toFixed(1)} s`,
  ]
  return `<sub>${parts.join(' · ')}</sub>`
}

const grouped = (count: number): string => count.toLocaleString('en')

const meanings = {
  approveTasks: ['/approve', 'replace the task with these, and start on them'],
  approveOperations: [
    '/approve',
    'write, test and publish this change with exactly these operations',
  ],
  revise: ['/revise <what to change>', 'continue from this code with what you say'],
  decompose: ['/decompose', 'propose smaller tasks instead'],
  rewrite: ['/rewrite [what to say]', 'propose other words for the task'],
  edit: ['/edit', 'replace the task with your own list, written below the command'],
  retry: ['/retry', 'retry the task from scratch, unchanged'],
  defer: ['/defer', 'close this, and try the task again at the next scheduled run'],
  skip: ['/skip', 'close this, and leave the task out'],
  reject: ['/reject', 'close this; the task rests until someone asks for it'],
} as const

type AnswerName = keyof typeof meanings

/**
 * How a person answers: the likely answers, and the others to be folded.
 *
 * @param byHand the effects of merging and closing manually
 */
export function writeAnswers(
  likely: readonly AnswerName[],
  others: readonly AnswerName[],
  byHand: string,
): InParts {
  const lines = likely.map((name) => `- \`${meanings[name][0]}\`: ${meanings[name][1]}`)
  const rows = others.map((name) => [`\`${meanings[name][0]}\``, meanings[name][1]])
  return {
    shown: paragraphs(['**Answer** by a comment:', lines.join('\n'), byHand]),
    folded: fold('More answers', writeTable(['comment', 'and the bot will'], rows)),
  }
}
