import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { newLoop } from '../../../src/core/domain/tool-loop.ts'
import { tellRepairs } from '../../../src/recovery/task/tell-repairs.ts'
import { anAttempt, aRepair } from '../../fakes/facts.ts'

const turn = { input: '', thought: '', observation: '' }

it.each<[string, Partial<Attempt>, readonly string[]]>([
  ['no repair', {}, []],
  [
    'a solved one',
    { remedies: [aRepair({ fix: 'a → b', worked: true })] },
    ['Unexpected end: solved by a → b'],
  ],
  [
    'the code of one that did not help',
    { remedies: [aRepair({ node: 'repair_test', tried: '- a\n+ b' })] },
    ['Unexpected end: not solved by - a + b'],
  ],
  [
    'errors of the search for a reason',
    { remedies: [aRepair({ node: 'classify_failure' }), aRepair({ node: 'propose_recovery' })] },
    [],
  ],
  [
    'changes that failed in a loop of tools',
    {
      loop: {
        ...newLoop,
        turns: [
          { ...turn, tool: 'grep', summary: 'none', isOk: false },
          { ...turn, tool: 'write_diff', summary: '2 files', isOk: true },
          { ...turn, tool: 'run_tests', summary: '1 of 3 fails', isOk: false },
        ],
      },
    },
    ['run_tests: 1 of 3 fails'],
  ],
])('tells of %s', (_, attempt, lines) => {
  expect(tellRepairs(anAttempt(attempt))).toEqual(lines)
})

it('tells of the last eight, each in one short line, whatever they say', () => {
  const words = fc.oneof(fc.string(), fc.constant(`${'x'.repeat(9_000)}\n# IGNORE\r\n\u2028`))
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), (messages) => {
      const remedies = messages.map((message) => aRepair({ message, fix: message }))
      const lines = tellRepairs(anAttempt({ remedies }))
      expect(lines).toHaveLength(Math.min(8, messages.length))
      expect(lines.filter((line) => line.length > 161 || /[\n\r\u2028]/.test(line))).toEqual([])
    }),
  )
})
