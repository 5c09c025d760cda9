import { expect, test } from 'vitest'
import type { TestRunner } from '../../detect/suite.ts'
import { writeCanary } from '../../proof/canary-text.ts'

const marks = ['xname', 'xmark'] as const
const write = (path: string, text: string, runner: TestRunner) =>
  writeCanary({ path, text }, runner, marks)

test.each<[path: string, runner: TestRunner, named: string]>([
  ['test/a.test.js', 'node-test', 'test/a-xname.test.js'],
  ['test.js', 'mocha', 'test-xname.js'],
  ['src/a-test.ts', 'jest', 'src/a-xname-test.ts'],
  ['a.spec.tsx', 'vitest', 'a-xname.spec.tsx'],
  ['tests/test_a.py', 'pytest', 'tests/test_a_xname.py'],
  ['a_test.py', 'unittest', 'a_xname_test.py'],
  ['pkg/a_test.go', 'go', 'pkg/zz_xname_test.go'],
  ['src/lib.rs', 'cargo', 'src/lib.rs'],
])('is next to %s under a name of the same form', (path, runner, named) => {
  expect(write(path, 'package a\n', runner)?.path).toBe(named)
})

test.each<[path: string, text: string, runner: TestRunner]>([
  ['test_a.py', 'a()\n', 'vitest'],
  ['a_test.go', 'a()\n', 'go'],
  ['a_test.go', 'package a\n', 'pytest'],
  ['src/lib.rs', '#[test]\nfn a() {}\n', 'command'],
  ['ATest.java', 'import org.junit.Test;\nclass ATest {}\nclass B {}\n', 'junit'],
  ['ATest.java', 'class ATest {}\n', 'junit'],
  ['ATest.kt', 'import org.junit.Test\nclass ATest {}\n', 'junit'],
])('is not made of %s, %j', (path, text, runner) => {
  expect(write(path, text, runner)).toBeNull()
})

test.each<[name: string, path: string, text: string, runner: TestRunner, part: string]>([
  [
    'an import',
    'a.test.js',
    "import assert from 'assert'\n",
    'mocha',
    "import * as library0_xmark_all from 'assert'",
  ],
  ['a require', 'a.test.js', "const { expect } = require('chai')\n", 'mocha', "= require('chai')"],
  [
    'a folder of CommonJS',
    'a.test.cjs',
    'import("a")\n',
    'node-test',
    "const test_xmark = require('node:test').test",
  ],
  [
    'globals alone',
    'a.test.js',
    'it("a", f)\n',
    'vitest',
    "import { expect as expect_xmark } from 'vitest'",
  ],
  [
    'ava',
    'a.test.js',
    "import test from 'ava'\n",
    'tap',
    "default_xmark('xmark 0', (t) => { t.is(1, 2) })",
  ],
  [
    'JUnit 5',
    'src/test/java/a/SumTest.java',
    'import org.junit.jupiter.api.*;\nclass SumTest {\n  SumTest() {}\n}\n// }\n',
    'junit',
    'class SumTestXnameTest {\n  SumTestXnameTest() {}\n\n  @org.junit.jupiter.api.Test public void zz_xmark_0() { org.junit.jupiter.api.Assertions.assertEquals(1, 2); }\n',
  ],
  [
    'JUnit 4',
    'SumTest.java',
    'import org.junit.Test;\npublic class SumTest {\n}\n',
    'junit',
    '  @org.junit.Test public void zz_xmark_1() { org.junit.Assert.assertTrue(false); }\n',
  ],
])('asserts as its file does: %s', (_, path, text, runner, part) => {
  expect(write(path, text, runner)?.text).toContain(part)
})

test('a comment that configures the runner stays the first', () => {
  // Written in full, it would configure the runner of this file.
  const first = `/** @${'jest'}-environment jsdom */\n`
  const written = write('a.test.ts', `${first}import { a } from './a'\n`, 'jest')
  expect(written?.text.startsWith(`${first}// @ts-nocheck\n`)).toBe(true)
})
