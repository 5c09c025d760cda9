/**
 * The vocabulary of schemas for stored data. A domain type that outlives a process is inferred from its schema, so
 * that readers and writers cannot differ.
 */
import { z } from 'zod'

/** Keeps unknown keys, invisibly to the type: a later version may know them. */
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape) as unknown as z.ZodObject<Shape>

export const text = z.string()
export const texts = z.array(text)
export const maybeText = text.nullable()
export const count = z.number()
export const maybeCount = count.nullable()

/** An address that reports may link to. */
export const webAddress = z.string().regex(/^(?:https?:\/\/[^\s"'<>()[\]\\|`]{1,2000})?$/)

/** A commit and its branch. */
export const commitSchema = object({ branch: text, sha: text })

/** The immutable type of a schema's values. */
export type Stored<Schema extends z.ZodType> = Unchanging<z.output<Schema>>

type Unchanging<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
  : Value

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
