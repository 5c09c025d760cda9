import { expect, it } from 'vitest'
import { checkScript } from '../../validate/parse-text.ts'

const bad: readonly [text: string, line: number, column: number, message: RegExp][] = [
  ['const id = /(?P<id>\\d+)/', 1, 12, /Invalid group/],
  ['f()\n  .match(/(?i)abc/)', 2, 10, /Invalid group/],
  ['x.replace(/[z-a]/g, "")', 1, 11, /Range out of order/],
  ['const a = [/ok/, /a**/]', 1, 18, /Nothing to repeat/],
  ['const later = /(/\nconst first = /)/', 1, 15, /Unterminated group/],
  ['/(?:a/', 1, 1, /Unterminated group/],
  ['/\\u{110000}/u', 1, 1, /Invalid Unicode escape/],
  ['/{*/u;', 1, 1, /Lone quantifier/],
  ['/* / */ f(1 /2/ /(/.length)', 1, 17, /Unterminated group/],
]

it.each(bad)('reports %j with its place', async (text, line, column, message) => {
  const problems = await checkScript('a.ts', text)
  expect(problems).toEqual([{ line, column, message: expect.stringMatching(message) }])
})

it.each([
  'const ratio = a / b / c',
  'const slash = /[/\\]]+/gu',
  '// (/ and /*/*/ are comments\nconst a = `/(/`, b = "/(/"',
  'const named = /(?<year>\\d{4})-(?<month>\\d\\d)/dgimsuy',
  'const newer = /(?i:a)b/',
  'const either = /(?<year>\\d{4})-\\d\\d|\\d\\d-(?<year>\\d{4})/',
  'const sets = /[\\p{L}--[a-z]]/v',
  'const lenient = /{[^]*\\1]}/',
  `const long = /${'(a)'.repeat(200_000)}/`,
  `const deep = /${'('.repeat(100_000)}${')'.repeat(100_000)}/`,
  `const many = [${'/a/, '.repeat(50_000)}]`,
])('%.60j has no bad pattern', async (text) => {
  expect(await checkScript('a.js', text)).toEqual([])
})
