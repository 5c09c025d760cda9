import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../../harness/git.ts'
import { humanEvalFile, readHumanEval } from './read-human-eval.ts'
import { practiceFolder, readPolyglot } from './read-polyglot.ts'
import { readRepositories } from './read-repositories.ts'
import type { TaskReader } from './real-task.ts'

/** Reads the tasks of a clone (its work tree, a git directory, or a folder with one in `repo`) or of a folder. */
export const readRealTasks: TaskReader = async (folder, choice) => {
  const inside = join(folder, 'repo')
  const clone = existsSync(join(inside, 'HEAD')) ? inside : folder
  const has = (path: string) =>
    git(clone, 'cat-file', '-e', `HEAD:${path}`).then(
      () => true,
      () => false,
    )
  const read = (await has(humanEvalFile))
    ? readHumanEval
    : (await has(practiceFolder(choice.language).slice(0, -1)))
      ? readPolyglot
      : readRepositories
  const tasks = await read(clone, choice)
  if (tasks.length === 0) throw new Error(`No task with tests was found in ${folder}`)
  return tasks
}
