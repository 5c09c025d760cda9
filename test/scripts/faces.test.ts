import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countMembers } from '../../scripts/faces/count-members.ts'
import { closureOf, readSource } from '../../scripts/faces/read-sources.ts'

const sourcesOf = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, readSource(path, text)]))

describe('readSource', () => {
  it('reads imports with what they take, as it is named where it comes from', () => {
    const text = `
import whole from 'zod'
import * as all from './all.ts'
import { a as b, type C } from '../x/a.ts'
import type { D } from './d.ts'
import { type E } from './e.ts'
export { f } from './f.ts'
const { g: h } = await import('./g.ts')
void import('./h.ts')
`
    expect(readSource('src/y/y.ts', text).imports).toEqual([
      { from: 'zod', names: ['default'], isType: false, isDeferred: false },
      { from: 'src/y/all.ts', names: ['*'], isType: false, isDeferred: false },
      { from: 'src/x/a.ts', names: ['a', 'C'], isType: false, isDeferred: false },
      { from: 'src/y/d.ts', names: ['D'], isType: true, isDeferred: false },
      { from: 'src/y/e.ts', names: ['E'], isType: true, isDeferred: false },
      { from: 'src/y/f.ts', names: ['f'], isType: false, isDeferred: false },
      { from: 'src/y/g.ts', names: ['g'], isType: false, isDeferred: true },
      { from: 'src/y/h.ts', names: ['*'], isType: false, isDeferred: true },
    ])
  })

  it('counts lines, spreads of literals and exported shapes', () => {
    const text = 'export interface A {}\ntype B = 1\nf(...[1], ...x, { ...{ a }, ...b })\n'
    expect(readSource('src/a.ts', text)).toMatchObject({
      ...{ lines: 3, literalSpreads: 2, shapes: ['A'] },
    })
  })
})

describe('closureOf', () => {
  const sources = sourcesOf({
    'src/a.ts': "import { b } from './b.ts'\nimport type { D } from './d.ts'\n",
    'src/b.ts': "import 'zod'\nimport { a } from './a.ts'\nvoid import('./c.ts')\n",
    'src/c.ts': '',
    'src/d.ts': '',
  })

  it.each<[string, boolean, readonly string[]]>([
    ['what is loaded at once', false, ['src/a.ts', 'src/b.ts']],
    ['also what is loaded when needed', true, ['src/a.ts', 'src/b.ts', 'src/c.ts']],
  ])('finds %s', (_, withDeferred, paths) => {
    expect([...closureOf('src/a.ts', sources, withDeferred)].sort()).toEqual(paths)
  })
})

describe('countMembers', () => {
  it('counts the fields of types and of what functions give, whether now or later', () => {
    const root = mkdtempSync(join(tmpdir(), 'faces-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const inner = `export interface A { readonly b: string; c(): void }
export type Two = { status: 'x' } | { status: 'y'; why: string }
export const open = async (of: A) => ({ of, list: [of] })
export const count = (of: A): number => 1
export const table = { a: 1, b: 2, c: 3 }
interface Hidden { readonly d: string }
export const all = (): readonly Hidden[] => []
`
    writeFileSync(join(root, 'inner.ts'), inner)
    const names = 'A, type Two, open, count, table, all'
    writeFileSync(join(root, 'door.ts'), `export { type ${names} } from './inner.ts'\n`)
    expect(countMembers(root, 'door.ts')).toBe(2 + 2 + 2 + 0 + 3 + 0)
  })
})
