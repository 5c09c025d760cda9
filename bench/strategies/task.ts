import { z } from 'zod'
import { languages } from './sources.ts'

export const kinds = [
  'one file',
  'many files',
  'file not named',
  'needs a test run',
  'misleading name',
  'too big',
] as const
export type Kind = (typeof kinds)[number]

const slipSchema = z.object({
  /** Which file of the solution. */
  file: z.number(),
  /** Which line of that file's text after the change, from 0. */
  line: z.number(),
  /** Which of the harness's slips; -1 leaves the line out. */
  rule: z.number(),
  /** Names of tests that fail with it. */
  signs: z.array(z.string()),
})

/** One slip in one line of a solution: the line is changed by a rule, or left out. */
export type Slip = Omit<z.infer<typeof slipSchema>, 'signs'>

/** A part of a task can be right or wrong by itself; the tests find each of its slips. */
const partSchema = z.object({ slips: z.array(slipSchema) })
export type Part = z.infer<typeof partSchema>

const entrySchema = z.object({
  id: z.string(),
  kind: z.enum(kinds),
  language: z.enum(languages),
  repository: z.string(),
  /** The commit whose change is the solution; for exercises, where they are read. */
  sha: z.string(),
  /** Names of the exercises that make up the task; none where it comes from a commit. */
  exercises: z.array(z.string()),
  /** The wrong file that the task names. */
  decoy: z.string().nullable(),
  /** Names of tests that fail before the change. */
  signs: z.array(z.string()),
  parts: z.array(partSchema),
})

/** What the manifest keeps of a task: nothing of the repository's text but the names of its failing tests. */
export type TaskEntry = z.infer<typeof entrySchema>

const manifestSchema = z.object({ seed: z.number(), tasks: z.array(entrySchema) })

export const readManifest = (value: unknown): z.infer<typeof manifestSchema> =>
  manifestSchema.parse(value)

/** `before` is null for a new file. */
export interface SolvedFile {
  readonly path: string
  readonly before: string | null
  readonly after: string
  /** Which part of the task it belongs to. */
  readonly part: number
}

/** A task with everything that a run of it needs. */
export interface Task extends TaskEntry {
  /** What the roadmap says: one line. */
  readonly text: string
  /** The tree at the start: every file that is text, with the solution's tests. */
  readonly files: ReadonlyMap<string, string>
  readonly solution: readonly SolvedFile[]
  /** Test files that judge the solution. */
  readonly tests: readonly string[]
  readonly command: string
  /** The same for the roadmap, without a path where the task must not give one away. */
  readonly accept: string
}
