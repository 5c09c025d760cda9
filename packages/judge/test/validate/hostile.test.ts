import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../test/property-runs.ts'
import { maskText } from '../../../source/code/mask.ts'
import { checkJson } from '../../validate/parse-json.ts'
import { validateFile } from '../../validate/validate-file.ts'

const syntax = { check: async () => ({ status: 'unavailable' as const, reason: 'not used' }) }
const manyOf = (unit: string) => unit.repeat(Math.ceil(250_000 / unit.length))

describe('hostile texts', () => {
  test.each([
    ['a.js', '('],
    ['a.js', '{'],
    ['a.js', '`${'],
    ['a.js', '/['],
    ['a.jsx', '<a>'],
    ['a.ts', '('],
    ['a.ts', '<T>('],
    ['a.ts', 'a?<T>'],
    ['a.ts', '`${<T>x('],
    ['a.ts', 'a<'],
    ['a.tsx', '<a>{'],
    ['a.json', '['],
    ['a.json', '{"a":'],
    ['a.jsonc', '[//\n'],
    ['a.yml', '['],
    ['a.yml', '- '],
    ['a.yml', '{\n'],
    ['a.toml', 'a=['],
    ['a.toml', 'a.'],
  ])(
    'a quarter of a megabyte of nesting is a problem of %s, not a crash: %j',
    async (path, unit) => {
      const { valid, checked, problems } = await validateFile(
        { path, text: manyOf(unit) },
        { syntax },
      )
      expect({ valid, checked }).toEqual({ valid: false, checked: true })
      expect(problems.length).toBeLessThanOrEqual(10)
    },
  )

  test('thousands of keys, and many more empty lines, are read in their time', async () => {
    const keys = Array.from({ length: 25_000 }, (_, index) => `k${index}: 1\n`).join('')
    const report = await validateFile({ path: 'a.yml', text: `${keys}k7: 2\n` }, { syntax })
    expect(report.problems).toMatchObject([{ line: 25_001, column: 1 }])
    for (const path of ['a.js', 'a.sql', 'a.h', 'a.kt', 'a.php', 'a.md', 'Dockerfile', 'a.css']) {
      const text = '\n'.repeat(250_000)
      expect((await validateFile({ path, text }, { syntax })).path).toBe(path)
    }
  })

  test.each([
    `${'[<any>a, '.repeat(40)}b${']'.repeat(40)}`,
    'a = <T>x\n'.repeat(40),
    `f(${'<T>a, '.repeat(40)})`,
    `const f = ${'<T>(a: T) => '.repeat(6)}1`,
  ])('type assertions that do not open each other are fine: %j', async (text) => {
    expect((await validateFile({ path: 'a.ts', text }, { syntax })).valid).toBe(true)
  })

  test('any text at all gets a report', async () => {
    const paths = ['a.js', 'a.ts', 'a.tsx', 'a.json', 'a.jsonc', 'a.yml', 'a.toml', 'a.md', 'a']
    const bits = [
      '<T>',
      '{',
      '}',
      '`',
      '${',
      '/',
      '"',
      "'",
      '\\',
      '\n',
      '\r\n',
      '(',
      ')',
      'a',
      '\0',
    ]
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom(...bits, '\ud800', '<<<<<<< ', ': ', '- '), { maxLength: 20 })
        .map((parts) => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), text, text, async (path, now, before) => {
        const report = await validateFile({ path, text: now, before }, { syntax })
        expect(report.valid).toBe(report.problems.length === 0)
        const lines = now.split('\n').length
        for (const { line } of report.problems) expect(line).toBeLessThanOrEqual(lines)
        expect((await validateFile({ path, text: now, before: now }, { syntax })).valid).toBe(true)
      }),
      { numRuns: runs(300) },
    )
  })

  test('the JSON reader and JSON.parse agree', () => {
    const bits = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-0.5e3',
      'true',
      'null',
      ' ',
      '\n',
      '"',
    ]
    const text = fc.oneof(
      fc.json(),
      fc
        .array(fc.constantFrom(...bits, '//', '\\u00e9', '01'), { maxLength: 12 })
        .map((parts) => parts.join('')),
      fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([json, at, extra]) => {
        const place = at % (json.length + 1)
        return json.slice(0, place) + extra + json.slice(place + 1)
      }),
    )
    fc.assert(
      fc.property(text, (json) => {
        const problems = checkJson(json, false).length
        expect(problems).toBe(parses(json) ? 0 : 1)
        if (problems === 0) expect(checkJson(json, true)).toEqual([])
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('masking keeps every place and every bracket of code', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('script', 'python'), (text, language) => {
        const masked = maskText(text, language)
        expect(masked).toHaveLength(text.length)
        expect(masked.split('\n').map((line) => line.length)).toEqual(
          text.split('\n').map((line) => line.length),
        )
      }),
    )
    expect(maskText('a("(", /[(]/, `)${b("}")}]`) // {', 'script')).toBe(
      'a(" ",      , ` ${b(" ")} `)     ',
    )
    expect(maskText('f(/[/("]/) / 2 / (1)', 'script')).toBe('f(       ) / 2 / (1)')
    expect(maskText('x = """(\n""" + r\'\\\'(\' # [', 'python')).toBe(
      'x = """ \n""" + r\'   \'    ',
    )
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
