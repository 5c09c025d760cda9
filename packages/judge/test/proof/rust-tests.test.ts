import { expect, test } from 'vitest'
import type { FileChange } from '../../../change/change-set.ts'
import { withCodeOf, withTestsOf } from '../../proof/rust-tests.ts'

const code = 'pub fn add() -> u8 {\n    1\n}\n'
const tests = (expected: string) =>
  `#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        let s = "}";\n        assert_eq!(add(), ${expected});\n    }\n}\n`
const change = (before: string, content: string, path = 'src/lib.rs'): FileChange => ({
  ...{ action: 'modify', path, before, content },
})

test('a file of Rust gets the unit tests back that it had', () => {
  const edited = change(`${code}\n${tests('1')}`, `${code.replace('1', '2')}\n${tests('2')}`)
  expect(withTestsOf(edited)).toMatchObject({
    content: `${code.replace('1', '2')}\n${tests('1')}`,
  })
})

test.each([
  ['the same tests', change(`${code}${tests('1')}`, `${code}// more\n${tests('1')}`)],
  ['no tests before', change(code, `${code}${tests('1')}`)],
  ['another language', change(tests('1'), tests('2'), 'a.txt')],
  ['a module without an end', change('#[cfg(test)]\nmod tests {\n', code)],
])('a change with %s stays as it is', (_, given) => {
  expect(withTestsOf(given)).toBe(given)
})

test.each([
  [
    'edited tests',
    change(`${code}\n${tests('1')}`, `${code.replace('1', '2')}\n${tests('2')}`),
    `${code}\n${tests('2')}\n`,
  ],
  ['its first tests', change(code, `${code}\n${tests('2')}`), `${code}\n${tests('2')}\n`],
])('the code as it was gets %s', (_, given, content) => {
  expect(withCodeOf(given)).toMatchObject({ content: content.replace(/\n\n$/, '\n') })
})

test.each([
  ['the same tests', change(`${code}${tests('1')}`, `${code}// more\n${tests('1')}`)],
  ['no tests', change(code, code.replace('1', '2'))],
  ['a new file', { action: 'create', path: 'src/a.rs', content: tests('1') } as const],
])('there is nothing to run without the change for %s', (_, given) => {
  expect(withCodeOf(given)).toBeNull()
})
