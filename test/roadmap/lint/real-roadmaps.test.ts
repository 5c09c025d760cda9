import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sampleFiles } from '../../../packages/github-simulator/demo/sample-repository.ts'
import { initFiles } from '../../../src/entry/init/init-files.ts'
import { withBoxes } from '../../../src/roadmap/unboxed/tick-unboxed.ts'
import { lintText } from './lint-text.ts'

const fixtures = fileURLToPath(new URL('../document/fixtures', import.meta.url))
const documents = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
)

it.each(documents)('%s, which people wrote, has no error', (name) => {
  const { text } = withBoxes(readFileSync(`${fixtures}/${name}`, 'utf8'), [])
  expect(lintText(text, null).filter(({ severity }) => severity === 'error')).toEqual([])
})

it('has nothing to say about the roadmaps we hand out ourselves', () => {
  const sample = initFiles({ model: null, baseUrl: null, workflow: 'full' }).find(
    ({ path }) => path === 'ROADMAP.md',
  )
  expect(lintText(sample?.text ?? '', ['package.json'])).toEqual([])
  expect(lintText(sampleFiles['ROADMAP.md'] ?? '', Object.keys(sampleFiles))).toEqual([])
})
