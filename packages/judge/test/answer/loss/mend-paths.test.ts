import { describe, expect, it } from 'vitest'
import { contentAfter } from '../../../../change/change.ts'
import { readDraft } from '../../../answer/read-draft.ts'

type Files = Readonly<Record<string, string>>

/** Reads an answer that sends these files in full. */
async function answer(files: Files, sent: Files) {
  const texts = new Map(Object.entries(files))
  const said = Object.entries(sent).map(([path, text]) => `${path}\n\`\`\`\n${text}\`\`\`\n`)
  const draft = await readDraft(said.join('\n'), {
    ...{ base: [], expectedPath: undefined, paths: Object.keys(files) },
    read: async (paths) => new Map([...texts].filter(([path]) => paths.includes(path))),
  })
  const after = new Map(draft.changes.map((change) => [change.path, contentAfter(change)]))
  return { after, notes: draft.notes }
}

const health = "export function health() {\n  return { status: 'ok' }\n}\n"
const python = 'def health():\n    return 1\n'

describe('an import of a file that is elsewhere', () => {
  it.each<[name: string, files: Files, sent: Files, path: string, line: string]>([
    [
      'of the same answer',
      {},
      { 'src/health.js': health, 'test/health.test.js': "import { health } from './health.js'\n" },
      'test/health.test.js',
      "import { health } from '../src/health.js'",
    ],
    [
      'of the repository',
      { 'src/health.ts': health },
      { 'test/health.test.ts': 'import { health } from "./health"\n' },
      'test/health.test.ts',
      'import { health } from "../src/health"',
    ],
    [
      'over several lines',
      { 'src/health.js': health },
      { 'test/health.test.js': "import {\n  health,\n} from './health.js'\n" },
      'test/health.test.js',
      "} from '../src/health.js'",
    ],
    [
      'by require',
      { 'lib/health.js': 'exports.health = () => 1\n' },
      { 'test/health.test.js': "const { health } = require('./health')\n" },
      'test/health.test.js',
      "const { health } = require('../lib/health')",
    ],
    [
      'by its default',
      { 'src/health.js': 'export default () => 1\n' },
      { 'test/health.test.js': "import health from './health.js'\n" },
      'test/health.test.js',
      "import health from '../src/health.js'",
    ],
    [
      'in Python',
      { 'pkg/__init__.py': '', 'pkg/core/__init__.py': '', 'pkg/core/health.py': python },
      { 'pkg/report.py': 'from .health import health\n' },
      'pkg/report.py',
      'from .core.health import health',
    ],
  ])('is corrected: %s', async (_, files, sent, path, line) => {
    const { after, notes } = await answer(files, sent)
    expect(after.get(path)?.split('\n')).toContain(line)
    expect(notes.join('\n')).toContain('was corrected to')
  })

  it.each<[name: string, files: Files, text: string]>([
    [
      'does not export the name',
      { 'src/health.js': health },
      "import { alive } from './health.js'\n",
    ],
    ['is imported as a whole', { 'src/health.js': health }, "import './health.js'\n"],
    [
      'is one of two',
      { 'a/health.js': health, 'b/health.js': health },
      "import { health } from './health.js'\n",
    ],
    [
      'is there',
      { 'test/health.js': health, 'src/health.js': health },
      "import { health } from './health.js'\n",
    ],
    ['is in a comment', { 'src/health.js': health }, "// import { health } from './health.js'\n"],
  ])('stays where the file %s', async (_, files, text) => {
    const { after, notes } = await answer(files, { 'test/health.test.js': text })
    expect(after.get('test/health.test.js')).toBe(text)
    expect(notes).toEqual([])
  })
})

describe('an import without the ending of its file', () => {
  const sent = {
    'src/health.js': health,
    'test/health.test.js': "import test from 'node:test'\nimport { health } from '../src/health'\n",
  }
  const lineOf = async (files: Files, more: Files = {}) => {
    const { after } = await answer(files, { ...sent, ...more })
    return after.get('test/health.test.js')?.split('\n')[1]
  }
  const manifest = (text: object) => ({ 'package.json': `${JSON.stringify(text)}\n` })

  it.each<[name: string, files: Files, more: Files]>([
    ['without a manifest', {}, {}],
    ['with the tests of Node', manifest({ scripts: { test: 'node --test' } }), {}],
    ['with a manifest of the same answer', {}, manifest({ type: 'module' })],
  ])('gets it %s', async (_, files, more) => {
    expect(await lineOf(files, more)).toBe("import { health } from '../src/health.js'")
  })

  it('gets the index of a folder', async () => {
    const { after } = await answer(
      { 'lib/health/index.mjs': health },
      { 'lib/main.mjs': "export { health } from './health'\n" },
    )
    expect(after.get('lib/main.mjs')).toBe("export { health } from './health/index.mjs'\n")
  })

  it.each<[name: string, files: Files, more: Files]>([
    ['another loader', manifest({ scripts: { test: 'uvu -r esm test' } }), {}],
    ['a test runner', manifest({ devDependencies: { vitest: '3' } }), {}],
    ['a bundler of the same answer', {}, manifest({ scripts: { build: 'vite build' } })],
    [
      'the same import before',
      { 'test/health.test.js': "import { health } from '../src/health'\n" },
      {},
    ],
    ['a file of another language', {}, { 'src/health.js': '', 'src/health.ts': health }],
  ])('stays where it is resolved by %s', async (name, files, more) => {
    const kept = name.includes('language') ? { 'src/health.ts': health } : files
    const { after } = await answer(
      kept,
      name.includes('language')
        ? { 'test/health.test.js': sent['test/health.test.js'] }
        : { ...sent, ...more },
    )
    expect(after.get('test/health.test.js')).toBe(sent['test/health.test.js'])
  })
})

describe('what the test runner of Node does not define', () => {
  const manifest = '{ "scripts": { "test": "node --test" } }\n'
  const path = 'test/health.test.js'
  const body = "test('x', () => {\n  assert.equal(health(), 1)\n})\n"
  const moduleText = `import { health } from '../src/health.js'\n\n${body}`
  const commonText = `const { health } = require('../src/health')\n\n${body}`

  it.each<[name: string, text: string, lines: readonly string[]]>([
    [
      'a module',
      moduleText,
      ["import { test } from 'node:test'", "import assert from 'node:assert/strict'"],
    ],
    [
      'CommonJS',
      commonText,
      ["const { test } = require('node:test')", "const assert = require('node:assert/strict')"],
    ],
    [
      'suites',
      "describe('x', () => {\n  it('y', () => {})\n})\n",
      ["const { it } = require('node:test')"],
    ],
  ])('is imported: %s', async (_, text, lines) => {
    const { after } = await answer(
      { 'package.json': manifest, 'src/health.js': health },
      { [path]: text },
    )
    expect(after.get(path)?.split('\n')).toEqual(expect.arrayContaining([...lines]))
    expect(after.get(path)?.endsWith(text.slice(-40))).toBe(true)
  })

  it.each<[name: string, text: string, manifest: string]>([
    [
      'it is imported',
      `import assert from 'node:assert'\nimport { test } from 'node:test'\n\n${body}`,
      manifest,
    ],
    [
      'it is a parameter',
      'export const run = (test, assert) => test(() => assert.ok(1))\n',
      manifest,
    ],
    ['another runner has it', moduleText, '{ "scripts": { "test": "jest" } }\n'],
    ['no runner is named', moduleText, '{}\n'],
  ])('stays where %s', async (_, text, named) => {
    const files = { 'package.json': named, 'src/health.js': health }
    const { after } = await answer(files, { [path]: text })
    expect(after.get(path)).toBe(text)
  })
})
