import { expect, it } from 'vitest'
import type { TreeEntry, Trees } from '../../../packages/change/change.ts'
import { whyUnwritable } from '../../../src/tasks/start/find-start.ts'
import { aTask } from '../../fakes/facts.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'

const entries: readonly TreeEntry[] = [
  { path: 'src/app.js', mode: '100644', size: 20 },
  { path: 'src/latin.js', mode: '100644', size: 20 },
  { path: 'src/generated.ts', mode: '100644', size: 2_000_000 },
  { path: 'docs/guide.md', mode: '100644', size: 20 },
  { path: 'src/link.js', mode: '120000', size: 6 },
  { path: 'shared', mode: '120000', size: 9 },
  { path: 'vendor', mode: '160000', size: 0 },
  { path: 'data/big.json', mode: '100644', size: 2_000_000 },
  { path: 'logo.png', mode: '100644', size: 20 },
]

/** Only these can be read as text. */
const texts = new Map([['src/app.js', 'export const one = 1\n']])

const workspace = {
  ...createMemoryWorkspace({ files: {} }),
  listFiles: async () => entries,
  readFiles: async (_: string, paths: readonly string[]) =>
    new Map([...texts].filter(([path]) => paths.includes(path))),
} satisfies Trees

const about = (title: string, files: readonly string[] = []) => aTask({ title, files: [...files] })

it.each([
  [about('Add `two` to `src/latin.js`'), /src\/latin\.js is larger than 1 MB or not UTF-8 text/],
  [about('Say more in `docs/guide.md`'), /docs\/guide\.md is larger/],
  [about('Sort `src/generated.ts`'), /src\/generated\.ts is larger than 1 MB/],
  [about('Add `two` to `src/link.js`'), /src\/link\.js is a symbolic link: name the file/],
  [about('Add `shared/new.js`'), /shared is a symbolic link/],
  [about('Fix `vendor/lib.js`'), /vendor belongs to another repository/],
  [about('Add two', ['src/link.js', 'vendor/lib.js']), /symbolic link.*; vendor belongs/],
])('%j cannot be written', async (task, reason) => {
  expect(await whyUnwritable(task, 'sha', workspace)).toMatch(reason)
})

it.each([
  about('Add `two` to `src/app.js`'),
  about('Add `src/new.js`'),
  about('Make it faster'),
  about('Add two', ['src/app.js', 'src/latin.js']),
  about('Read the numbers in `data/big.json`'),
  about('Show `logo.png`'),
])('%j can be', async (task) => {
  expect(await whyUnwritable(task, 'sha', workspace)).toBeNull()
})
