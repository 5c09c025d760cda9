import { expect, it } from 'vitest'
import { describeRecovered, judgeLearning } from '../../../src/core/history/learning.ts'

const about = 'lesson' as const

it.each<[string, readonly [string, number, number][], readonly string[]]>([
  ['no attempts', [], []],
  [
    'nine samples',
    [
      ['go', 9, 9],
      ['python', 100, 10],
    ],
    ['unknown', 'usual'],
  ],
  [
    'ten',
    [
      ['go', 10, 10],
      ['python', 100, 15],
    ],
    ['helps', 'usual'],
  ],
  [
    'a bad one',
    [
      ['go', 40, 2],
      ['python', 100, 60],
    ],
    ['hinders', 'helps'],
  ],
  ['one alone', [['go', 50, 20]], ['usual']],
])('%s', (_, rows, helps) => {
  const counts = rows.map(([value, samples, first]) => ({ about, value, samples, first }))
  expect(judgeLearning(counts).map(({ help }) => help)).toEqual(helps)
})

it('compares with attempts of the same kind alone', () => {
  const [go] = judgeLearning([
    { about, value: 'go', samples: 20, first: 10 },
    { about: 'strategy', value: 'tools', samples: 1_000, first: 0 },
  ])
  expect(go?.help).toBe('usual')
})

it('says the target beside the recoveries', () => {
  expect(describeRecovered({ tried: 4, succeeded: 3 })).toBe(
    '3 of 4 recoveries succeeded (75 %, target 60 %)',
  )
  expect(describeRecovered({ tried: 0, succeeded: 0 })).toBe(
    '0 of 0 recoveries succeeded (target 60 %)',
  )
})
