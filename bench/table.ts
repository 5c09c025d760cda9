import { isMet, type Row } from './row.ts'

/** The figures that README shows, each with what a reader would call it. */
const headline: readonly (readonly [figure: string, words: string])[] = [
  ['S1: prompt tokens, whole task', 'Prompt tokens of a small task'],
  ['S1: broken files ever on disk', 'Files ever written that do not parse'],
  [
    '12 tasks, faulty model: tokens sent and received (floor: naive)',
    'Tokens for 12 tasks with a model that makes mistakes',
  ],
  [
    'resume with 1,000 tasks in state, killed by -9: spawn to the model request',
    'Resume after `kill -9`, 1,000 tasks in the state',
  ],
  ['peak memory, 1 task', 'Peak memory'],
]

/** The rows of README's table; figures that this run did not measure are left out. */
export function writeSummary(rows: readonly Row[]): string {
  const lines = headline.flatMap(([figure, words]) => {
    const row = rows.find((candidate) => candidate.figure === figure)
    if (row === undefined) return []
    const floor = row.floor === undefined ? '' : amount(row.floor, row.unit)
    return [[words, amount(row.measured, row.unit), floor]]
  })
  return [['Figure', 'Measured', 'The floor'], ['---', '---:', '---:'], ...lines]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n')
}

const head = ['Figure', 'Target', 'Measured', 'The floor', 'Ratio', '']

/** The rows as a Markdown table. A target that is not reached says MISSED. */
export function writeTable(rows: readonly Row[]): string {
  const lines = [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows.map(cells)]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function cells(row: Row): readonly string[] {
  const { figure, unit, measured, limit, least, floor } = row
  const atMost = limit === undefined ? '' : `≤ ${amount(limit, unit)}`
  const met = isMet(row)
  return [
    figure.replaceAll('|', '\\|'),
    least === undefined ? atMost : `≥ ${amount(least, unit)}`,
    amount(measured, unit),
    floor === undefined ? '' : amount(floor, unit),
    floor === undefined || floor === 0 || unit === '×' ? '' : `${amount(measured / floor, '×')}`,
    met === null ? '' : met ? 'met' : '**MISSED**',
  ]
}

/** Three digits are all that a measurement on a busy machine is worth. */
function amount(value: number, unit: Row['unit']): string {
  const digits = Number.isInteger(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2
  const [whole = '', part] = value.toFixed(digits).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const number = part === undefined ? grouped : `${grouped}.${part}`
  return unit === '' ? number : `${number} ${unit}`
}
