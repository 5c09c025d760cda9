import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { has, type Row, show, verifyProject } from './toolchain.ts'

const mounts = [
  { from: join(import.meta.dirname, '../../../../node_modules'), within: null, to: 'node_modules' },
]
const script = (test: string, more: object = {}) =>
  JSON.stringify({ type: 'module', scripts: { test, ...more } })
const sum = (add: string) => ({ 'sum.js': `export const add = (a, b) => ${add}\n` })
const test = [
  "import assert from 'node:assert/strict'",
  "import { test } from 'node:test'",
  "import { add } from '../sum.js'",
  "test('adds', () => {",
  '  assert.equal(add(1, 2), 3)',
  '})',
].join('\n')

const rows: readonly Row[] = [
  {
    name: 'passes after something that npm runs before',
    texts: {
      'package.json': script('node --test', { pretest: 'echo before' }),
      ...sum('a + b'),
      'test/sum.test.js': test,
    },
    shown: [expect.stringMatching(/^npm test: ended well, /)],
  },
  {
    name: 'does not pass the type check',
    texts: {
      'package.json': script('tsc --noEmit --skipLibCheck a.ts && node --test'),
      'a.ts': "export const a: number = 'x'\n",
      'test/sum.test.js': test,
    },
    shown: [
      'npm test: ended badly, unknown',
      expect.stringMatching(/^TS2322: .* \| a\.ts:1 \| TS2322 \| /),
      'node --test: ended badly, 0 + 1 + 0',
      expect.stringMatching(/^test\/sum\.test\.js .*ERR_MODULE_NOT_FOUND/),
    ],
  },
  {
    name: 'fails in one of two packages',
    texts: {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/a/package.json': script('node --test'),
      ...Object.fromEntries(
        Object.entries({ ...sum('a - b'), 'test/sum.test.js': test }).map(([path, text]) => [
          `packages/a/${path}`,
          text,
        ]),
      ),
      'packages/b/package.json': script('vitest run'),
      'packages/b/vite.config.js': "export default { cacheDir: '.cache' }\n",
      'packages/b/b.test.js':
        "import { expect, it } from 'vitest'\nit('is', () => expect(1).toBe(1))\n",
    },
    shown: [
      'cd packages/a && npm test: ended badly, 0 + 1 + 0',
      'adds | packages/a/test/sum.test.js:5 | AssertionError | Expected values to be strictly equal:',
      'cd packages/b && npm test: ended well, 1 + 0 + 0',
    ],
  },
  {
    name: 'runs all packages from the root, once',
    texts: {
      'package.json': '{"scripts":{"test":"npm test --workspaces"},"workspaces":["packages/*"]}',
      'packages/a/package.json': JSON.stringify({
        name: 'a',
        version: '1.0.0',
        scripts: { test: 'node --test --test-reporter=tap' },
      }),
      'packages/a/a.test.js': "require('node:test')('is', () => { throw new Error('no') })\n",
    },
    shown: ['npm test: ended badly, 0 + 1 + 0', 'is | packages/a/a.test.js:1 | null | no'],
  },
]

describe.runIf(has('npm'))('npm scripts', () => {
  it.each(rows)('that $name', { timeout: 60_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts, { mounts }))).toEqual(shown)
  })

  it('that hang are stopped', { timeout: 60_000 }, async () => {
    const texts = { 'package.json': script('node --test'), 'a.test.js': 'while (true) {}\n' }
    const [report] = await verifyProject(texts, { mounts, timeoutSeconds: 3 })
    expect(report).toMatchObject({ timedOut: true, exitCode: null })
  })
})
