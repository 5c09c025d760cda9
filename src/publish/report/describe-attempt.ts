/** Parts of every pull request about an attempt: what it left behind, what it took, and how to answer. */
import type { Attempt } from '../../core/domain/attempt.ts'
import { changesOf, type StateFacts } from '../../core/domain/change-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Task } from '../../core/domain/task.ts'
import type { TestFailure } from '../../core/domain/test-report.ts'
import { totalTokens } from '../../core/domain/usage.ts'
import { fenced, neutraliseLine } from '../../text/markdown/neutralise.ts'
import {
  fold,
  inlineCode,
  paragraphs,
  writeList,
  writeTable,
} from '../../text/markdown/write-markdown.ts'
import { writePatch } from '../../text/markdown/write-patch.ts'
import { boundText } from '../../text/words/bound-text.ts'

/** Of failing tests, of warnings and of problems. */
const mostShown = 5

/** Characters: GitHub takes 65,536 of a body or a comment, and every part wants its share. */
const longestTask = 15_000
const longestOutput = 6_000
const longestPatch = 16_000
const longestLine = 600

/**
 * What a failed attempt left behind: the tests that fail, the problems in its code, and folded away
 * what was printed last and what it had written. Empty when it left nothing.
 */
export function writeEvidence({ failure, broken, draft }: Attempt): string {
  const tests = broken.length > 0 ? broken : (failure?.failures ?? [])
  const lines = [
    ...tests.slice(0, mostShown).map(describeTest),
    ...(draft?.warnings ?? []).slice(0, mostShown).map(short),
    ...(failure?.problems ?? [])
      .slice(0, mostShown)
      .map(
        ({ path, line, message }) =>
          `${inlineCode(line > 0 ? `${path}:${line}` : path || 'the answer')}: ${short(message)}`,
      ),
  ]
  const output = failure?.output.trim() ?? ''
  const patch = writePatch(changesOf(draft), longestPatch)
  return paragraphs([
    failure === null ? '' : `It ended with: ${short(failure.message)}`,
    writeList(lines),
    output && fold('Output', fenced(boundText(output, longestOutput))),
    patch && fold('What the last attempt wrote', fenced(patch, 'diff')),
  ])
}

function describeTest({ test, file, line, message, expected, actual }: TestFailure): string {
  const where = file === null ? '' : ` (${inlineCode(line === null ? file : `${file}:${line}`)})`
  const compared =
    expected === null || actual === null
      ? ''
      : `; expected ${inlineCode(expected.slice(0, 120))}, got ${inlineCode(actual.slice(0, 120))}`
  return `the test ${inlineCode(test)}${where} fails: ${short(message.split('\n')[0] ?? '')}${compared}`
}

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return neutraliseLine(line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)
}

/** The task's own words, folded away. */
export function foldTask({ title, details }: Task): string {
  const words = boundText(details === '' ? title : `${title}\n\n${details}`, longestTask)
  return fold('The task, as the roadmap has it', fenced(words, 'markdown'))
}

/** The task's words and what the attempt took, each folded away. */
export function attemptDetails(
  { task, usage, number, validationRepairs, testRepairs, seconds }: Attempt,
  { run }: StateFacts<'run.id'>,
  { model }: Pick<Settings, 'model'>,
): string {
  const { requests, promptTokens, completionTokens, dollars } = usage
  const rows = [
    ['run', `\`${run.id}\``],
    ['attempt', number],
    ['repairs', `${validationRepairs} before writing, ${testRepairs} after tests`],
    ['model', `${inlineCode(task.model ?? model.name)}, ${requests} requests`],
    ['tokens', `${totalTokens(usage)} (${promptTokens} in, ${completionTokens} out)`],
    ['cost', `$${dollars.toFixed(4)}`],
    ['time', `${seconds.toFixed(1)} s`],
  ]
  return `${foldTask(task)}\n\n${fold('How it was made', writeTable(['', ''], rows))}`
}

const meanings = {
  approveTasks: ['/approve', 'merge this change of the roadmap, and go on with the new tasks'],
  approveOperations: [
    '/approve',
    'write, test and publish this change, with just these operations',
  ],
  decompose: ['/decompose', 'propose smaller tasks instead'],
  rewrite: ['/rewrite <what to say>', 'propose other words instead'],
  edit: ['/edit, and below it a list of tasks', 'put your own tasks in its place'],
  retry: ['/retry', 'have the task done anew, as it stands'],
  defer: ['/defer', 'close this, and try the task again the next night'],
  skip: ['/skip', 'close this, and leave the task out'],
  reject: ['/reject', 'close this; the task is left alone until it is asked for'],
} as const

/** How a person answers: a table of commands, and below it what closing and merging by hand mean. */
export function writeAnswers(offered: readonly (keyof typeof meanings)[], byHand: string): string {
  const rows = offered.map((name) => [`\`${meanings[name][0]}\``, meanings[name][1]])
  const table = writeTable(['comment', 'and the bot will'], rows)
  return `### Your answer\n\n${table}\n\n${byHand}`
}
