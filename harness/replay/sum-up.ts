import type { Figure } from '../summary.ts'
import {
  type CaseLine,
  hasArrived,
  isDifferent,
  isExact,
  isPassed,
  mustArrive,
} from './case-line.ts'

/** The figures of a replay, with the bounds that it must keep. */
export function sumUp(lines: readonly CaseLine[]): readonly Figure[] {
  const right = lines.filter(({ wrong }) => !wrong)
  const due = right.filter(mustArrive)
  const came = due.filter(hasArrived)
  const red = lines.filter(({ wrong, byHand }) => wrong && byHand?.after === 'red')
  const repositories = [...new Set(due.map(({ repository }) => repository))]
  return [
    { name: 'exact', count: right.filter(isExact).length, of: right.length },
    {
      name: 'another branch than was answered',
      ...{ count: lines.filter(isDifferent).length, of: lines.length, bound: { most: 0 } },
    },
    {
      name: 'arrived, of those that must',
      ...{ count: came.length, of: due.length, bound: { least: 0.95 } },
    },
    ...repositories.map((name) => {
      const own = due.filter(({ repository }) => repository === name)
      const count = own.filter(hasArrived).length
      return { name: `  of ${name}`, count, of: own.length, bound: { least: 0.75 } }
    }),
    {
      name: 'in one request, of those that arrived',
      count: came.filter(({ requests }) => requests === 1).length,
      ...{ of: came.length, bound: { least: 0.97 } },
    },
    {
      name: 'passed, of the wrong ones that are red by hand',
      ...{ count: red.filter(isPassed).length, of: red.length, bound: { most: 0 } },
    },
  ]
}

/** A sentence for each case that did not end as it must. */
export const listMisses = (lines: readonly CaseLine[]): readonly string[] =>
  lines.filter(isMissed).map(describe)

function describe(line: CaseLine): string {
  const { repository, commit, shape, outcome, receipt, differs, requests, told, objection } = line
  const how = [outcome, receipt, `${requests} requests`].filter(Boolean).join(', ')
  const others = differs && differs.length > 0 ? `; differs in ${differs.join(', ')}` : ''
  const first = objection === null ? '' : `; at first: ${objection.replaceAll('\n', ' ')}`
  const reason = line.reason || told.join('; ')
  return `${repository} ${commit.slice(0, 10)} ${shape}: ${how}${others}: ${reason}${first}`
}

function isMissed(line: CaseLine): boolean {
  if (isDifferent(line)) return true
  if (line.wrong) return line.byHand?.after === 'red' && isPassed(line)
  return !isExact(line) || (mustArrive(line) && (!hasArrived(line) || line.requests !== 1))
}
