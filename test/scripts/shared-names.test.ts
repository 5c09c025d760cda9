import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findSharedNames } from '../../scripts/shared-names.ts'

test.each([
  [
    'a type and a function',
    { 'src/a.ts': 'export type A = 1', 'src/b/c.ts': 'export function A() {}' },
    ['A: src/a.ts, src/b/c.ts'],
  ],
  [
    'constants',
    { 'src/a.ts': 'export const a = 1,\n b = 2', 'src/b.ts': 'export const b = 3' },
    ['b: src/a.ts, src/b.ts'],
  ],
  [
    'a name that is handed on',
    { 'src/a.ts': 'export class A {}', 'src/b.ts': "export { A } from './a.ts'" },
    [],
  ],
  ['a name that a file keeps', { 'src/a.ts': 'export const a = 1', 'src/b.ts': 'const a = 2' }, []],
  ['overloads', { 'src/a.ts': 'export function a(): void\nexport function a(b?: 1) {}' }, []],
  ['other folders', { 'src/a.ts': 'export const a = 1', 'test/a.ts': 'export const a = 1' }, []],
])('names that two files export: %s', async (_, files, expected) => {
  const root = mkdtempSync(join(tmpdir(), 'shared-names-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  expect(await findSharedNames(root, 'src/**/*.ts')).toEqual(expected)
})
