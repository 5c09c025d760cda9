/** The repository of all exercises, and a copy of it in which solutions are tried by hand. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { commitAll, git } from '../git.ts'
import { runChild } from '../run-child.ts'
import { environment } from '../run-program.ts'
import { type Exercise, type Language, ownTests } from './exercise.ts'
import type { Solution } from './spoil.ts'

export interface ExerciseWorkshop {
  readonly repository: string
  readonly cache: string
  /** What the exercise's own tests say of this solution; `null` when they came to no end. */
  tryByHand(exercise: Exercise, solution: Solution): Promise<'green' | 'red' | null>
}

/** Milliseconds; a slip that makes a loop endless is no wrong answer that tests find. */
const longestTest = 120_000
const longestSetUp = 300_000

export async function openWorkshop(
  folder: string,
  files: Readonly<Record<string, string>>,
  language: Language,
): Promise<ExerciseWorkshop> {
  const [repository, tree, cache] = ['exercises', 'by-hand', 'cache'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  await mkdir(cache, { recursive: true })
  for (const root of [repository, tree]) await writeAll(root, files)
  await git(repository, 'init', '--quiet', '--initial-branch=main')
  await commitAll(repository, 'Exercises')
  if (language === 'javascript') {
    const install = ['npm', 'install', '--no-audit', '--no-fund']
    const { code, output } = await runChild(install, tree, environment(cache), longestSetUp)
    if (code !== 0) throw new Error(`npm install: ${output}`)
  }
  return {
    ...{ repository, cache },
    async tryByHand(exercise, solution) {
      await writeAll(tree, texts(exercise, solution))
      const command = ['sh', '-c', ownTests(exercise)]
      const { code } = await runChild(command, tree, environment(cache), longestTest)
      const stubs = exercise.solutions.map(({ stub }) => stub)
      await writeAll(tree, texts(exercise, stubs))
      return code === null ? null : code === 0 ? 'green' : 'red'
    },
  }
}

const texts = ({ solutions }: Exercise, solution: Solution): Readonly<Record<string, string>> =>
  Object.fromEntries(solutions.map(({ path }, index) => [path, solution[index] ?? '']))

async function writeAll(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}
