import type { Author } from '../../core/ports/discussion.ts'

/** A part of an unchecked payload: these readers only read it, whatever it holds. */
export function partOf(value: unknown, ...path: readonly string[]): unknown {
  let part = value
  for (const key of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined
    part = (part as Record<string, unknown>)[key]
  }
  return part
}

/** The text there, or `null`; GitHub writes an empty body as `null`. */
export function payloadText(value: unknown, ...path: readonly string[]): string | null {
  const part = partOf(value, ...path)
  return typeof part === 'string' ? part : null
}

/** The number there, if it can be an id. */
export function idOf(value: unknown, ...path: readonly string[]): number | null {
  const part = partOf(value, ...path)
  return typeof part === 'number' && Number.isSafeInteger(part) && part > 0 ? part : null
}

/** Names of the labels there. */
export function labelsOf(value: unknown, ...path: readonly string[]): readonly string[] {
  const part = partOf(value, ...path)
  if (!Array.isArray(part)) return []
  return part.map((each: unknown) => payloadText(each, 'name')).filter((name) => name !== null)
}

/** The account there; `null` for a deleted one, or anything else. */
export function authorOf(value: unknown, ...path: readonly string[]): Author | null {
  const account = partOf(value, ...path)
  const [id, login] = [idOf(account, 'id'), payloadText(account, 'login')]
  if (id === null || login === null || login === '') return null
  const type = partOf(account, 'type')
  // Organisations, and future types of accounts, are not people.
  return { id, login, isBot: type !== 'User' || login.endsWith('[bot]') }
}
