import type { z } from 'zod'

/** The value of a JSON text; `null` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The value of a JSON text that a schema describes; `null` for any other text. */
export const readStored = <Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | null => schema.safeParse(parseJson(text)).data ?? null
