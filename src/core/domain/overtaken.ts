import { z } from 'zod'
import {
  count,
  maybeCount,
  maybeText,
  object,
  type Stored,
  text,
  texts,
} from '../../../packages/text/text.ts'

/** A changed file; `added` and `removed` are lines, `null` where git counts none, as in a binary file. */
const changedFileSchema = object({
  path: text,
  /** Before a rename; otherwise equal to `path`. */
  from: text,
  added: maybeCount,
  removed: maybeCount,
})

/** What one side has and the other lacks. Bounded, and without hidden text and keys; not neutralised. */
const sideSchema = object({
  /** `null` where the branch was deleted. */
  sha: maybeText,
  /** Newest first; `more` counts those that are left out. */
  commits: z.array(object({ sha: text, author: text, title: text })),
  moreCommits: count,
  files: z.array(changedFileSchema),
  moreFiles: count,
})

/** A finished commit that was not pushed, because someone else's commit is on its branch. */
export const overtakenSchema = object({
  task: text,
  forge: z.enum(['github', 'local']),
  branch: text,
  /** The ref that keeps our commit. */
  ref: text,
  ours: sideSchema,
  theirs: sideSchema,
  /** What a merge of the two would give. */
  merge: z.enum(['clean', 'conflict', 'unrelated', 'deleted']),
  conflicts: texts,
  /** The lines around the first conflict; absent where it is not one of text. */
  hunk: object({ path: text, text }).optional(),
  /** How many commits ours are, on one line. */
  picks: count,
  /** The parent of our first commit, from 1, that git needs to pick its change onto theirs; 0 for its only one. */
  mainline: count,
})

export type ChangedFile = Stored<typeof changedFileSchema>
export type Side = Stored<typeof sideSchema>
export type Overtaken = Stored<typeof overtakenSchema>

/** One sentence: what happened, and the command that shows our commit. */
export function sayOvertaken(
  overtaken: Pick<Overtaken, 'forge' | 'branch' | 'ref'> & Record<'ours' | 'theirs', string | null>,
): string {
  const { forge, branch, theirs, ours, ref } = overtaken
  const what =
    theirs === null
      ? `someone deleted ${branch}`
      : `someone else's commit ${theirs.slice(0, 7)} is on ${branch}`
  const show =
    forge === 'local' ? `git show ${ref}` : `git fetch origin ${ref} && git show FETCH_HEAD`
  return `${what}; ours, ${(ours ?? '').slice(0, 7)}, is kept: ${show}`
}
