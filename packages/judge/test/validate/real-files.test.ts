import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createWasmSyntaxChecker } from '../../../source/wasm-syntax-checker.ts'
import { validateFile } from '../../validate/validate-file.ts'

const root = join(import.meta.dirname, '../../../..')
const syntax = createWasmSyntaxChecker()
afterAll(() => syntax.close())

const CHECKED = /\.([mc]?[jt]sx?|json|ya?ml|toml|py)$/
/** The most files of each package, so that the test stays short. */
const MOST_FILES = 30
const MOST_BYTES = 100_000

describe('files that people published', () => {
  test.each([
    'zod',
    'yaml',
    'vitest',
    'openai',
    'fast-check',
    '@octokit/rest',
    'commander',
    'knip',
  ])('no false alarm in %s', async (name) => {
    const folder = join(root, 'node_modules', name)
    const all = (await readdir(folder, { recursive: true })).filter(
      (path) => CHECKED.test(path) && !path.includes('node_modules'),
    )
    const step = Math.ceil(all.length / MOST_FILES)
    const paths = all.sort().filter((_, index) => index % step === 0)
    expect(paths.length).toBeGreaterThan(2)
    for (const path of paths) {
      const text = await readFile(join(folder, path), 'utf8')
      if (text.length > MOST_BYTES) continue
      const report = await validateFile({ path, text }, { syntax })
      expect(report).toMatchObject({ checked: true, problems: [] })
    }
  })

  test('no false alarm in this repository', async () => {
    const paths = await readdir(join(root, 'src'), { recursive: true })
    for (const path of paths.filter((found) => CHECKED.test(found))) {
      const text = await readFile(join(root, 'src', path), 'utf8')
      expect(await validateFile({ path, text }, { syntax })).toMatchObject({ problems: [] })
    }
  })
})
