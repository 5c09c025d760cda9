import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { promisedPaths } from '../../../src/model/context/expected-files.ts'

const paths = (text: string, voice: 'asked' | 'told' = 'asked') =>
  promisedPaths(text, voice).map(({ path }) => path)

describe('a task promises', () => {
  it.each<[string, readonly string[]]>([
    ['add src/a.ts', ['src/a.ts']],
    ['Create `docs/x.md`', ['docs/x.md']],
    ['Write tests in test/a.test.ts.', ['test/a.test.ts']],
    ['Create src/a.ts and src/b.ts', ['src/a.ts', 'src/b.ts']],
    [
      'Create `src/a.ts`, `src/b.ts`, and `test/a.test.ts`',
      ['src/a.ts', 'src/b.ts', 'test/a.test.ts'],
    ],
    ['Add a parser (`src/parser.ts`)', ['src/parser.ts']],
    ['Add a new module called src/clock.py', ['src/clock.py']],
    ['Add a function `slug` to src/text/slug.ts', ['src/text/slug.ts']],
    ['Write the tests for the parser in test/parser.test.ts', ['test/parser.test.ts']],
    ['Introduce a new file: `lib/cache.rb`', ['lib/cache.rb']],
    ['Rename `src/a.ts` to `src/b.ts`', ['src/b.ts']],
    ['Move the types into `src/types.ts`', ['src/types.ts']],
    ['Extract the helpers into src/text.go', ['src/text.go']],
    ['Create ./src/a.ts', ['src/a.ts']],
    [
      '- Put the rules in `src/rules.ts`\n- Document them in `docs/rules.md`',
      ['src/rules.ts', 'docs/rules.md'],
    ],
    ['Add user.ts', ['user.ts']],
    ['Implement `src/store.rs` with a hash map', ['src/store.rs']],
    ['Add a Makefile', ['Makefile']],
  ])('%s', (text, expected) => {
    expect(paths(text)).toEqual(expected)
  })

  it.each([
    'Fix src/a.ts',
    'Write tests for src/a.ts',
    'Add support for `config.yaml` files',
    'Create a parser that reads `config.json`',
    'Add a link to `docs/x.md`',
    'Write the result to `out.json`',
    'Do not create src/a.ts',
    'Add an endpoint `/users.json`',
    'Create a file like `src/old.ts`',
    'Add tests using `fixtures/a.json`',
    'Create `src/*.ts` as needed',
    'Add `dist/main.js` to the release',
    'Optionally add src/extra.ts',
    'Remove src/a.ts',
    'Use Node.js and add a greeting',
    'Add a and/or b',
    'Add logging before src/main.ts starts',
    'Create one page per entry of data/people.csv',
    'Update `src/a.ts` to log more',
    'Add `<name>.ts` for each',
    'Add console.log where it helps',
    'Add e.g. src/a.ts',
    'Add version 1.2.3',
  ])('nothing: %s', (text) => {
    expect(paths(text)).toEqual([])
  })
})

describe('an answer promises', () => {
  it.each<[string, readonly string[]]>([
    ['I created src/x.ts with the function.', ['src/x.ts']],
    ["I've added tests in `test/x.test.ts`.", ['test/x.test.ts']],
    ['Created `src/a.ts` and `src/b.ts`', ['src/a.ts', 'src/b.ts']],
    ['The function is written in src/x.ts', ['src/x.ts']],
    ['You should create src/x.ts', []],
    ['I did not add src/x.ts', []],
    ['I added a call of src/x.ts', []],
    ['Here is src/x.ts', []],
  ])('%s', (text, expected) => {
    expect(paths(text, 'told')).toEqual(expected)
  })
})

it('reads any text without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const path of paths(`add ${text}`)) expect(path).not.toMatch(/^\/|\.\.\//)
    }),
  )
  expect(paths(`add ${'a/'.repeat(50_000)}b.ts`)).toEqual([])
  expect(paths('add '.repeat(20_000))).toEqual([])
})
