import { z } from 'zod'
import {
  aPlanTask,
  createIds,
  listOrNone,
  partStatus,
  type ReadPlan,
  readWords,
  UnreadablePlan,
} from './plan-task.ts'

const idSchema = z.union([z.string(), z.number()]).transform(String)
const words = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const subtaskSchema = z.looseObject({
  ...{ id: idSchema, title: words, description: words, details: words },
  ...{ status: words, dependencies: listOrNone(idSchema) },
})

const taskSchema = z.looseObject({
  ...{ id: idSchema, title: words, description: words, details: words, testStrategy: words },
  ...{ status: words, priority: words, dependencies: listOrNone(idSchema) },
  subtasks: listOrNone(subtaskSchema),
})

const listSchema = z.looseObject({ tasks: z.array(taskSchema) })
/** Since its version 0.17 the lists have tags: `{"master": {"tasks": […]}}`. */
const taggedSchema = z.record(z.string(), listSchema)

/**
 * Reads task-master's `tasks.json`. Subtasks become check boxes of their task, and their words end its
 * description; each tag but `master` is a heading.
 *
 * @throws UnreadablePlan for a text that is no such file
 */
export function readTaskMaster(text: string): ReadPlan {
  const lists = parseLists(text)
  const notes: string[] = []
  const tasks = lists.flatMap(([tag, list]) => {
    const idOf = createIds()
    const prefix = lists.length > 1 && tag !== 'master' ? `${tag}-` : ''
    return list.map((task) => {
      const id = idOf(`${prefix}${task.id}`)
      if (task.subtasks.some(({ dependencies }) => dependencies.length > 0)) {
        notes.push(`${id}: its subtasks depend on each other; here they are done in their order.`)
      }
      const test = task.testStrategy.trim()
      const below = task.subtasks
        .filter(({ description, details }) => `${description}${details}`.trim() !== '')
        .map(({ title, description, details }) => `${title}: ${description}\n\n${details}`)
      const strategy = test === '' ? '' : `Test strategy: ${test}`
      const parts = [task.description, task.details, strategy, ...below]
      return aPlanTask({
        ...{ id, title: task.title.trim() || id, ...readWords(id, task, notes) },
        details: parts
          .map((part) => part.trim())
          .filter((part) => part !== '')
          .join('\n\n'),
        dependsOn: task.dependencies.map((other) => idOf(`${prefix}${other}`)),
        headings: prefix === '' ? [] : [tag],
        subtasks: task.subtasks.map((each) => ({
          title: each.title.trim() || each.id,
          status: partStatus(each.status),
        })),
      })
    })
  })
  return { tasks, notes }
}

type List = z.infer<typeof listSchema>['tasks']

function parseLists(text: string): readonly (readonly [string, List])[] {
  const json = parseJson(text)
  const one = listSchema.safeParse(json)
  if (one.success) return [['master', one.data.tasks]]
  const tagged = taggedSchema.safeParse(json)
  if (tagged.success) return Object.entries(tagged.data).map(([tag, { tasks }]) => [tag, tasks])
  const [issue] = one.error.issues
  throw new UnreadablePlan(
    `This is no tasks.json: ${issue?.path.join('.') || 'it'}: ${issue?.message}`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UnreadablePlan(`This is not valid JSON: ${String(cause).slice(0, 200)}`, {
      cause,
    })
  }
}
