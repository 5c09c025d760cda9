import { expect, it } from 'vitest'
import type { CommandReport } from '../../../src/core/domain/test-report.ts'
import { failureSaying } from '../../../src/verify/compare/failure-saying.ts'
import { findStillRed } from '../../../src/verify/compare/find-still-red.ts'

const texts: Readonly<Record<string, string>> = {
  'src/sum.js': 'export const sum = (a, b) => a - b\n',
  'src/tax.js': 'export const tax = 3\n',
  'test/sum.test.js': "import 'node:test'\n",
  'test/totals.test.js': "import { sum } from '../src/sum.js'\n",
  'test/tax.test.js': "import { tax } from '../src/tax.js'\n",
}

it.each([
  ['has its name', 'test/sum.test.js', true],
  ['imports it', 'test/totals.test.js', true],
  ['imports another file', 'test/tax.test.js', false],
  ['is of no file', null, false],
])('a red test that %s', async (_name, file, isOwn) => {
  const failure = { ...failureSaying('adds', 'It failed.'), file }
  const command: CommandReport = {
    ...{ command: 'npm test', exitCode: 1, timedOut: false, counts: null, failures: [failure] },
    ...{ tail: '', seconds: 1, sandbox: 'bubblewrap' },
  }
  const changes = [{ action: 'create', path: 'src/sum.js', content: '' }] as const
  const read = async (paths: readonly string[]) =>
    new Map(paths.map((path) => [path, texts[path] ?? '']))
  const found = await findStillRed({ commands: [command] }, changes, Object.keys(texts), read)
  expect(found).toEqual(isOwn ? [failure] : [])
})
