import { describe, expect, it } from 'vitest'
import { spliceFunctions } from '../../answer/splice-functions.ts'

const python = `import os


class Shop:
    @property
    def name(self):
        return 'shop'

    def total(
        self,
        prices,
    ):
        raise NotImplementedError

    def last(self):
        return None


def read(path):
    return open(path).read()
`
const script = `import { a } from './a.js'

export function total(prices) {
  return prices.length
}

export const last = (prices) => {
  return prices[0]
}
`
const go = `package shop

func (s *Shop) Total(prices []int) int {
\treturn 0
}

func Read() int {
\treturn 1
}
`

describe('the functions of an answer', () => {
  it.each<[string, string, string, string, string, string]>([
    [
      'a method, at its own depth',
      'shop.py',
      python,
      'def total(self, prices):\n    return sum(prices)\n',
      '    def total(\n        self,\n        prices,\n    ):\n        raise NotImplementedError\n',
      '    def total(self, prices):\n        return sum(prices)\n',
    ],
    [
      'a function with its import',
      'shop.py',
      python,
      'import json\n\ndef read(path):\n    return json.load(open(path))\n',
      'import os\n',
      'import json\nimport os\n',
    ],
    [
      'an exported function and a new helper before it',
      'shop.js',
      script,
      'const add = (a, b) => {\n  return a + b\n}\n\nexport function total(prices) {\n  return prices.reduce(add, 0)\n}\n',
      'export function total(prices) {\n  return prices.length\n}\n',
      'const add = (a, b) => {\n  return a + b\n}\n\nexport function total(prices) {\n  return prices.reduce(add, 0)\n}\n',
    ],
    [
      'a method with a receiver',
      'shop.go',
      go,
      'func (s *Shop) Total(prices []int) int {\n\treturn len(prices)\n}\n',
      '\treturn 0\n',
      '\treturn len(prices)\n',
    ],
  ])('replace those of the same name: %s', (_, path, text, part, from, to) => {
    const expected = text.replace(from, () => to)
    const spliced = spliceFunctions(path, text, part)
    // The body of `read` changes beside its import.
    const whole = expected.replace(
      'open(path).read()',
      part.includes('json') ? 'json.load(open(path))' : 'open(path).read()',
    )
    expect(spliced).toBe(whole)
  })

  it.each<[string, string, string, string]>([
    ['none of which is in the file', 'shop.js', script, 'function other() {\n  return 1\n}\n'],
    ['beside code that is none', 'shop.js', script, 'run()\n\nfunction total() {\n  return 1\n}\n'],
    ['without any', 'shop.py', python, 'x = 1\n'],
    [
      'of a name that the file has twice',
      'shop.py',
      `${python}\n\ndef total(prices):\n    return 0\n`,
      'def total(prices):\n    return 1\n',
    ],
  ])('are not guessed: %s', (_, path, text, part) => {
    expect(spliceFunctions(path, text, part)).toBeNull()
  })
})
