/**
 * What model calls used, one JSON line each, in a file for each day (UTC): `spending/2026-01-31.jsonl`.
 * Only ever appended. Each line begins with its own line break, so that a line torn by a kill spoils
 * no other.
 */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { readStored } from '../../core/parse-json.ts'
import { type DaySpending, type Spending, spendingSchema } from '../../core/ports/store.ts'
import { useFile } from './atomic-file.ts'

export const spendingFolder = 'spending'

/** Bytes; a day of a call a second is half of it. */
const largestFile = 16_000_000

const nameOf = (day: string): string => {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new Error(`not a day: ${day}`)
  return `${day}.jsonl`
}

/** `directory` must be there. */
export async function appendSpending(directory: string, spending: Spending): Promise<void> {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants
  const path = join(directory, nameOf(spending.at.slice(0, 10)))
  const opened = await open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0o600)
  await useFile(opened, async (file) => {
    await file.writeFile(`\n${JSON.stringify(spending)}`)
    await file.sync()
  })
}

/** The lines of a day that can be read, as they were written. */
export async function readSpendingLines(
  directory: string,
  day: string,
): Promise<readonly Spending[]> {
  const path = join(directory, nameOf(day))
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  try {
    const opened = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const text = await useFile(opened, readSmallFile)
    return text.split('\n').flatMap((line) => readStored(spendingSchema, line) ?? [])
  } catch {
    return []
  }
}

/** The sum of a day. A file that cannot be read, and each line that is none of ours, is left out and said. */
export async function readSpending(directory: string, day: string): Promise<DaySpending> {
  const name = nameOf(day)
  const place = `.executor/${spendingFolder}/${name}`
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  let text: string
  try {
    const opened = await open(join(directory, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    text = await useFile(opened, readSmallFile)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const isAbsent = 'code' in error && error.code === 'ENOENT'
    const unreadable = isAbsent ? null : `${place}: ${error.message.slice(0, 200)}`
    return { tokens: 0, dollars: 0, unreadable }
  }
  return sumLines(text, place)
}

async function readSmallFile(file: FileHandle): Promise<string> {
  const found = await file.stat()
  if (!found.isFile()) throw new Error('it is not a file')
  if (found.size > largestFile) throw new Error(`it is larger than ${largestFile / 1e6} MB`)
  return file.readFile('utf8')
}

function sumLines(text: string, place: string): DaySpending {
  let tokens = 0
  let dollars = 0
  let damaged = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const spending = readStored(spendingSchema, line)
    if (spending === null) damaged += 1
    else {
      tokens += spending.tokens
      dollars += spending.dollars
    }
  }
  const lines = `${damaged} ${damaged === 1 ? 'line' : 'lines'}`
  const unreadable = damaged === 0 ? null : `${place}: ${lines} cannot be read`
  return { tokens, dollars, unreadable }
}
