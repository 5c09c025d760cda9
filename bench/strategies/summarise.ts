/** What the runs of a row come to, and the tables of docs/performance.md. */
import type { Row } from '../row.ts'
import type { Played } from './play.ts'
import { type Kind, kinds } from './task.ts'

export interface Result extends Played {
  readonly profile: string
  readonly approach: string
  readonly kind: Kind
}

interface Sum {
  readonly count: number
  readonly solved: number
  readonly wrong: number
  readonly requests: number
  readonly tokens: number
  readonly seconds: number
}

const sumUp = (results: readonly Result[]): Sum => {
  const sum = (value: (result: Result) => number) =>
    results.reduce((total, result) => total + value(result), 0)
  return {
    count: results.length,
    solved: sum(({ isSolved }) => (isSolved ? 1 : 0)),
    wrong: sum(({ isWrong }) => (isWrong ? 1 : 0)),
    requests: sum(({ requests }) => requests),
    tokens: sum(({ tokens }) => tokens),
    seconds: sum(({ seconds }) => seconds),
  }
}

/** Infinite where nothing was solved. */
const tokensPerSuccess = ({ tokens, solved }: Sum): number => tokens / solved

const number = (value: number): string =>
  Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '–'

const byKey = (results: readonly Result[], profile: string, approach: string) =>
  results.filter((result) => result.profile === profile && result.approach === approach)

/** One line for each profile and approach, then the same by kind. */
export function writeTables(results: readonly Result[], seed: number): string {
  const keys = [...new Set(results.map(({ profile, approach }) => `${profile}|${approach}`))]
  const rows = keys.map((key) => {
    const [profile = '', approach = ''] = key.split('|')
    return { profile, approach, own: byKey(results, profile, approach) }
  })
  const first = rows.map(({ profile, approach, own }) => {
    const sum = sumUp(own)
    return [
      ...[profile, approach, `${sum.solved} of ${sum.count}`, `${sum.wrong}`],
      ...[(sum.requests / sum.count).toFixed(1), number(sum.tokens / sum.count)],
      ...[number(tokensPerSuccess(sum)), `${(sum.seconds / sum.count).toFixed(1)} s`],
    ]
  })
  const shown = kinds.filter((kind) => results.some((result) => result.kind === kind))
  const second = rows.map(({ profile, approach, own }) => [
    ...[profile, approach],
    ...shown.map((kind) => {
      const { solved, count } = sumUp(own.filter((result) => result.kind === kind))
      return `${solved} of ${count}`
    }),
  ])
  const head = [
    'Model',
    'Way',
    'Solved',
    'Wrong but `passed`',
    'Requests',
    'Tokens',
    'Tokens a success',
    'Time',
  ]
  return [
    `Seed ${seed}. Requests, tokens and time are means of a task.`,
    table(head, first, 2),
    'Solved, by kind of task:',
    table(['Model', 'Way', ...shown], second, 2),
  ].join('\n\n')
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  words: number,
): string {
  const rule = head.map((_, index) => (index < words ? '---' : '---:'))
  return [head, rule, ...rows].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

const naive = (results: readonly Result[], approach: string) =>
  /^naive/.test(approach) && results.length > 0

/** The targets: the best of ours against naive, and `tools` against `single` where the file is not named. */
export function compare(results: readonly Result[]): readonly Row[] {
  return [...new Set(results.map(({ profile }) => profile))].flatMap((profile) => {
    const own = results.filter((result) => result.profile === profile)
    const names = [...new Set(own.map(({ approach }) => approach))]
    const sums = names.map((name) => ({ name, sum: sumUp(byKey(own, profile, name)) }))
    const ours = sums
      .filter(({ name }) => !/^naive/.test(name))
      .toSorted((a, b) => b.sum.solved - a.sum.solved || a.sum.tokens - b.sum.tokens)[0]
    const failures = ({ count, solved }: Sum) => count - solved
    const against = sums
      .filter(({ name }) => naive(own, name))
      .flatMap(({ name, sum }): Row[] =>
        ours === undefined
          ? []
          : [
              {
                figure: `${profile} model: failures of ${ours.name} over those of ${name}`,
                ...{ unit: '×', limit: 0.5, measured: failures(ours.sum) / failures(sum) },
              },
              {
                figure: `${profile} model: tokens a success of ${ours.name} over those of ${name}`,
                ...{ unit: '×', limit: 0.5 },
                measured: tokensPerSuccess(ours.sum) / tokensPerSuccess(sum),
              },
            ],
      )
    const unnamed = (name: string) =>
      sumUp(byKey(own, profile, name).filter(({ kind }) => kind === 'file not named'))
    const hasTools = names.includes('tools') && names.includes('single')
    const looked: readonly Row[] = hasTools
      ? [
          {
            figure: `${profile} model, file not named: failures of tools over those of single`,
            ...{ unit: '×', limit: 1 / 3 },
            measured: failures(unnamed('tools')) / failures(unnamed('single')),
          },
        ]
      : []
    return [...against, ...looked]
  })
}
