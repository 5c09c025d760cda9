import { count, object, type Stored } from '../text/text.ts'

export const diffStatSchema = object({ files: count, added: count, removed: count })

/** Files that a change touches, and the lines that it adds and removes. */
export type DiffStat = Stored<typeof diffStatSchema>
