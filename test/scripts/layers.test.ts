import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cruise, type IForbiddenRuleType } from 'dependency-cruiser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countArrows, drawRooms, readArrows } from '../../scripts/draw-rooms.ts'

interface Rules {
  readonly rooms: Readonly<Record<string, readonly string[]>>
  readonly packages: Readonly<Record<string, readonly string[]>>
  readonly default: { readonly forbidden: readonly IForbiddenRuleType[] }
}

const project = join(import.meta.dirname, '../..')
let rules: Rules
let root = ''
beforeAll(async () => {
  rules = await import(pathToFileURL(join(project, '.dependency-cruiser.mjs')).href)
  root = realpathSync(mkdtempSync(join(tmpdir(), 'layers-')))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The rules that a tree of files breaks, as `rule: from`. */
async function broken(files: Readonly<Record<string, string>>) {
  const baseDir = mkdtempSync(join(root, 'tree-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(baseDir, path)), { recursive: true })
    writeFileSync(join(baseDir, path), text)
  }
  const { output } = await cruise(Object.keys(files), {
    ruleSet: { forbidden: [...rules.default.forbidden] },
    validate: true,
    baseDir,
    tsPreCompilationDeps: true,
  })
  if (typeof output === 'string') throw new Error(output)
  return output.summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`).sort()
}

const importing = (path: string): string => `import '${path}'\n`

it('takes an import that runs down', async () => {
  const files = {
    'src/graph/a.ts': importing('../model/deep/b.ts'),
    'src/model/deep/b.ts': importing('../../core/c.ts'),
    'src/core/c.ts': '',
  }
  expect(await broken(files)).toEqual([])
})

it('finds an import that runs up', async () => {
  const files = { 'src/model/deep/b.ts': importing('../../graph/a.ts'), 'src/graph/a.ts': '' }
  expect(await broken(files)).toEqual(['model-looks-down: src/model/deep/b.ts'])
})

it('finds two rooms that need each other, where no two folders or files do', async () => {
  const files = {
    'src/runs/a.ts': importing('../graph/deep/b.ts'),
    'src/graph/deep/b.ts': '',
    'src/graph/nodes/c.ts': importing('../../runs/issues/d.ts'),
    'src/runs/issues/d.ts': '',
  }
  expect(await broken(files)).toEqual(['graph-looks-down: src/graph/nodes/c.ts'])
})

it('finds folders of one room that need each other, where no two files do', async () => {
  const files = {
    'src/runs/issues/a.ts': importing('../commands/b.ts'),
    'src/runs/commands/b.ts': '',
    'src/runs/commands/c.ts': importing('../issues/d.ts'),
    'src/runs/issues/d.ts': '',
  }
  expect(await broken(files)).toEqual(['no-knots: src/runs/commands', 'no-knots: src/runs/issues'])
})

it('finds an import past the door of a package, and one from a package up', async () => {
  const files = {
    'src/graph/a.ts':
      "import '../../packages/judge/judge.ts'\nimport '../../packages/judge/run/b.ts'\n",
    'packages/judge/judge.ts': importing('./run/b.ts'),
    'packages/judge/run/b.ts': "import '../../text/words/c.ts'\nimport '../../text/text.ts'\n",
    'packages/text/text.ts': importing('./words/c.ts'),
    'packages/text/words/c.ts': importing('../../../src/core/d.ts'),
    'src/core/d.ts': '',
  }
  expect(await broken(files)).toEqual([
    'judge-stands-alone: packages/judge/run/b.ts',
    'packages-have-one-door: src/graph/a.ts',
    'text-stands-alone: packages/text/words/c.ts',
  ])
})

it('finds folders of one package that need each other, and a package that knows a service', async () => {
  const files = {
    'packages/judge/run/a.ts': importing('../verdict/b.ts'),
    'packages/judge/verdict/b.ts': '',
    'packages/judge/verdict/c.ts': importing('../run/d.ts'),
    'packages/judge/run/d.ts': importing('node:sqlite'),
  }
  expect(await broken(files)).toEqual([
    'effects-only-in-adapters: packages/judge/run/d.ts',
    'no-knots: packages/judge/run',
    'no-knots: packages/judge/verdict',
    'packages-know-no-service: packages/judge/run/d.ts',
  ])
})

it('finds the sandbox where it is more than a type, but for adapters', async () => {
  const door = '../../packages/sandbox/sandbox.ts'
  const files = {
    'src/graph/a.ts': importing(door),
    'src/graph/b.ts': `import type { Sandbox } from '${door}'\n`,
    'src/adapters/c.ts': importing(door),
    'packages/judge/run/d.ts': importing('../../sandbox/sandbox.ts'),
    'packages/judge/run/e.ts': "import type { Sandbox } from '../../sandbox/sandbox.ts'\n",
    'packages/sandbox/sandbox.ts': 'export type Sandbox = string\n',
  }
  expect(await broken(files)).toEqual([
    'sandbox-only-in-adapters: packages/judge/run/d.ts',
    'sandbox-only-in-adapters: src/graph/a.ts',
  ])
})

it('finds a file that stands in no room', async () => {
  const files = { 'src/entry/a.ts': importing('../drawer/b.ts'), 'src/drawer/b.ts': '' }
  expect(await broken(files)).toContain('no-other-room: src/entry/a.ts')
})

it('draws the arrows of the sources, but for those that a longer way implies', async () => {
  const arrows = new Map([
    ['top', new Set(['middle', 'floor'])],
    ['middle', new Set(['floor'])],
    ['floor', new Set<string>()],
  ])
  const picture = drawRooms(arrows)
  expect(picture).toContain('room_top --> room_middle')
  expect(picture).not.toContain('room_top --> room_floor')
  const found = await readArrows(project)
  expect(found.size).toBeLessThanOrEqual(18)
  expect(countArrows(found)).toBeLessThanOrEqual(103)
  for (const [room, below] of found) {
    const allowed = rules.packages[room] ?? [
      ...(rules.rooms[room] ?? []),
      ...Object.keys(rules.packages),
    ]
    expect(allowed).toEqual(expect.arrayContaining([...below]))
  }
})
