/**
 * The usage of model requests, one JSON line each, append-only, one file per day (UTC):
 * `spending/2026-01-31.jsonl`. Each line begins with its line break, so a torn line damages no
 * other.
 */
import { join } from 'node:path'
import { appendPlain, readPlain } from '../../../packages/files/files.ts'
import { countOf, readStored } from '../../../packages/text/text.ts'
import { type DaySpending, type Spending, spendingSchema } from '../../core/ports/store.ts'

export const spendingFolder = 'spending'

/** In bytes; one request per second takes half of it a day. */
const largestFile = 16_000_000

const nameOf = (day: string): string => {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new Error(`not a day: ${day}`)
  return `${day}.jsonl`
}

/** @param directory must exist */
export async function appendSpending(directory: string, spending: Spending): Promise<void> {
  const path = join(directory, nameOf(spending.at.slice(0, 10)))
  await appendPlain(path, `\n${JSON.stringify(spending)}`)
}

/** Reads the valid lines of a day, as written. */
export async function readSpendingLines(
  directory: string,
  day: string,
): Promise<readonly Spending[]> {
  const { text } = await readPlain(join(directory, nameOf(day)), largestFile)
  return text.split('\n').flatMap((line) => readStored(spendingSchema, line) ?? [])
}

/** Sums a day. Reports an unreadable file and lines that are not spending records. */
export async function readSpending(directory: string, day: string): Promise<DaySpending> {
  const name = nameOf(day)
  const { text, problem } = await readPlain(join(directory, name), largestFile)
  const place = `.executor/${spendingFolder}/${name}`
  const sum = sumSpending(text.split('\n'), place)
  return problem === null
    ? sum
    : { ...sum, unreadable: `${place}: ${problem.message.slice(0, 200)}` }
}

export function sumSpending(lines: readonly string[], place: string): DaySpending {
  const written = lines.filter((line) => line.trim() !== '')
  const read = written.flatMap((line) => readStored(spendingSchema, line) ?? [])
  const damaged = written.length - read.length
  const said = `${place}: ${countOf(damaged, 'line')} cannot be read`
  return {
    tokens: read.reduce((sum, { tokens }) => sum + tokens, 0),
    dollars: read.reduce((sum, { dollars }) => sum + dollars, 0),
    unreadable: damaged === 0 ? null : said,
  }
}
