import { describe, expect, it } from 'vitest'
import { contentAfter } from '../../../../change/change.ts'
import { readDraft } from '../../../answer/read-draft.ts'

type Files = Readonly<Record<string, string>>

async function answer(files: Files, sent: Files): Promise<ReadonlyMap<string, string | undefined>> {
  const texts = new Map(Object.entries(files))
  const said = Object.entries(sent).map(([path, text]) => `${path}\n\`\`\`\n${text}\`\`\`\n`)
  const draft = await readDraft(said.join('\n'), {
    ...{ base: [], expectedPath: undefined, paths: Object.keys(files) },
    read: async (paths) => new Map([...texts].filter(([path]) => paths.includes(path))),
  })
  return new Map(draft.changes.map((change) => [change.path, contentAfter(change)]))
}

const named = 'export const health = () => 1\n'
const asDefault = 'export default function health() {\n  return 1\n}\n'
const both = 'export const health = () => 1\nexport default health\n'
const path = 'test/health.test.js'

describe('one name', () => {
  it.each<[name: string, target: string, line: string, mended: string]>([
    [
      'by name',
      named,
      "import health from '../src/health.js'",
      "import { health } from '../src/health.js'",
    ],
    [
      'by default',
      asDefault,
      "import { health } from '../src/health.js';",
      "import health from '../src/health.js';",
    ],
    [
      'by name, elsewhere',
      named,
      "import health from './health'",
      "import { health } from '../src/health.js'",
    ],
  ])('is imported as its module exports it: %s', async (_, target, line, mended) => {
    for (const isSent of [true, false]) {
      const file = { 'src/health.js': target }
      const sent = {
        [path]: `import test from 'node:test'\n${line}\n\ntest('x', () => health())\n`,
      }
      const after = await answer(isSent ? {} : file, isSent ? { ...file, ...sent } : sent)
      expect(after.get(path)?.split('\n')[1]).toBe(mended)
    }
  })

  it('is imported as its module exports it, in a file that has the name already', async () => {
    const before = "test('health', () => {})\n"
    const sent = { [path]: `import health from '../src/health.js'\n${before}` }
    const after = await answer({ 'src/health.js': named, [path]: before }, sent)
    expect(after.get(path)).toBe(`import { health } from '../src/health.js'\n${before}`)
  })

  it.each([
    ["import { assert } from 'node:assert/strict'", "import assert from 'node:assert/strict'"],
    ["import { strict } from 'node:assert'", "import { strict } from 'node:assert'"],
    ["import assert from 'assert'", "import assert from 'assert'"],
  ])('is the default of the assertions of Node: %s', async (line, mended) => {
    expect((await answer({}, { [path]: `${line}\n` })).get(path)).toBe(`${mended}\n`)
  })

  it.each<[name: string, files: Files, line: string]>([
    ['both forms', { 'src/health.js': both }, "import health from '../src/health.js'"],
    ['another name', { 'src/health.js': named }, "import alive from '../src/health.js'"],
    [
      'a module of CommonJS',
      { 'src/health.js': 'exports.health = () => 1\n' },
      "import health from '../src/health.js'",
    ],
    [
      'names of another module',
      { 'src/health.js': "export * from './more.js'\n" },
      "import health from '../src/health.js'",
    ],
    ['no file here', { 'src/other.js': named }, "import health from 'health'"],
    [
      'the same import before',
      { 'src/health.js': named, [path]: "import health from '../src/health.js'\n" },
      "import health from '../src/health.js'",
    ],
  ])('stays where there is %s', async (_, files, line) => {
    const after = await answer(files, { [path]: `${line}\n// new\n` })
    expect(after.get(path)).toBe(`${line}\n// new\n`)
  })
})
