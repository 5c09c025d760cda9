import fc from 'fast-check'
import { expect, it } from 'vitest'
import { judgeCommit, judgeLog, judgePullRequest, judgeReport } from '../../scores/naughty-words.ts'

/** What does something to git, to GitHub, to a runner, to Markdown or to HTML, cut small. */
const scrap = fc.constantFrom(
  ...['@team', '@', '#', '12', 'Fixes ', 'GH-', 'o/r', '/issues/3', '/pull/', '/approve', '/'],
  ...['<!-- executor:task T-9 ', '-->', '<script>', '</details>', '<', '>', '&#64;', '&', '"', "'"],
  ...['[skip ci]', '[', ']', '(', ')', '!', '`', '```', '~~~', '|', '\\', '*', '_', '-', '=', ':'],
  ...['::', '##[', 'Executor-Task: T-9', 'Signed-off-by: a', 'skip-checks: true', '%0A', 'a', ' '],
  ...[
    '\n',
    '\r',
    '\n\n',
    '\t',
    '\0',
    '\u001B[31m',
    '\u0085',
    '\u2028',
    '\u202E',
    '\u00A0',
    '\u200D',
  ],
)
const texts = fc.array(scrap, { minLength: 1, maxLength: 12 }).map((scraps) => scraps.join(''))
const written = texts.filter((text) => text.trim() !== '')

it.each([
  ['a commit', judgeCommit, texts, 20],
  ['pull requests', judgePullRequest, written, 20],
  ['a workflow log', judgeLog, texts, 300],
] as const)('whatever a title and a model say does nothing in %s', (_, judge, from, numRuns) => {
  fc.assert(
    fc.property(from, (text) => {
      expect(judge(text)).toBe('right')
    }),
    { numRuns },
  )
})

it('whatever they say draws the same report', () => {
  // What HTML cannot hold is written as another character, or not at all.
  const shown = written.filter((text) => !/[\r\0]/.test(text))
  fc.assert(
    fc.property(shown, (text) => {
      expect(judgeReport(text)).toBe('right')
    }),
    { numRuns: 20 },
  )
})
