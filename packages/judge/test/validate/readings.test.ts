import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SyntaxLanguage } from '../../../source/syntax-checker.ts'
import { readings } from '../../validate/readings.ts'

const languages: readonly SyntaxLanguage[] = ['c', 'cpp', 'csharp', 'kotlin', 'swift', 'rust', 'go']

test('every reading has the lines and columns of the text, which comes first or without linkage', () => {
  const bits = [
    '#if A\n',
    '#else\n',
    '#elif B \\\n',
    '#endif\n',
    'x\n',
    ' #',
    'MACRO ',
    'int ',
    'import a\n',
    'macro_rules! m {',
    '#[a] try!(',
    'struct A where B;\n',
    ')}',
  ]
  const text = fc.array(
    fc.constantFrom(...bits, '#ifdef __cplusplus\n', 'extern "C" {\n', '}\n', '😀'),
  )
  fc.assert(
    fc.property(fc.constantFrom(...languages), text, (language, parts) => {
      const whole = parts.join('')
      const found = readings(language, whole)
      expect(new Set(found).size).toBe(found.length)
      for (const reading of found) {
        expect(reading.split('\n').map((line) => line.length)).toEqual(
          whole.split('\n').map((line) => line.length),
        )
      }
      if (language === 'go') expect(found).toEqual([whole])
    }),
  )
})

test('branches are kept and blanked, those inside others too', () => {
  const text = 'a\n#if A\nb\n#if B\nc\n#else\nd\n#endif\n#elif C\ne\n#else\nf\n#endif\ng\n'
  const [, first, last] = readings('csharp', text)
  expect(first?.split(/\s+/).join('')).toBe('abcg')
  expect(last?.split(/\s+/).join('')).toBe('afg')
})

test.each(['#if A\nb\n', 'a\n#endif\n', '#else\n'])('unbalanced conditions stay: %j', (text) => {
  expect(readings('csharp', text)).toEqual([text])
})

test('a hundred thousand conditions inside each other take no longer than their lines', () => {
  const text = `${'#if A\n'.repeat(100_000)}${'#else\n#endif\n'.repeat(100_000)}`
  for (const reading of readings('csharp', text).slice(1)) expect(reading.trim()).toBe('')
  const continued = `#if A ${'\\\n#if '.repeat(100_000)}\n#endif\n`
  expect(readings('c', continued).at(-1)?.trim()).toBe('')
})

test('what no grammar of Rust knows is blanked, and nothing where a bracket is left open', () => {
  const text =
    "macro_rules! m { ($) => { a } }\nstruct A where B: C;\nf(#[b] try!(c));\ntype D = dyn 'a + E + 'a;\n"
  expect(readings('rust', text).at(-1)?.replaceAll(/ +/g, ' ')).toBe(
    "macro_rules! m { }\nstruct A ;\nf( tri!(c));\ntype D = dyn E + 'a;\n",
  )
  expect(readings('rust', 'macro_rules! m { ($) => { a }\n')).toHaveLength(1)
  expect(readings('rust', 'macro_rules! m {'.repeat(100_000))).toHaveLength(1)
})

test('a macro before an argument is blanked, and a type in capitals is not', () => {
  const text = 'int a(FILE *file);\nint b = sort(PAR_UNSEQ first(), LAST);\n'
  expect(readings('cpp', text).at(-1)?.replaceAll(/ +/g, ' ')).toBe(
    'int a(FILE *file);\nint b = sort( first(), LAST);\n',
  )
})
