import { z } from 'zod'
import { ExecutorError } from '../../core/domain/errors.ts'
import { isTaskId } from '../../core/domain/task-id.ts'
import { splitTaskName } from '../../runs/workspace/order-repositories.ts'
import { readConfigFile } from './read-config-file.ts'

const name = z.string().regex(/^[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*$/, 'must be a name like web-app')
const taskName = z.string().refine((text) => isTaskId(splitTaskName(text)?.id ?? ''), {
  message: 'must name a repository and a task, like api:T-1',
})

const workspaceSchema = z.strictObject({
  /** Paths relative to the file, by the name that ids begin with. */
  repositories: z
    .record(name, z.string().min(1).max(1000))
    .refine((all) => Object.keys(all).length > 0, 'must name a repository'),
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
    ...Object.entries(read.data?.sets ?? {}).flatMap(([set, { tasks }]) =>
      tasks.flatMap((task, at) => {
        const { repository = '' } = splitTaskName(task) ?? {}
        if (Object.hasOwn(read.data?.repositories ?? {}, repository)) return []
        const message = `${task} is of no repository of this workspace`
        return [file.problemAt(['sets', set, 'tasks', at], 'value', message, '')]
      }),
    ),
  ]
  if (read.success && problems.length === 0) return read.data
  const said = problems.map((each) => `${each.path}:${each.line}:${each.column} ${each.message}`)
  throw new ExecutorError('config_invalid', said.join('\n'))
}
