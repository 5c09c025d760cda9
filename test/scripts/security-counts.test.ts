import { expect, it } from 'vitest'
import { countedFiles, fillCounts, listedFiles } from '../../scripts/security-counts.ts'

const marked = ['commands', 'attacks', 'packages', 'forgeries']
  .map((name) => `<!-- generated: ${name} -->\n<!-- end: ${name} -->\n`)
  .join('')
const document = `Played: \`test/a.test.ts\` (3), \`test/b.test.ts\` (1 order, 20 cases of it).\n${marked}`
const cases = { 'test/b.test.ts': { order: 720, 'cases of it': 4398 } }

it('says how many tests a file has, and what it counted by its own names', () => {
  expect(fillCounts(document, { tests: { 'test/a.test.ts': 1000 }, cases })).toContain(
    'Played: `test/a.test.ts` (1,000), `test/b.test.ts` (720 order, 4,398 cases of it).',
  )
  expect(countedFiles(document)).toEqual(['test/a.test.ts'])
  expect(listedFiles(document)).toEqual(['test/b.test.ts'])
})

it('says what becomes of packages from elsewhere', () => {
  const shapes = { 'python3: an address': 2, 'npm: an archive': 1 }
  const counted = { 'packages/judge/test/toolchains/hostile-packages.test.ts': shapes }
  const filled = fillCounts(marked, { tests: {}, cases: counted })
  expect(filled).toContain('| pip | an address | waits for a person | runs its code |')
  expect(filled).toContain('| npm | an archive | waits for a person | runs none of its code |')
})

it('says how forged verdicts end, by runner', () => {
  const ends = {
    'TypeScript, vitest: a warning': 2,
    'TypeScript, vitest: the report': 1,
    'Go: a warning': 1,
  }
  const counted = { 'packages/judge/test/toolchains/forging.test.ts': ends }
  const filled = fillCounts(marked, { tests: {}, cases: counted })
  expect(filled).toContain('4 forged verdicts were tried')
  expect(filled).toContain('| TypeScript, vitest | 3 | 0 | 1 | 0 | 2 | 0 |')
  expect(filled).toContain('| Go | 1 | 0 | 0 | 0 | 1 | 0 |')
})

it.each([
  [{ tests: {}, cases }, 'test/a.test.ts is not counted'],
  [{ tests: { 'test/a.test.ts': 1 }, cases: {} }, 'test/b.test.ts does not count "order"'],
])('makes no figure up: %j', (counts, message) => {
  expect(() => fillCounts(document, counts)).toThrow(message)
})
