import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { endsInRepetition } from '../../../src/adapters/openai/find-repetition.ts'

const code = `export function add(a: number, b: number): number {
  return a + b
}
`

const rows = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

const matrix = (size: number): string =>
  rows(size, () => `    [${Array.from({ length: size }, () => '0').join(', ')}],`)

describe('a model that repeats itself', () => {
  test.each<[name: string, piece: string]>([
    ['a line', '    return True\n'],
    ['a comment', '# The function should return the result.\n'],
    ['a word', 'the '],
    ['a sentence on one line', 'Wait, let me think about it again. '.replace(',', ';')],
    ['an assertion', 'assert add(1, 2) == 3\n'],
    ['a block', 'def test_add():\n    result = add(1, 2)\n    assert result == 3\n\n'],
    ['a question', 'Should it? Let me check the test.\nNo. Should it return None?\n\n'],
    ['JSON in the arguments of a tool', 'return x\\n    '],
    ['words of another script', '请检查这个函数。\n'],
    ['fences', '```\n'],
    ['closing brackets', '  })\n'],
  ])('repeats %s', (_, piece) => {
    const endless = code + piece.repeat(Math.ceil(2_000 / piece.length) + 8)
    expect(endsInRepetition(endless)).toBe(true)
    expect(endsInRepetition(endless.slice(0, -3))).toBe(true)
    expect(endsInRepetition(`${code}${piece.repeat(7)}`)).toBe(false)
    const short = code + piece.repeat(Math.ceil(400 / piece.length) + 8)
    expect([endsInRepetition(short, true), endsInRepetition(short.slice(-1_400))]).toEqual([
      true,
      false,
    ])
    expect(endsInRepetition(`${endless}\n${code}`)).toBe(false)
  })

  test.each<[name: string, piece: string]>([
    ['zeros', '0, '],
    ['elements', '{ "type": "wall", "open": false },\n'],
    ['tags', '<div class="cell"></div>\n'],
    ['blank lines', '\n'],
    ['rules', '-'],
    ['rows of a table', '| a cell | another |\n'],
  ])('repeats %s for longer than any file', (_, piece) => {
    expect(endsInRepetition(piece.repeat(Math.ceil(8_000 / piece.length)))).toBe(true)
    expect(endsInRepetition(piece.repeat(Math.floor(7_900 / piece.length)))).toBe(false)
  })
})

describe('a model that only counts on', () => {
  const isCube = (at: number) => `    if a == ${at}:\n        return False`
  test.each<[name: string, line: (at: number) => string]>([
    ['in conditions', isCube],
    [
      'in conditions of which a few differ',
      (at) => isCube(at).replace('False', [8, 27, 64, 125].includes(at) ? 'True' : 'False'),
    ],
    ['in assertions', (at) => `    assert is_even(${at}) == is_even(${at + 2})`],
    ['in tests', (at) => `def test_${at}():\n    check(${at})\n`],
    ['in a list of steps', (at) => `${at}. Check the next number.`],
  ])('%s', (_, line) => {
    expect(endsInRepetition(`${code}${rows(140, line)}\n    if a`)).toBe(true)
    expect(endsInRepetition(`${code}${rows(60, line)}\n    if a`)).toBe(false)
    expect(endsInRepetition(`${rows(140, line)}\n${code}`)).toBe(false)
  })
})

describe('content that looks like a repetition', () => {
  test.each<[name: string, text: string]>([
    ['nothing', ''],
    ['a table of squares', rows(200, (at) => `  [${at}, ${at * at}],`)],
    ['numbered lines', rows(200, (at) => `  "line ${at}",`)],
    ['registers', rows(64, (at) => `  registers[${at}] = 0;`)],
    ['numbers that do not count', rows(200, (at) => `  add(${(at * 7919) % 1000})`)],
    ['a matrix of 32 × 32 zeros', matrix(32)],
    ['a matrix of 48 × 48 zeros', matrix(48)],
    ['a line of 1,000 zeros', Array.from({ length: 1_000 }, () => '0').join(', ')],
    ['a board of 20 × 40 cells', rows(20, () => `"${'.'.repeat(40)}",`)],
    ['the cells of a chess board', rows(64, () => '      <div class="square"></div>')],
    ['the cells of a Sudoku', rows(81, () => '        <td><input maxlength="1"></td>')],
    ['a list of equal words', Array.from({ length: 300 }, () => '"empty"').join(', ')],
    ['equal objects', rows(100, () => '  { "kind": "grass", "height": 0 },')],
    ['equal rows of a table', rows(60, () => 'yes,no,yes,no')],
    ['equal figures in a table', rows(400, () => '0.0,0.0,1.0,12')],
    ['numbered assertions', rows(400, (at) => `assert square(${at}) == ${at * at}`)],
    ['numbered tests', rows(50, (at) => `test('case ${at}', () => {\n  run(${at})\n})\n`)],
    ['numbered lines of a list', rows(60, (at) => `${at + 1}. The same words again and again.`)],
    ['bytes', rows(30, () => '0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,')],
    ['a rule of dashes', `// ${'-'.repeat(2_000)}`],
    ['blank lines', '\n'.repeat(2_000)],
    ['trailing blanks', `${code}${' '.repeat(3_000)}`],
    ['ASCII art', rows(40, () => `|${'_'.repeat(98)}|`)],
    ['two kinds of lines', rows(12, (at) => (at % 2 === 0 ? '    else:' : '        continue'))],
    ['the same function seven times', code.repeat(7)],
    ['a long word', `const long = '${'a'.repeat(3_000)}`],
  ])('is kept: %s', (_, text) => {
    for (let end = 0; end <= text.length; end += 97) {
      expect(endsInRepetition(text.slice(0, end))).toBe(false)
    }
  })

  it('is kept when no two lines are equal', () => {
    const line = fc.string({ minLength: 3, maxLength: 60 })
    const lines = fc.array(line, { minLength: 20, maxLength: 300 })
    fc.assert(
      fc.property(lines, (given) => {
        const text = given.map((each, at) => `${at} ${each}`).join('\n')
        expect(endsInRepetition(text)).toBe(false)
      }),
    )
  })
})

describe('any repetition', () => {
  const letter = fc.constantFrom(...'abcdefghij \n')
  const piece = fc
    .array(letter, { minLength: 3, maxLength: 400 })
    .map((letters) => `${letters.join('')}xyz`)

  it('is found whatever is before it and wherever it ends', () => {
    fc.assert(
      fc.property(piece, fc.string({ maxLength: 3_000 }), fc.nat(), (repeated, before, cut) => {
        const endless = repeated.repeat(Math.ceil(1_500 / repeated.length) + 9)
        const end = endless.slice(0, endless.length - (cut % repeated.length))
        expect(endsInRepetition(`${before}${end}`)).toBe(true)
      }),
    )
  })

  it('is over once something else is said', () => {
    fc.assert(
      fc.property(piece, (repeated) => {
        expect(endsInRepetition(`${repeated.repeat(40)}END`)).toBe(false)
      }),
    )
  })
})
