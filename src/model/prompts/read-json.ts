import { parseLeniently } from '../../../packages/source/source.ts'
import { plainAnswer } from '../../../packages/text/text.ts'

/** The value in an answer, or the problem, as the end of the sentence "Your last answer cannot be used: …". */
export type JsonReading<Value> = { readonly value: Value } | { readonly problem: string }

/** The JSON object in a model's answer, without surrounding prose or fences, as `read` takes it. */
export function readJsonObject<Value>(
  answer: string,
  read: (said: Readonly<Record<string, unknown>>) => JsonReading<Value>,
): JsonReading<Value> {
  const found = readBetween(answer, '{', '}', 'object')
  return 'problem' in found ? found : read({ ...(found.value as object) })
}

/** The list in a model's answer: an array, or the first array inside an object, whatever surrounds it. */
export function readJsonArray(answer: string): JsonReading<readonly unknown[]> {
  const read = readBetween(answer, '[', ']', 'array')
  return 'problem' in read ? read : { value: read.value as readonly unknown[] }
}

/** Characters of a parser's message. */
const longestProblem = 200

/** Parses the text from the first opening bracket to the last closing one. */
function readBetween(
  answer: string,
  open: string,
  close: string,
  kind: string,
): JsonReading<unknown> {
  const said = plainAnswer(answer)
  if (said.trim() === '') return { problem: 'it is empty' }
  const start = said.indexOf(open)
  const end = said.lastIndexOf(close)
  if (start < 0) return { problem: `it is no JSON ${kind}` }
  if (end < start) return { problem: `its JSON ${kind} has no end` }
  const json = said.slice(start, end + 1)
  const value = parseLeniently(json)
  if (value !== undefined) return { value }
  try {
    return { value: JSON.parse(json) }
  } catch (error) {
    return { problem: `it is not valid JSON: ${String(error).slice(0, longestProblem)}` }
  }
}

/** The strings of an untrusted list, trimmed: at most `limit`, each of at most 300 characters. */
export function stringsOf(value: unknown, limit: number): readonly string[] {
  if (!Array.isArray(value)) return []
  const strings = value.filter((item): item is string => typeof item === 'string')
  return strings.slice(0, limit).map((text) => text.trim().slice(0, 300))
}
