import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import {
  type ChangeSet,
  contentAfter,
  type FileChange,
} from '../../../packages/change/change-set.ts'
import { writeChanges } from '../../../src/adapters/git-workspace/write.ts'
import { photograph } from '../../e2e/cli/look-at-disk.ts'

const numbers = Array.from({ length: 10 }, (_, index) => index + 1)
const before = (n: number): string => `part ${n}\n`
const path = (n: number): string => `src/deep/part${n}.js`

/** Ten files, changed in every way there is; the seventh as given. */
const tenChanges = (seventh: FileChange): ChangeSet =>
  numbers.map((n): FileChange => {
    if (n === 7) return seventh
    if (n % 3 === 0) return { action: 'delete', path: path(n), before: before(n) }
    if (n % 3 === 1) return { action: 'create', path: `new/${n}/a.js`, content: 'new\n' }
    return { action: 'modify', path: path(n), before: before(n), content: 'changed\n' }
  })

/** The ten files in a folder of their own. */
function makeTen() {
  const root = mkdtempSync(join(tmpdir(), 'executor-write-'))
  const folder = join(root, 'folder')
  mkdirSync(join(folder, dirname(path(1))), { recursive: true })
  for (const n of numbers) writeFileSync(join(folder, path(n)), before(n))
  return {
    root,
    folder,
    staging: join(root, 'staging'),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Contents and modes; when a directory was last changed, an undone change tells. */
const contentsOf = (folder: string) =>
  [...photograph(folder)].map(([name, at]) => [name, at.replace(/ \d+(?:\.\d+)? /, ' ')])

it.each<[string, FileChange, RegExp]>([
  [
    'cannot have its name',
    { action: 'create', path: `src/${'x'.repeat(300)}`, content: 'x' },
    /the name is too long/,
  ],
  [
    'is below a file',
    { action: 'create', path: `${path(2)}/x.js`, content: 'x' },
    /not a directory/,
  ],
  [
    'changed meanwhile',
    { action: 'modify', path: path(7), before: 'other\n', content: 'x' },
    /changed meanwhile/,
  ],
])('writes nothing of ten files when the seventh %s', async (_, seventh, reason) => {
  using ten = makeTen()
  const was = contentsOf(ten.folder)
  const result = await writeChanges(ten.folder, tenChanges(seventh), ten.staging)
  expect(result).toMatchObject({ status: 'refused', path: seventh.path })
  expect(result.status === 'refused' && result.reason).toMatch(reason)
  expect(contentsOf(ten.folder)).toEqual(was)
  expect(existsSync(ten.staging)).toBe(false)
})

it('writes nothing of ten files when the disk takes no more at the seventh', async () => {
  using ten = makeTen()
  const was = [...photograph(ten.folder)]
  const content = 'x'.repeat(200_000)
  const changes = tenChanges({ action: 'modify', path: path(7), before: before(7), content })
  const file = join(ten.root, 'changes.json')
  writeFileSync(file, JSON.stringify(changes))
  const script = join(import.meta.dirname, '../save-files.ts')
  const args = [script, ten.folder, file, ten.staging]
  const limited = ['-c', 'ulimit -f 100; exec "$0" "$@"', process.execPath, ...args]
  const said = JSON.parse(execFileSync('sh', limited, { encoding: 'utf8' }))
  expect(said).toEqual({
    status: 'refused',
    path: path(7),
    reason: 'the file system refused (EFBIG)',
  })
  // New texts wait beside the folder: it was never touched.
  expect([...photograph(ten.folder)]).toEqual(was)
  expect(existsSync(ten.staging)).toBe(false)

  expect(await writeChanges(ten.folder, changes, ten.staging)).toEqual({ status: 'written' })
  const now = new Map(contentsOf(ten.folder).map(([name, at]) => [name, at]))
  for (const change of changes) {
    expect(now.has(change.path), change.path).toBe(contentAfter(change) !== undefined)
  }
})
