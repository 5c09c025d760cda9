import { holds, type Score, type ScoreRow } from './score.ts'

const head = ['Set', 'Cases', 'Right', 'Refused', 'Wrong', 'Bound', '']

/** Every row of every score as a Markdown table, without times: they are of no machine but one. */
export function writeTable(scores: readonly Score[]): string {
  return markdown(
    head,
    scores.flatMap(({ rows }) => rows.map(cells)),
  )
}

/** The same table for a terminal: columns aligned, no marks. */
export function alignTable(scores: readonly Score[]): string {
  const lines = [head, ...scores.flatMap(({ rows }) => rows.map(cells))]
  const widths = head.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)))
  const pad = (cell: string, index: number) =>
    index >= 1 && index <= 4 ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0)
  return lines
    .map((line) => line.map(pad).join('  ').trimEnd())
    .join('\n')
    .replaceAll('**', '')
}

function cells(row: ScoreRow): readonly string[] {
  const { label, cases, right, refused, wrong, bound } = row
  const limits = `≥ ${share(bound.minRight, 'down')} right, ≤ ${share(bound.maxWrong, 'up')} wrong`
  return [
    label,
    number(cases),
    number(right),
    number(refused),
    number(wrong),
    limits,
    say(holds(row)),
  ]
}

const say = (verdict: boolean): string => (verdict ? 'met' : '**MISSED**')

const number = (value: number): string => `${value}`.replace(/\B(?=(\d{3})+$)/g, ',')

/** Per cent with two digits at most, rounded to the lenient side: 99.96 is never shown as 100. */
function share(value: number, to: 'up' | 'down'): string {
  const hundredths = Number((value * 10_000).toFixed(6))
  return `${(to === 'up' ? Math.ceil(hundredths) : Math.floor(hundredths)) / 100} %`
}

function markdown(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = columns.map((column, index) =>
    index === 0 || column === 'Bound' || column === '' ? '---' : '---:',
  )
  return [columns, rule, ...rows]
    .map((line) => `| ${line.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}
