import { openTree, type Tree } from '../../packages/change/tree.ts'

/** The tree of a commit that holds these texts, by path. */
export const memoryTree = (texts: Readonly<Record<string, string>>): Promise<Tree> =>
  openTree('a'.repeat(40), {
    listFiles: async () =>
      Object.entries(texts).map(([path, text]) => ({ path, mode: '100644', size: text.length })),
    readFiles: async (_, paths) =>
      new Map(Object.entries(texts).filter(([path]) => paths.includes(path))),
  })
