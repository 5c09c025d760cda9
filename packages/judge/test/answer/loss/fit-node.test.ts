import { describe, expect, it } from 'vitest'
import { type ChangeSet, contentAfter } from '../../../../change/change.ts'
import { fitToNode } from '../../../answer/loss/fit-node.ts'
import { readDraft } from '../../../answer/read-draft.ts'

type Files = Readonly<Record<string, string>>

/** The texts of a change of these files that sends those. */
async function fit(files: Files, sent: Files): Promise<Readonly<Record<string, string>>> {
  const texts = new Map(Object.entries(files))
  const changes: ChangeSet = Object.entries(sent).map(([path, content]) => {
    const before = texts.get(path)
    return before === undefined
      ? { action: 'create', path, content }
      : { action: 'modify', path, before, content }
  })
  const read = async (paths: readonly string[]) =>
    new Map([...texts].filter(([path]) => paths.includes(path)))
  const fitted = await fitToNode(changes, { paths: [...texts.keys()], read })
  return Object.fromEntries(fitted.map((change) => [change.path, contentAfter(change) ?? '']))
}

const write = (manifest: object, indent: string | number = 2): string =>
  `${JSON.stringify(manifest, null, indent)}\n`
const manifest = (facts: object): Files => ({ 'package.json': write(facts) })
const nodeTest = { scripts: { test: 'node --test' } }

const health = "export function health() {\n  return { status: 'ok' }\n}\n"
const path = 'test/health.test.js'

describe('an import without the extension of its file', () => {
  const text = "import test from 'node:test'\nimport { health } from '../src/health'\n"
  const extended = text.replace('/health', '/health.js')
  const sent = { 'src/health.js': health, [path]: text }

  it.each<[name: string, files: Files, more: Files]>([
    ['without a manifest', {}, {}],
    ['with tests of Node', manifest(nodeTest), {}],
    ['with a manifest of the same answer', {}, manifest({ type: 'module' })],
    [
      'in a package of its own',
      {
        ...manifest(nodeTest),
        ...{ 'web/package.json': write({ devDependencies: { vite: '7' } }) },
      },
      {},
    ],
  ])('gets it %s', async (_, files, more) => {
    expect((await fit(files, { ...sent, ...more }))[path]).toBe(extended)
  })

  it('gets the index of a folder', async () => {
    const main = { 'lib/main.mjs': "export { health } from './health'\n" }
    expect(await fit({ 'lib/health/index.mjs': health }, main)).toEqual({
      'lib/main.mjs': "export { health } from './health/index.mjs'\n",
    })
  })

  it.each<[name: string, files: Files, sent: Files]>([
    ['another loader resolves it', manifest({ scripts: { test: 'uvu -r esm test' } }), sent],
    ['a test runner resolves it', manifest({ devDependencies: { vitest: '3' } }), sent],
    [
      'a bundler of the same answer does',
      {},
      { ...sent, ...manifest({ scripts: { build: 'vite build' } }) },
    ],
    ['it stood there before', { 'src/health.js': health, [path]: text }, { [path]: `${text}\n` }],
    ['the file is of another language', { 'src/health.ts': health }, { [path]: text }],
  ])('stays where %s', async (_, files, given) => {
    expect((await fit(files, given))[path]).toBe(given[path])
  })

  it('stays where the nearest manifest names a bundler', async () => {
    const files = {
      ...manifest(nodeTest),
      'web/package.json': write({ devDependencies: { vite: '7' } }),
    }
    const app = { 'web/a.js': 'export const a = 1\n', 'web/b.js': "import { a } from './a'\n" }
    expect(await fit(files, app)).toEqual(app)
  })
})

describe('what node --test does not define', () => {
  const body = "test('x', () => {\n  assert.equal(health(), 1)\n})\n"
  const moduleText = `import { health } from '../src/health.js'\n\n${body}`
  const commonText = `const { health } = require('../src/health')\n\n${body}`
  const suites = "describe('x', () => {\n  it('y', () => {})\n})\n"

  it.each<[name: string, text: string, facts: object, lines: readonly string[]]>([
    [
      'in a module',
      moduleText,
      {},
      ["import { test } from 'node:test'", "import assert from 'node:assert/strict'"],
    ],
    [
      'in CommonJS',
      commonText,
      { type: 'module' },
      ["const { test } = require('node:test')", "const assert = require('node:assert/strict')"],
    ],
    ['in one statement', suites, {}, ["const { describe, it } = require('node:test')"]],
    [
      'as the package says, without a statement',
      suites,
      { type: 'module' },
      ["import { describe, it } from 'node:test'"],
    ],
  ])('is imported %s', async (_, text, facts, lines) => {
    const files = { ...manifest({ ...nodeTest, ...facts }), 'src/health.js': health }
    const after = (await fit(files, { [path]: text }))[path] ?? ''
    expect(after.split('\n')).toEqual(expect.arrayContaining([...lines]))
    expect(after.match(/node:test/g)).toHaveLength(1)
    expect(after.endsWith(text.slice(-40))).toBe(true)
  })

  it.each<[name: string, text: string, facts: object]>([
    [
      'it is imported',
      `import assert from 'node:assert'\nimport { test } from 'node:test'\n\n${body}`,
      nodeTest,
    ],
    [
      'it is a parameter',
      'export const run = (test, assert) => test(() => assert.ok(1))\n',
      nodeTest,
    ],
    ['another runner defines it', moduleText, { scripts: { test: 'jest' } }],
    ['no runner is named', moduleText, {}],
  ])('stays where %s', async (_, text, facts) => {
    const files = { ...manifest(facts), 'src/health.js': health }
    expect((await fit(files, { [path]: text }))[path]).toBe(text)
  })
})

describe('modules of Node among the dependencies', () => {
  it.each<[name: string, given: string, kept: string]>([
    ['alone', write({ devDependencies: { 'node:test': '^24' } }), write({ devDependencies: {} })],
    [
      'first, with a layout of its own',
      '{\n\t"files": ["a", "b"],\n\t"dependencies": {\n\t\t"node:fs": "*",\n\t\t"zod": "4"\n\t}\n}\n',
      '{\n\t"files": ["a", "b"],\n\t"dependencies": {\n\t\t"zod": "4"\n\t}\n}\n',
    ],
    [
      'last',
      write({ dependencies: { zod: '4', 'node:fs': '*' }, name: 'a' }),
      write({ dependencies: { zod: '4' }, name: 'a' }),
    ],
  ])('are left out: %s', async (_, given, kept) => {
    expect(await fit({}, { 'package.json': given })).toEqual({ 'package.json': kept })
  })

  it.each<[name: string, text: string, path?: string]>([
    ['a script that names one', write({ scripts: { test: 'node --import "node:test"' } })],
    ['the map of a bundler', write({ browser: { 'node:fs': './fs.js' } })],
    ['another file', write({ dependencies: { 'node:fs': '*' } }), 'data.json'],
    ['an odd list', write({ dependencies: ['node:fs'] })],
  ])('stay in %s', async (_, text, file = 'package.json') => {
    expect(await fit({}, { [file]: text })).toEqual({ [file]: text })
  })
})

it('an answer is fitted', async () => {
  const text = write({ devDependencies: { 'node:test': '^24' } })
  const { changes } = await readDraft(`package.json\n\`\`\`json\n${text}\`\`\`\n`, {
    ...{ base: [], expectedPath: undefined, paths: [] },
    read: async () => new Map(),
  })
  expect(changes.map(contentAfter)).toEqual([write({ devDependencies: {} })])
})
