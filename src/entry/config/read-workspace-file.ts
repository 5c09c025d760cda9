import { z } from 'zod'
import { isTaskId } from '../../../packages/task/task.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { isRepositoryName } from '../../core/domain/repository-name.ts'
import type { TaskSet } from '../../publish/report/workspace-report.ts'
import { splitTaskName } from '../../runs/workspace/order-repositories.ts'
import { readConfigFile } from './read-config-file.ts'

const name = z.string().regex(/^[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*$/, 'must be a name like web-app')
const taskName = z.string().refine((text) => isTaskId(splitTaskName(text)?.id ?? ''), {
  message: 'must name a repository and a task, like api:T-1',
})

const workspaceSchema = z.strictObject({
  /** By the name that ids begin with: `owner/name` on GitHub, or a path relative to the file. */
  repositories: z
    .record(name, z.string().min(1).max(1000))
    .refine((all) => Object.keys(all).length > 0, 'must name a repository')
    .refine((all) => Object.keys(all).length <= 100, 'must name at most 100 repositories'),
  /** Tasks that belong together; `atomic`: all of them are merged, or none. */
  sets: z
    .record(
      name,
      z.strictObject({
        tasks: z.array(taskName).min(1).max(100),
        atomic: z.boolean().default(false),
      }),
    )
    .default({}),
})

export type WorkspaceFile = z.output<typeof workspaceSchema>

export const setsOf = ({ sets }: WorkspaceFile): readonly TaskSet[] =>
  Object.entries(sets).map(([name, { tasks, atomic }]) => ({ name, tasks, atomic }))

/**
 * Reads `workspace.yml`: the repositories of a workspace and the sets of tasks across them.
 * @throws ExecutorError `config_invalid` with every problem and its place
 */
export function readWorkspaceFile(path: string, text: string): WorkspaceFile {
  const file = readConfigFile(path, text)
  const read = workspaceSchema.safeParse(file.values)
  const issues = read.error?.issues ?? []
  const problems = [
    ...file.problems,
    ...issues.map(({ path: keys, message }) =>
      file.problemAt(keys, 'value', `${keys.join('.') || 'the file'}: ${message}`, ''),
    ),
    ...(read.data === undefined ? [] : contradictions(read.data)).map(({ keys, message }) =>
      file.problemAt(keys, 'value', message, ''),
    ),
  ]
  if (read.success && problems.length === 0) return read.data
  const said = problems.map((each) => `${each.path}:${each.line}:${each.column} ${each.message}`)
  throw new ExecutorError('config_invalid', said.join('\n'))
}

/** What the file says twice, or of a repository that it does not name. */
const contradictions = (file: WorkspaceFile) => [...sameRepositories(file), ...wrongTasks(file)]

function sameRepositories({ repositories }: WorkspaceFile) {
  const names = new Map<string, string>()
  return Object.entries(repositories).flatMap(([name, place]) => {
    const key = isRepositoryName(place) ? place.toLowerCase() : place
    const other = names.get(key)
    names.set(key, name)
    const message = `${name} is the same repository as ${other}`
    return other === undefined ? [] : [{ keys: ['repositories', name], message }]
  })
}

/** A task in two sets could be merged with neither alone. Capitals do not count, as in `Depends on`. */
function wrongTasks({ repositories, sets }: WorkspaceFile) {
  const known = new Set<string>()
  return Object.entries(sets).flatMap(([set, { tasks }]) =>
    tasks.flatMap((task, at) => {
      const { repository = '' } = splitTaskName(task) ?? {}
      const keys = ['sets', set, 'tasks', at]
      if (!Object.hasOwn(repositories, repository))
        return [{ keys, message: `${task} is of no repository of this workspace` }]
      if (known.has(task.toLowerCase())) return [{ keys, message: `${task} is in a set already` }]
      known.add(task.toLowerCase())
      return []
    }),
  )
}
