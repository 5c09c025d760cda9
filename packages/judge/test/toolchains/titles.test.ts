import { expect, it } from 'vitest'
import { has, type Texts, verifyProject } from './toolchain.ts'

const rows: readonly (readonly [string, Texts, readonly string[]])[] = [
  [
    'node',
    {
      'package.json': '{ "scripts": { "test": "node --test" } }\n',
      'a.test.js':
        "const { test, describe } = require('node:test')\ndescribe('a', () => {\n  test('adds', () => {})\n  test('later', { skip: true }, () => {})\n})\n",
    },
    ['adds'],
  ],
  [
    'go',
    {
      'go.mod': 'module example.com/a\n\ngo 1.19\n',
      'a.go': 'package a\n',
      'a_test.go':
        'package a\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {}\n\nfunc TestRows(t *testing.T) {\n\tt.Run("one", func(t *testing.T) {})\n}\n',
    },
    ['TestAdds', 'TestRows/one'],
  ],
  [
    'python3',
    {
      'test_a.py':
        'import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        print("said")\n\n    @unittest.skip("no")\n    def test_b(self): pass\n',
    },
    ['test_a'],
  ],
  [
    'cargo',
    {
      'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n}\n',
    },
    ['adds'],
  ],
]

const known = rows.filter(([program]) => has(program))

it.each(known)(
  'tells the own names of the tests that ran: %s',
  { timeout: 120_000 },
  async (_, texts, titles) => {
    const [report] = await verifyProject(texts)
    expect([...(report?.titles ?? [])].sort()).toEqual(titles)
  },
)
