import type { ProposedTask } from '../../../packages/task/task.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { Message } from '../../core/ports/model.ts'
import { promptOf, shortenFile } from './compose-prompt.ts'
import { describeTask } from './draft.ts'
import { type JsonReading, readJsonArray, readJsonObject, stringsOf } from './read-json.ts'

/** A task in the model's words, not yet checked. */
export type RawTask = Omit<ProposedTask, 'id'>

const form =
  '[{"title": "verb and object, one line", "details": ["what must be true when it is done"], "files": ["src/path.ext", "test/path.ext"]}]'

const instructions = {
  DECOMPOSE: `A task of a roadmap was too much for one change. Split it into 2 to 5 smaller tasks, in the order in which they must be done; together they do all that the task asks. Each names the files it creates or changes and a result that a test can check. Reply with one JSON array and nothing else:
${form}
Where one part is useless without the others, add "transactional": true to its object.`,
  REWRITE: `A task of a roadmap is too vague to be done. Write it anew, as one task that names the files to create or change and a result that a test can check. Do not add goals that it does not have. Reply with one JSON array of one entry and nothing else:
${form}`,
} as const

/** The wanted answer, in one line. */
export const recoveryForms = {
  DECOMPOSE: `one JSON array of 2 to 5 different tasks, each a part of the whole: ${form}`,
  REWRITE: `one JSON array of exactly one task: ${form}`,
} as const

/** Asks for tasks that replace a failed one. */
export function recoverPrompt(
  input: Pick<Attempt, 'task' | 'plan' | 'map' | 'failure'> & {
    readonly strategy: 'DECOMPOSE' | 'REWRITE'
    /** What the attempt tried, and why that failed; may be empty. */
    readonly tried: string
    /** A maintainer's wish for the new tasks; may be empty. */
    readonly wish: string
  },
): readonly Message[] {
  const { task, plan, map, failure, tried, wish } = input
  const planned = plan === null ? '' : `PLANNED FILES\n${plan.files.join('\n')}`
  const sections = [
    map === '' ? '' : `PROJECT\n${map}`,
    describeTask(task),
    planned,
    failure === null ? '' : `WHAT HAPPENED\n${shortenFile(failure.message, 600)}`,
    tried === '' ? '' : `WHAT WAS TRIED\n${tried}`,
    wish === '' ? '' : `WHAT THE MAINTAINER WANTS\n${shortenFile(wish, 1_500)}`,
  ]
  return promptOf(instructions[input.strategy], sections)
}

/** The tasks of an answer, bounded. */
export function readProposedTasks(answer: string): JsonReading<readonly RawTask[]> {
  const read = readJsonArray(answer)
  if ('problem' in read) return read
  const tasks = read.value.slice(0, 10).flatMap(toRawTask)
  const isWhole = saysTransactional(answer)
  return { value: tasks.map((task) => (isWhole ? { ...task, together: true } : task)) }
}

/** `{"transactional": true, "tasks": […]}`: said once, about the whole list. */
function saysTransactional(answer: string): boolean {
  const read = readJsonObject(answer, ({ transactional }) => ({ value: transactional === true }))
  return 'value' in read && read.value
}

function toRawTask(entry: unknown): readonly RawTask[] {
  if (typeof entry !== 'object' || entry === null) return []
  const { title, details, files, transactional } = entry as Readonly<Record<string, unknown>>
  if (typeof title !== 'string') return []
  const told = typeof details === 'string' ? [details] : details
  return [
    {
      ...{ title: title.slice(0, 300), details: stringsOf(told, 8), files: stringsOf(files, 12) },
      ...(transactional === true ? { together: true as const } : {}),
    },
  ]
}
