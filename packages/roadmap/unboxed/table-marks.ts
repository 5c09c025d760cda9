import type { TaskMark, TaskStatus } from '../../task/task.ts'
import type { Block } from '../document/read-blocks.ts'
import { readStatusCell, type StatusSign } from './status-sign.ts'

/** A possible task; a `null` status is ❌, whose meaning depends on the other signs. */
export type Candidate = Omit<TaskMark, 'status'> & {
  readonly status: TaskStatus | null
  readonly certain: boolean
}

const anId = /^(?:T-[\w.-]+|[A-Z][A-Z0-9]{0,15}-\d[\w.-]*|#\d+|\d+(?:\.\d+)+)$/
const tableRule = /^[\s|:-]*-[\s|:-]*$/

/**
 * Reads a table with a status column: one headed as such, or one with a known status in every row. A task whose
 * status is unknown waits for a person.
 */
export function rowCandidates(block: Block, lines: readonly string[]): readonly Candidate[] {
  const rows = lines.slice(block.line - 1, block.endLine).map(cellsOf)
  const [head = [], , ...body] = rows
  const known = head.map((_, index) => body.filter((row) => statusAt(row, index) !== null).length)
  const column = known.findIndex((count, index) =>
    isStatusHead(head[index] ?? '') ? count > 0 : count > 0 && count === body.length,
  )
  if (column < 0 || !tableRule.test(lines[block.line] ?? '')) return []
  const needs = head.findIndex((cell) => dependencyHead.test(cell))
  const isNumber = body.some((row) => /^[\d\s,;&]+$/.test(row[needs] ?? '')) ? /^\d+$/ : /^$/
  return body.map((row, index) => ({
    kind: 'row',
    line: block.line + 2 + index,
    title: `${titleOfRow(row, [column, needs], isNumber)}${noteOfRow(row[needs] ?? '')}`,
    ...statusOfCell(row[column] ?? ''),
    certain: true,
  }))
}

const statusHead = /^\W*(?:status|state|progress|done)\W*$/i
const isStatusHead = (cell: string): boolean => statusHead.test(cell)
const dependencyHead = /^\W*(?:depend|blocked by|prerequisite|requires)/i

/** A `null` status is ❌; an empty cell is a task that has not been started. */
function statusOfCell(cell: string): Pick<Candidate, 'status' | 'isUnclear'> {
  const sign = readStatusCell(cell)
  if (sign !== null) return { status: sign.status }
  return /[\p{L}\p{N}]/u.test(cell) ? { status: 'blocked', isUnclear: true } : { status: 'pending' }
}

const noteOfRow = (cell: string): string =>
  /[\p{L}\p{N}]/u.test(cell) ? ` (prerequisite: ${cell.replace(/[()]/g, ' ').trim()})` : ''

const statusAt = (row: readonly string[], column: number): StatusSign | null =>
  readStatusCell(row[column] ?? '')

/**
 * Joins the number, the first cell with words, and a description after a colon.
 *
 * @param isNumber the pattern by which rows name each other, besides ids
 */
function titleOfRow(row: readonly string[], others: readonly number[], isNumber: RegExp): string {
  const cells = row.filter((cell, index) => !others.includes(index) && cell !== '')
  const first = cells.findIndex((cell) => /\p{L}.*\p{L}/u.test(cell) && !anId.test(cell))
  if (first < 0) return ''
  const before = cells.slice(0, first)
  const plain = before.find((cell) => isNumber.test(cell))
  const number = before.find((cell) => anId.test(cell)) ?? (plain && `${plain}.`)
  const [name = '', ...more] = cells.slice(first)
  const title = [number, name].filter((part) => part !== undefined).join(' ')
  const text = more.find((cell) => /\p{L}\S*\s+\S/u.test(cell))
  return text === undefined || title.length + text.length > 200 ? title : `${title}: ${text}`
}

function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim())
}
