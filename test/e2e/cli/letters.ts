import type { Files } from './bench.ts'
import { type Answers, file } from './model.ts'

const testOf = (name: string, value: string): string => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ${name} } from '../src/${name}.js'

test('${name}', () => assert.equal(${name}(), ${value}))
`

/** A project whose tasks each add a function that calls the one before: a() is 'a', b() is 'ab', … Its tests share a process. */
export const alphabet = {
  'package.json': `${JSON.stringify({ name: 'alphabet', type: 'module', scripts: { test: 'node --test --test-isolation=none' } }, null, 2)}\n`,
  'src/start.js': "export const start = () => ''\n",
  'test/start.test.js': testOf('start', "''"),
} satisfies Files

const letters = ['a', 'b', 'c', 'd', 'e']

/** The whole answer for the letter at this place, with its test. */
export function letterFiles(place: number): string {
  const name = letters[place] ?? ''
  const before = letters[place - 1] ?? 'start'
  const word = letters.slice(0, place + 1).join('')
  const code = `import { ${before} } from './${before}.js'\n\nexport const ${name} = () => \`\${${before}()}${name}\`\n`
  return file(`src/${name}.js`, code) + file(`test/${name}.test.js`, testOf(name, `'${word}'`))
}

/** A roadmap of so many letters, each depending on the one before. */
export function letterRoadmap(count: number, id = (place: number): string => `T-${place}`): string {
  const items = letters.slice(0, count).map((letter, index) => {
    const after = index === 0 ? '' : `\n  - Depends on: ${id(index)}`
    return `- [ ] ${id(index + 1)}: Add \`${letter}\`\n  - Files: \`src/${letter}.js\`${after}`
  })
  return `# Letters\n\n${items.join('\n')}\n`
}

/** One good answer for each of so many letters. */
export function letterAnswers(
  count: number,
  id = (place: number): string => `T-${place}`,
): Answers {
  const places = Array.from({ length: count }, (_, index) => index)
  return Object.fromEntries(places.map((at) => [`draft ${id(at + 1)}`, [letterFiles(at)]]))
}
