/**
 * The first JSON object in a model's answer, whatever prose or fence is around it;
 * `null` when there is none that parses. Every brace is tried at most once per end.
 */
export function readJsonObject(answer: string): Readonly<Record<string, unknown>> | null {
  const start = answer.indexOf('{')
  const end = answer.lastIndexOf('}')
  if (start < 0 || end < start) return null
  try {
    const value: unknown = JSON.parse(answer.slice(start, end + 1))
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

/**
 * The list in a model's answer: an array, or the first array inside an object, whatever prose or
 * fence is around it; `null` when there is none that parses.
 */
export function readJsonArray(answer: string): readonly unknown[] | null {
  const start = answer.indexOf('[')
  const end = answer.lastIndexOf(']')
  if (start < 0 || end < start) return null
  try {
    const value: unknown = JSON.parse(answer.slice(start, end + 1))
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** The strings of an untrusted list, trimmed, at most `limit`, each of at most 300 characters. */
export function stringsOf(value: unknown, limit: number): readonly string[] {
  if (!Array.isArray(value)) return []
  const strings = value.filter((item): item is string => typeof item === 'string')
  return strings.slice(0, limit).map((text) => text.trim().slice(0, 300))
}
