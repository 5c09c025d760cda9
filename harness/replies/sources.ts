/** Changes that are known to be right, each with the tree that it is made in. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { FileChange } from '../answer.ts'
import { layOut } from '../exercises/lay-out.ts'
import { readExercises } from '../exercises/read-exercises.ts'
import { git } from '../git.ts'
import { readCommits } from '../replay/read-commits.ts'

export interface Source {
  readonly name: string
  readonly changes: readonly FileChange[]
  /** Lays the tree out in an empty folder. */
  readonly layOut: (folder: string) => Promise<void>
}

/** The newest commits of a repository that touch code and tests. */
export async function commitsOf(repository: string, count: number): Promise<readonly Source[]> {
  const { chosen } = await readCommits(repository, count, () => null)
  return chosen.map(({ sha, parent, files }) => ({
    name: `${basename(repository)} ${sha.slice(0, 10)}`,
    changes: files,
    async layOut(folder) {
      await git(repository, 'clone', '--quiet', '--shared', '--no-checkout', repository, folder)
      await git(folder, 'checkout', '--quiet', '--detach', parent)
    },
  }))
}

/** Exercises, all in one tree; the reference takes the stub's place. */
export async function exercisesOf(directory: string, count: number): Promise<readonly Source[]> {
  const { exercises, settings } = await readExercises(directory)
  return exercises.slice(0, count).map(({ name, solutions, ...rest }) => ({
    name: `${basename(directory)} ${name}`,
    changes: solutions.map(({ path, stub, reference }) => ({
      path,
      before: stub,
      after: reference,
    })),
    async layOut(folder) {
      const files = layOut([{ name, solutions, ...rest }], settings)
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), text)
      }
    },
  }))
}

/** Lays a tree out, and takes it away again. */
export async function inTree<T>(
  source: Source,
  folder: string,
  use: (tree: string) => Promise<T>,
): Promise<T> {
  const tree = join(folder, 'tree')
  await rm(tree, { recursive: true, force: true })
  try {
    await source.layOut(tree)
    return await use(tree)
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}
