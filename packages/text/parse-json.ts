import type { z } from 'zod'

/** The value of a JSON text; `undefined` for any other text. */
export function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a JSON text; `null` for any other text. */
export const parseJson = (text: string): unknown => parseExactly(text) ?? null

/** Values by name, as JSON has them. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of an object; none of anything else. */
export const jsonFields = (value: unknown): Fields => (isFields(value) ? value : {})

/** The value of a JSON text that a schema describes; `null` for any other text. */
export const readStored = <Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | null => schema.safeParse(parseJson(text)).data ?? null
