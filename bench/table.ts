import { isMet, type Row } from './row.ts'

const head = ['Figure', 'Target', 'Measured', 'The floor', 'Ratio', '']

/** The rows as a Markdown table. A target that is not reached says MISSED. */
export function writeTable(rows: readonly Row[]): string {
  const lines = [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows.map(cells)]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function cells(row: Row): readonly string[] {
  const { figure, unit, measured, limit, floor } = row
  const met = isMet(row)
  return [
    figure.replaceAll('|', '\\|'),
    limit === undefined ? '' : `≤ ${amount(limit, unit)}`,
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
