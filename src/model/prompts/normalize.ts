import type { ListedTask, TaskStatus } from '../../../packages/task/task.ts'
import type { Message } from '../../core/ports/model.ts'
import { promptOf, shortenFile } from './compose-prompt.ts'
import { type JsonReading, readJsonArray } from './read-json.ts'

const statuses: readonly TaskStatus[] = ['pending', 'in_progress', 'done', 'cancelled', 'blocked']

const instructions = `A roadmap has no check boxes. List the tasks of work that it names. Copy each one word for word from the document, as the shortest clause that says what to do. Leave out goals, background and remarks.
Reply with one JSON array and nothing else:
[{"title": "words copied from the document", "status": "pending" | "in_progress" | "done" | "cancelled"}]`

const workedExample: readonly Message[] = [
  {
    role: 'user',
    content:
      'Our shop should feel fast. We already show prices in euro. Next, add a cart page and let people empty it.',
  },
  {
    role: 'assistant',
    content:
      '[{"title": "show prices in euro", "status": "done"}, {"title": "add a cart page", "status": "pending"}, {"title": "let people empty it", "status": "pending"}]',
  },
]

/** Asks which words of a document are its tasks. `limit` is in characters. */
export const normalizePrompt = (document: string, limit: number): readonly Message[] =>
  promptOf(instructions, [shortenFile(document, limit)], workedExample)

/** The bullets that a model writes when it cannot write JSON. */
function bulletsOf(answer: string): readonly string[] {
  const bullets = answer.matchAll(/^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ x]\]\s+)?(\S.{0,400})$/gim)
  return [...bullets].map(([, words = '']) => words.replace(/^"(.*)",?$/, '$1'))
}

/** The tasks in an answer, whatever surrounds them; a bullet list counts, too. */
export function readListedTasks(answer: string): JsonReading<readonly ListedTask[]> {
  const array = readJsonArray(answer)
  const bullets = 'problem' in array ? bulletsOf(answer) : []
  if ('problem' in array && bullets.length === 0) return array
  const list = 'value' in array ? array.value : bullets
  return { value: list.flatMap(toListedTask) }
}

function toListedTask(entry: unknown): readonly ListedTask[] {
  if (typeof entry === 'string') return [{ title: entry, status: 'pending' }]
  if (typeof entry !== 'object' || entry === null) return []
  const { title, task, name, status } = entry as Readonly<Record<string, unknown>>
  const words = [title, task, name].find((value) => typeof value === 'string')
  if (typeof words !== 'string') return []
  return [{ title: words, status: statuses.find((known) => known === status) ?? 'pending' }]
}
