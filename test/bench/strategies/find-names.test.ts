import { describe, expect, test } from 'vitest'
import { isShown, namesIn, neededNames } from '../../../bench/strategies/find-names.ts'
import type { Language } from '../../../bench/strategies/sources.ts'

interface Case {
  readonly language: Language
  readonly files: Readonly<Record<string, string>>
  readonly path: string
  readonly added: string
  readonly needed: readonly (readonly [name: string, line: string])[]
}

const cases: readonly Case[] = [
  {
    language: 'javascript',
    files: {
      'lib/total.js':
        'function totalOf(list) {\n  return list.length\n}\nexports.totalOf = totalOf\n',
      'lib/cart.js': '',
    },
    path: 'lib/cart.js',
    added: "const sum = totalOf(items) // roundUp\nconst text = 'roundUp'\n",
    needed: [
      ['totalOf', 'function totalOf(list) {'],
      ['totalOf', 'exports.totalOf = totalOf'],
    ],
  },
  {
    language: 'python',
    files: {
      'pkg/a.py': 'LIMIT = 3\n\nclass Reader:\n    def take_all(self):\n        pass\n',
      'tests/test_a.py': 'def helper_of_tests():\n    pass\n',
    },
    path: 'pkg/b.py',
    added:
      'def own_name(reader):\n    return reader.take_all()[:LIMIT] + own_name(helper_of_tests)\n',
    needed: [
      ['take_all', 'def take_all(self):'],
      ['LIMIT', 'LIMIT = 3'],
    ],
  },
  {
    language: 'go',
    files: { 'a.go': 'type Router struct {\n}\n\nfunc (r *Router) Match(path string) bool {\n' },
    path: 'b.go',
    added: 'if r.Match(path) { return &Router{} }',
    needed: [
      ['Match', 'func (r *Router) Match(path string) bool {'],
      ['Router', 'type Router struct {'],
    ],
  },
  {
    language: 'rust',
    files: { 'a/src/lib.rs': 'pub(crate) fn spell(word: &str) -> String {\n' },
    path: 'b/src/lib.rs',
    added: 'let said = spell(word);',
    needed: [['spell', 'pub(crate) fn spell(word: &str) -> String {']],
  },
]

describe('names that a change needs', () => {
  for (const { language, files, path, added, needed } of cases) {
    test(language, () => {
      const before = files[path] ?? ''
      const all = neededNames(language, new Map(Object.entries(files)), { path, added, before })
      expect(all.flatMap(({ name, lines }) => lines.map((line) => [name, line]))).toEqual(needed)
    })
  }

  test('a name of three places needs none of them', () => {
    const files = new Map(['a', 'b', 'c'].map((name) => [`${name}.js`, 'function parse(x) {\n']))
    expect(
      neededNames('javascript', files, { path: 'd.js', added: 'parse(y)', before: '' }),
    ).toEqual([])
  })

  test('the definition in the same file is meant where there is one', () => {
    const files = new Map([['a.js', 'function parse(text) {\n']])
    const before = 'function parse(list) {\n}\n'
    const [found] = neededNames('javascript', files, { path: 'd.js', added: 'parse(y)', before })
    expect(found?.lines).toEqual(['function parse(list) {'])
  })

  test('strings and comments hold no names', () => {
    expect([...namesIn('python', "one = 'two' # three\n")]).toEqual(['one'])
  })
})

describe('a line is shown', () => {
  test.each([
    ['> 12 |   function total(list) {', '  function total(list) {', true],
    ['function total(list)', 'function total(list) {', true],
    ['function totals(list) {', 'function total(list) {', false],
    ['', '   ', true],
  ])('%s', (conversation, line, expected) => expect(isShown(conversation, line)).toBe(expected))
})
