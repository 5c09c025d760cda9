import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { contentAfter } from '../../change/change-set.ts'
import type { Trees } from '../../change/trees.ts'
import { writeProject } from './temporary-project.ts'

/** Trees of one commit, `HEAD`, in plain folders without git. */
export async function plainTrees(texts: Readonly<Record<string, string>>): Promise<Trees> {
  const source = await writeProject(texts)
  const root = await writeProject({})
  const read = async (folder: string, paths: readonly string[]) => {
    const found = await Promise.all(
      paths.map(async (path) => [
        path,
        await readFile(join(folder, path), 'utf8').catch(() => null),
      ]),
    )
    return new Map(
      found.flatMap(([path, text]) => (path && text !== null ? [[path, text ?? '']] : [])),
    )
  }
  return {
    listFiles: async () =>
      Object.entries(texts).map(([path, { length }]) => ({ path, mode: '100644', size: length })),
    readFiles: (_sha, paths) => read(source, paths),
    async checkOut(name, sha) {
      const path = join(root, name)
      await rm(path, { recursive: true, force: true })
      await cp(source, path, { recursive: true })
      return { name, path, sha }
    },
    readFolder: ({ path }, paths) => read(path, paths),
    async write(folder, changes) {
      for (const change of changes) {
        const path = join(folder.path, change.path)
        const text = contentAfter(change)
        await mkdir(dirname(path), { recursive: true })
        await (text === undefined ? rm(path) : writeFile(path, text))
      }
      return { status: 'written' }
    },
    discard: (name) => rm(join(root, name), { recursive: true, force: true }),
  }
}
