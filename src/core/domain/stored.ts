/**
 * The words that schemas of stored data are written in. A type of the domain that outlasts a process is
 * inferred from its schema, so that what is read and what is written cannot differ.
 */
import { z } from 'zod'

/** Keys that the schema does not have are kept, and no type shows them: a later version may know them. */
export const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape) as unknown as z.ZodObject<Shape>

export const text = z.string()
export const texts = z.array(text)
export const maybeText = text.nullable()
export const count = z.number()
export const maybeCount = count.nullable()

/** What reports make a link of. */
export const webAddress = z.string().regex(/^(?:https?:\/\/[^\s"'<>()[\]\\|`]{1,2000})?$/)

/** A commit and the branch it is on. */
export const commitSchema = object({ branch: text, sha: text })

/** The type of a schema's values: nothing changes what is stored in its place. */
export type Stored<Schema extends z.ZodType> = Unchanging<z.output<Schema>>

type Unchanging<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
  : Value
