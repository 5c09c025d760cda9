import type { Files } from './bench.ts'

const manifest = (name: string, more: object = {}): string =>
  `${JSON.stringify({ name, version: '1.0.0', type: 'module', scripts: { test: 'node --test' }, ...more }, null, 2)}\n`

/** A thermometer in plain JavaScript, tested by node:test. */
export const javascript: Files = {
  'package.json': manifest('thermometer'),
  'src/units/convert.js': 'export const toFahrenheit = (celsius) => (celsius * 9) / 5 + 32\n',
  'test/convert.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toFahrenheit } from '../src/units/convert.js'

test('water boils', () => {
  assert.equal(toFahrenheit(100), 212)
})
`,
}

/** A library's shelf in TypeScript that Node runs as it is, without a package.json script. */
export const typescript: Files = {
  'package.json': manifest('shelf', { scripts: {} }),
  'src/model/book.ts': `export interface Book {
  readonly title: string
  readonly pages: number
}

export const thick = (book: Book): boolean => book.pages > 500
`,
  'test/book.test.ts': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thick } from '../src/model/book.ts'

test('a thick book has more than 500 pages', () => {
  assert.equal(thick({ title: 'War and Peace', pages: 1225 }), true)
  assert.equal(thick({ title: 'Candide', pages: 129 }), false)
})
`,
}

/** A pantry in Python, tested by unittest. */
export const python: Files = {
  'pantry/__init__.py': '',
  'pantry/stock/__init__.py': '',
  'pantry/stock/count.py': 'def total(jars):\n    return sum(jars.values())\n',
  'tests/__init__.py': '',
  'tests/test_count.py': `import unittest

from pantry.stock.count import total


class TotalTest(unittest.TestCase):
    def test_all_jars_count(self):
        self.assertEqual(total({"plum": 2, "fig": 3}), 5)


if __name__ == "__main__":
    unittest.main()
`,
}
