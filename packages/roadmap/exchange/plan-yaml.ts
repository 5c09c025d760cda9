import { parse, stringify } from 'yaml'
import { z } from 'zod'
import {
  aPlanTask,
  createIds,
  listOrNone,
  type PlanTask,
  partStatus,
  type ReadPlan,
  readWords,
  type TriedTask,
  UnreadablePlan,
  writePriority,
} from './plan-task.ts'

const words = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const maybe = words.nullish().transform((value) => value ?? '')
/** A list, or one value. */
const list = z
  .union([z.array(words), words])
  .nullish()
  .transform((value) => (value == null ? [] : [value].flat()))

const budgetSchema = z
  .object({
    tokens: z.number().nonnegative().nullish(),
    dollars: z.number().nonnegative().nullish(),
  })
  .nullish()

const taskSchema = z.looseObject({
  ...{ id: maybe, title: maybe, description: maybe, status: maybe, owner: maybe, section: list },
  ...{ accept_tests: list, depends_on: list, files: list, verify: maybe, model: maybe },
  ...{ together: maybe, group: maybe, priority: maybe, budget: budgetSchema },
  subtasks: listOrNone(z.object({ title: words, status: maybe })),
})

const planSchema = z.object({ tasks: z.array(taskSchema) })

/** With what an export says of a run, which is no part of a roadmap. */
const known = new Set([...Object.keys(taskSchema.shape), 'verdict', 'reason', 'branch'])

/**
 * Reads a plan: `tasks` with `id`, `description`, `accept_tests`, `budget`, `owner`, `status`, `depends_on`, and what
 * `writePlanYaml` adds. The first line of a description is the title, unless there is one.
 *
 * @throws UnreadablePlan for a text that is no plan
 */
export function readPlanYaml(text: string): ReadPlan {
  const { tasks } = parsePlan(text)
  const idOf = createIds()
  const notes: string[] = []
  const read = tasks.map((task, at): PlanTask => {
    const [firstLine = '', ...rest] = task.description.trim().split('\n')
    const title = task.title.trim() || firstLine.trim() || `Task ${at + 1}`
    const id = idOf(task.id.trim() || `${at + 1}`)
    const more = Object.keys(task).filter((key) => !known.has(key))
    if (more.length > 0)
      notes.push(
        `${id}: ${more.join(', ')} ${more.length === 1 ? 'has' : 'have'} no place in a roadmap.`,
      )
    const { tokens = null, dollars = null } = task.budget ?? {}
    return aPlanTask({
      id,
      title,
      ...readWords(id, task, notes),
      headings: task.section,
      details: (task.title.trim() === '' ? rest.join('\n') : task.description).trim(),
      ...{ files: task.files, accept: task.accept_tests, dependsOn: task.depends_on.map(idOf) },
      verify: task.verify || null,
      model: task.model || null,
      together: task.together || null,
      group: task.group || null,
      owner: task.owner || null,
      budget: tokens === null && dollars === null ? null : { tokens, dollars },
      subtasks: task.subtasks.map((each) => ({
        title: each.title,
        status: partStatus(each.status),
      })),
    })
  })
  return { tasks: read, notes }
}

function parsePlan(text: string): z.infer<typeof planSchema> {
  const plan = planSchema.safeParse(parseYaml(text))
  if (plan.success) return plan.data
  const [issue] = plan.error.issues
  const where = issue?.path.join('.') || 'it'
  throw new UnreadablePlan(`This is no plan with tasks: ${where}: ${issue?.message}`)
}

/** Without aliases, which can make a small file large. */
function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UnreadablePlan(`The plan is not valid YAML: ${why}`, { cause })
  }
}

/** Writes the tasks as a plan; keys without a value are left out. */
export const writePlanYaml = (tasks: readonly TriedTask[]): string =>
  stringify({ tasks: tasks.map(asEntry) }, { lineWidth: 0 })

function asEntry(task: TriedTask): Readonly<Record<string, unknown>> {
  const { id, title, details, status, owner, dependsOn, accept, files, verify, model } = task
  const { together, group, priority, budget, headings, subtasks } = task
  const { verdict = null, reason = null, branch = null } = task
  const entry = {
    ...{ id, description: details === '' ? title : `${title}\n\n${details}`, status, owner },
    ...{ verdict, reason, branch },
    ...{ depends_on: dependsOn, accept_tests: accept, files, verify, model, together, group },
    priority: writePriority(priority),
    budget: budget && withoutEmpty(budget),
    ...{ section: headings, subtasks },
  }
  return withoutEmpty(entry)
}

const withoutEmpty = (entry: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(entry).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  )
