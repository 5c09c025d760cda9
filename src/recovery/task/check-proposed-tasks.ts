import { idsInPlaceOf } from '../../../packages/roadmap/roadmap.ts'
import { isTaskId, type ProposedTask, type Task } from '../../../packages/task/task.ts'
import { checkPath, countOf, oneLine } from '../../../packages/text/text.ts'
import type { RawTask } from '../../model/prompts/recover.ts'

export type CheckedTasks =
  | { readonly status: 'ok'; readonly tasks: readonly ProposedTask[] }
  /** A sentence that the model can act on. */
  | { readonly status: 'refused'; readonly reason: string }

/**
 * Checks whether a model's tasks may replace one in a roadmap: as many as requested, each with a new title, and with
 * files or a verifiable result. Neutralises their text: one line each, no boxes, no HTML, paths inside the
 * repository. A person's own tasks need no verifiable result.
 */
export function checkProposedTasks(
  raw: readonly RawTask[],
  task: Pick<Task, 'id' | 'title' | 'details'>,
  strategy: 'DECOMPOSE' | 'REWRITE',
  others: readonly string[],
  writer: 'model' | 'person' = 'model',
): CheckedTasks {
  const [least, most] = strategy === 'DECOMPOSE' ? [2, 5] : [1, 1]
  if (raw.length < least || raw.length > most) {
    return refuse(
      `it has ${countOf(raw.length, 'task')}; ${least === most ? `${least} is` : `${least} to ${most} are`} wanted`,
    )
  }
  const ids = idsInPlaceOf(task, raw.length)
  const taken = ids.find((id) => others.includes(id) || !isTaskId(id))
  if (taken !== undefined) return refuse(`the id ${taken} cannot be given`)
  // One part that needs the others makes it all or nothing.
  const isWhole = strategy === 'DECOMPOSE' && raw.some(({ together }) => together)
  const whole = isWhole ? { together: true as const } : {}
  const tasks = raw.map((each, index) => ({ ...tidyTask(each, ids[index] ?? ''), ...whole }))
  const titles = new Set(tasks.map(({ title }) => title.toLowerCase()))
  if (titles.size < tasks.length) return refuse('two of its tasks have the same title')
  for (const proposed of tasks) {
    const wrong = writer === 'person' ? emptyTitle(proposed) : whatIsWrong(proposed, task)
    if (wrong !== null) return refuse(`"${proposed.title}" ${wrong}`)
  }
  return { status: 'ok', tasks }
}

const refuse = (reason: string): CheckedTasks => ({ status: 'refused', reason })

const emptyTitle = ({ title }: ProposedTask): string | null =>
  title === '' ? 'says nothing' : null

function whatIsWrong(
  { title, details, files }: ProposedTask,
  task: Pick<Task, 'title' | 'details'>,
): string | null {
  if (title.split(' ').length < 2) return 'does not say what to do: a verb and an object are needed'
  const same = title.toLowerCase() === tidy(task.title).toLowerCase()
  if (same && details.join('\n') === task.details) return 'is the task as it was'
  if (files.length === 0 && details.length === 0) return 'names neither files nor a result'
  return null
}

function tidyTask({ title, details, files }: RawTask, id: string): ProposedTask {
  const paths = files.flatMap((path) => {
    const checked = checkPath(path.replace(/`/g, ''))
    return checked.status === 'ok' ? [checked.path] : []
  })
  return {
    id,
    title: tidy(title).replace(/^(?:T-[\w.-]+[:.]?|[A-Z][A-Z0-9]{0,15}-\d[\w.-]*:)\s+/, ''),
    details: details.map(tidy).filter((line) => line !== ''),
    files: [...new Set(paths)],
  }
}

/** One line of plain words: no control characters, no leading box, bullet or heading, no HTML. */
const tidy = (text: string): string =>
  oneLine(text.replace(/\p{C}/gu, ' '))
    .replace(/^(?:[-*+#>]+\s+|\d{1,3}[.)]\s+|\[[ x~/!-]\]\s+)+/i, '')
    .replace(/</g, '&lt;')
    .slice(0, 300)
