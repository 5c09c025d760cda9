/** What the runs of each program come to, as tables. */

import type { RealResult } from './play-task.ts'
import { type RealProgramName, realProgramNames } from './real-programs.ts'

const number = (value: number): string =>
  Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '–'

const head = [
  'Program',
  'Solved',
  'Wrong but passed',
  'Requests',
  'Sent twice',
  'Tokens',
  'Tokens a success',
  "The model's seconds",
  'Usable first answers',
  'Unusable answers',
  'Stopped at the limit',
  'First temperature',
]

/** One line for each program, then the tasks that not all of them solved. */
export function writeRealTables(results: readonly RealResult[]): string {
  const programs = realProgramNames.filter((name) => ofProgram(results, name).length > 0)
  const rows = programs.map((name) => rowOf(name, ofProgram(results, name)))
  const lines = [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows]
  const table = lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
  const only = compareOneByOne(results, programs)
  const models = [...new Set(results.map(({ model }) => model))].join(', ')
  return [`Model: ${models}.`, table, ...only].join('\n\n')
}

const ofProgram = (results: readonly RealResult[], name: RealProgramName) =>
  results.filter(({ program }) => program === name)

function rowOf(name: RealProgramName, own: readonly RealResult[]): readonly string[] {
  const sum = (value: (result: RealResult) => number) =>
    own.reduce((total, result) => total + value(result), 0)
  const solved = sum(({ isSolved }) => Number(isSolved))
  const tokens = sum(({ promptTokens, completionTokens }) => promptTokens + completionTokens)
  const estimated = sum((result) => result.estimated)
  const firsts = own.filter(({ isFirstUsable }) => isFirstUsable !== null)
  return [
    ...[name, `${solved} of ${own.length}`],
    name === 'executor' ? `${sum(({ isWrong }) => Number(isWrong))}` : '',
    ...[number(sum(({ requests }) => requests)), `${sum(({ repeats }) => repeats)}`],
    `${number(tokens)}${estimated === 0 ? '' : ` (${estimated} answers estimated)`}`,
    ...[number(tokens / solved), number(sum(({ modelSeconds }) => modelSeconds))],
    `${firsts.filter(({ isFirstUsable }) => isFirstUsable === true).length} of ${firsts.length}`,
    causesOf(own),
    `${own.filter(({ limit }) => limit !== null).length}`,
    temperaturesOf(own),
  ]
}

function causesOf(own: readonly RealResult[]): string {
  const causes = new Map<string, number>()
  for (const [cause, times] of own.flatMap(({ unusable }) => Object.entries(unusable)))
    causes.set(cause, (causes.get(cause) ?? 0) + times)
  return [...causes].map(([cause, times]) => `${times} ${cause}`).join('; ') || '0'
}

/** Says whose choice it was: the program's own, the bench's, or the server's. */
function temperaturesOf(own: readonly RealResult[]): string {
  const said = own
    .filter(({ requests }) => requests > 0)
    .map(({ ownTemperature, temperature }) => {
      if (ownTemperature !== null) return `${ownTemperature}`
      return temperature === null ? 'the server’s' : `${temperature}, set by the bench`
    })
  return [...new Set(said)].join('; ')
}

/** For each pair of programs, the tasks that only one of them solved, of those that both played. */
function compareOneByOne(
  results: readonly RealResult[],
  programs: readonly RealProgramName[],
): readonly string[] {
  const [first, ...others] = programs
  if (first === undefined) return []
  const solvedBy = (name: RealProgramName) =>
    new Map(ofProgram(results, name).map(({ task, isSolved }) => [task, isSolved]))
  const own = solvedBy(first)
  return others.map((other) => {
    const theirs = solvedBy(other)
    const both = [...own.keys()].filter((task) => theirs.has(task))
    const only = (ours: boolean) =>
      both.filter((task) => own.get(task) === ours && theirs.get(task) !== ours)
    const list = (tasks: readonly string[]) => (tasks.length === 0 ? 'none' : tasks.join(', '))
    return `${first} and ${other} both played ${both.length} tasks. Only ${first} solved: ${list(only(true))}. Only ${other} solved: ${list(only(false))}.`
  })
}
