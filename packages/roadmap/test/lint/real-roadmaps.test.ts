import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { withBoxes } from '../../unboxed/tick-unboxed.ts'
import { lintText } from './lint-text.ts'

const fixtures = fileURLToPath(new URL('../document/fixtures', import.meta.url))
const documents = readdirSync(fixtures, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
)

it.each(documents)('%s, which people wrote, has no error', (name) => {
  const { text } = withBoxes(readFileSync(`${fixtures}/${name}`, 'utf8'), [])
  expect(lintText(text, null).filter(({ severity }) => severity === 'error')).toEqual([])
})
