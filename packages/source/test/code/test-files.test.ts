import { expect, it } from 'vitest'
import { isTestFile } from '../../code/test-files.ts'

it.each<[path: string, expected: boolean]>([
  ['src/user.test.ts', true],
  ['src/user.spec.jsx', true],
  ['user-tests.js', true],
  ['pkg/user_test.go', true],
  ['src/UserTest.java', true],
  ['src/UserIT.kt', true],
  ['test_user.py', true],
  ['testparser.py', true],
  ['conftest.py', true],
  ['test.js', true],
  ['test-user.mjs', true],
  ['testUser.ts', true],
  ['tests/helper.ts', true],
  ['e2e/login.cy.ts', true],
  ['cli.bats', true],
  // Names that only begin or end like a test's, and names that the language's runners ignore.
  ['src/testimonials.tsx', false],
  ['src/tester.ts', false],
  ['src/latest.ts', false],
  ['src/contest.py', false],
  ['src/helperTest.ts', false],
  ['docs/user.test.md', false],
  ['node_modules/a/a.test.js', false],
])('%s: %s', (path, expected) => {
  expect(isTestFile(path)).toBe(expected)
})

it('recognizes a Rust test file by the tests in it, before or after a change', () => {
  expect(isTestFile('src/lib.rs', 'fn a() {}', '#[test]\nfn a() {}')).toBe(true)
  expect(isTestFile('src/lib.rs', 'fn a() {}')).toBe(false)
})
