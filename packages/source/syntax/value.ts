/** Stands for text that is known only when the program runs. */
export const UNKNOWN = '\uFFFC'

/** The value that an expression has before the program runs; `undefined` when unknown. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | ReadonlyMap<string, Value>

/** Longer texts are no commands that a person wrote. */
export const MAX_TEXT = 20_000

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value)
export const isEntries = (value: Value): value is ReadonlyMap<string, Value> => value instanceof Map

/** The value as text, with unknown parts marked. */
export function valueText(value: Value): string {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return UNKNOWN
}

/** Texts of a list, nested lists flattened. */
export const textsOf = (value: Value): readonly string[] =>
  isList(value) ? value.slice(0, 1000).flatMap((item) => textsOf(item)) : [valueText(value)]

export const entry = (value: Value, ...keys: readonly string[]): Value => {
  if (!isEntries(value)) return undefined
  const key = keys.find((each) => value.has(each))
  return key === undefined ? undefined : value.get(key)
}
