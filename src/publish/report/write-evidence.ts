import { changesOf } from '../../core/domain/attempt.ts'
import type { Attempt } from '../../core/domain/run-state.ts'
import type { TestFailure } from '../../core/domain/test-report.ts'
import { fold } from '../../text/markdown/fold.ts'
import { inlineCode } from '../../text/markdown/inline-code.ts'
import { fenced, neutraliseLine } from '../../text/markdown/neutralise.ts'
import { writePatch } from '../../text/markdown/write-patch.ts'
import { boundText } from '../../text/words/bound-text.ts'

/** So many failing tests, and so many problems, are shown. */
const mostShown = 5

/** Characters: GitHub takes 65,536 of a comment, and the rest wants its share. */
const longestOutput = 6_000
const longestPatch = 16_000
const longestLine = 600

/**
 * What a failed attempt left behind: the tests that fail, the problems in its code, and folded away
 * what was printed last and what it had written. Empty when it left nothing.
 */
export function writeEvidence({ failure, broken, draft }: Attempt): string {
  const tests = (broken.length > 0 ? broken : (failure?.failures ?? [])).slice(0, mostShown)
  const problems = (failure?.problems ?? []).slice(0, mostShown)
  const lines = [
    ...tests.map(describeTest),
    ...(draft?.warnings ?? []).slice(0, mostShown).map((warning) => `- ${short(warning)}`),
    ...problems.map(
      ({ path, line, message }) =>
        `- ${inlineCode(line > 0 ? `${path}:${line}` : path || 'the answer')}: ${short(message)}`,
    ),
  ]
  const output = failure?.output.trim() ?? ''
  const patch = writePatch(changesOf(draft), longestPatch)
  const parts = [
    failure === null ? '' : `It ended with: ${short(failure.message)}`,
    lines.join('\n'),
    output === '' ? '' : fold('Output', fenced(boundText(output, longestOutput))),
    patch === '' ? '' : fold('What the last attempt wrote', fenced(patch, 'diff')),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function describeTest({ test, file, line, message, expected, actual }: TestFailure): string {
  const where = file === null ? '' : ` (${inlineCode(line === null ? file : `${file}:${line}`)})`
  const compared =
    expected === null || actual === null
      ? ''
      : `; expected ${inlineCode(expected.slice(0, 120))}, got ${inlineCode(actual.slice(0, 120))}`
  return `- the test ${inlineCode(test)}${where} fails: ${short(message.split('\n')[0] ?? '')}${compared}`
}

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return neutraliseLine(line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)
}
