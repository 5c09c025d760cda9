import { expect, test } from 'vitest'
import { findReplacedAssertions } from '../../tampering/find-takeovers.ts'

const noTask = { title: 'Add a sum', details: '' }

const look = (path: string, content: string, task = noTask, before?: string) =>
  findReplacedAssertions(
    [
      before === undefined
        ? { action: 'create', path, content }
        : { action: 'modify', path, before, content },
    ],
    task,
  ).map(({ line, message }) => [line, /"(.*)"/.exec(message)?.[1]])

test.each([
  ['a.js', 'globalThis.expect = () => fine\n', 1, 'globalThis.expect ='],
  ['a.js', "import assert from 'node:assert'\nassert.equal = () => {}\n", 2, 'assert.equal ='],
  ['a.js', "const assert = require('assert')\nassert['equal'] = fine\n", 2, "assert['equal'] ="],
  ['a.js', "const check = require('assert')\ncheck.strict.equal = f\n", 2, 'check.strict.equal ='],
  [
    'a.ts',
    "import { Assertion as A } from 'chai'\nA.prototype.assert = () => {}\n",
    2,
    'A.prototype.assert =',
  ],
  [
    'a.js',
    "import * as t from 'vitest'\nObject.defineProperty(t, 'expect', {})\n",
    2,
    'Object.defineProperty(t,',
  ],
  ['a.js', 'process.exit = () => {}\n', 1, 'process.exit ='],
  ['a.py', 'import sys\nsys.exit = fine\n', 2, 'sys.exit ='],
  ['a.js', 'export function run(code) {\n  assert.equal = code\n}\n', 2, 'assert.equal ='],
  ['a.js', "if (typeof expect !== 'undefined') {\n  expect.is = f\n}\n", 2, 'expect.is ='],
  ['a.js', 'if (expect) {\n  expect.is = f\n}\n', 2, 'expect.is ='],
  [
    'a.js',
    "process.on('exit', () => { process.exitCode = 0 })\n",
    1,
    "process.on('exit', () => { process.exitCode = 0",
  ],
  [
    'a.py',
    'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n',
    2,
    'unittest.TestCase.assertEqual =',
  ],
  [
    'a.py',
    'import unittest\n\nfor name in dir(unittest.TestCase):\n    setattr(unittest.TestCase, name, fine)\n',
    4,
    'setattr(unittest.TestCase,',
  ],
  ['a.py', 'from unittest import TestCase as T\nT.assertTrue = f\nBase = T\n', 2, 'T.assertTrue ='],
  ['a.py', 'import pytest\npytest.raises = fine\n', 2, 'pytest.raises ='],
  ['a.py', "import sys\nsys.modules['pytest'] = fine\n", 2, "sys.modules['pytest'] ="],
  [
    'a.py',
    'import os, atexit\natexit.register(lambda: os._exit(0))\n',
    2,
    'atexit.register(lambda: os._exit',
  ],
  ['unittest.py', 'class TestCase:\n    pass\n', 1, 'unittest.py'],
  [
    'a.rb',
    'module Minitest::Assertions\n  def assert_equal(*) = true\nend\n',
    1,
    'module Minitest::Assertions',
  ],
  ['a.rb', 'at_exit { exit!(0) }\n', 1, 'at_exit { exit!'],
  ['a.php', '<?php\nnamespace PHPUnit\\Framework;\n', 2, 'namespace PHPUnit'],
  ['a.java', 'package org.junit.jupiter.api;\n', 1, 'package org.junit'],
  ['src/lib.rs', 'macro_rules! assert_eq { () => {} }\n', 1, 'macro_rules! assert_eq'],
  ['a.js', "import { expect as e } from '@jest/globals'\ne.extend.is = f\n", 2, 'e.extend.is ='],
  ['a.py', 'import unittest\nBase = unittest.TestCase\nBase.fail = f\n', 3, 'Base.fail ='],
  ['a.py', 'builtins.AssertionError = Fine\n', 1, 'builtins.AssertionError ='],
  ['a.rb', 'Minitest::Test.class_eval { run }\n', 1, 'Minitest::Test.class_eval'],
  ['lib/rspec/core.rb', 'puts 1\n', 1, 'lib/rspec/core.rb'],
  [
    'a.php',
    '<?php\nclass_alias(Fine::class, PHPUnit\\Framework\\Assert::class);\n',
    2,
    'class_alias(Fine::class, PHPUnit',
  ],
  [
    'a.php',
    '<?php\nregister_shutdown_function(fn() => exit(0));\n',
    2,
    'register_shutdown_function(fn() => exit(0',
  ],
])('is seen before anything is written: %s, %j', (path, text, line, said) => {
  expect(look(path, text)).toEqual([[line, said]])
})

test.each([
  ['a.js', 'const a = { b: 1 }\nprocess.exit(0);\n', 2, 'process.exit(0)'],
  ['a.js', 'function stop() {\nprocess.exit(0)\n}\nprocess.exit(0)\n', 4, 'process.exit(0)'],
  ['a.py', "import os\nprint('20 passed'); os._exit(0)\n", 2, "print('20 passed'); os._exit(0)"],
  ['a.py', 'import sys\nsys.exit()\n', 2, 'sys.exit()'],
  ['lib/a.rb', 'puts 1\nexit!(true)\n', 2, 'exit!(true)'],
  ['src/a.php', '<?php\nexit(0);\n', 2, 'exit(0);'],
  ['a.go', 'package a\n\nfunc init() {\n\tcheatos.Exit(0)\n}\n', 3, 'func init() {'],
  [
    'src/main/java/A.java',
    'class A { static { System.exit(0); } }\n',
    1,
    'static { System.exit(0)',
  ],
  ['src/main/java/A.java', 'Runtime.getRuntime().halt(0);\n', 1, 'getRuntime().halt(0)'],
])('ends no process when it is loaded: %s, %j', (path, text, line, said) => {
  expect(look(path, text)).toEqual([[line, said]])
})

test.each([
  ['a.js', 'function stop() {\n  process.exit(0)\n}\n'],
  ['a.js', "process.on('SIGINT', () => {\nprocess.exit(0)\n})\n"],
  ['a.js', 'process.exit(main())\n'],
  ['bin/a.js', 'process.exit(0)\n'],
  ['a.js', '#!/usr/bin/env node\nprocess.exit(0)\n'],
  ['a.py', "def main():\n    sys.exit(0)\n\n\nif __name__ == '__main__':\n    sys.exit(0)\n"],
  ['a.go', 'package main\n\nfunc main() {\n\tos.Exit(0)\n}\n'],
])('ends itself where it is asked to: %s, %j', (path, text) => {
  expect(look(path, text)).toEqual([])
})

test.each([
  ['test/setup.js', "global.expect = require('chai').expect\n"],
  ['test/setup.js', "import { expect } from 'chai'\nglobalThis.expect = expect\n"],
  ['test/a.js', "import chai from 'chai'\nchai.config.includeStack = true\nchai.use(spies)\n"],
  ['test/a.py', 'import unittest\nunittest.TestCase.maxDiff = None\n'],
  ['test/a.py', 'import unittest\n\nclass A(unittest.TestCase):\n    assertNear = near\n'],
  ['a.js', 'const a = { expect: 1 }\na.expect = 2\n// assert.equal = 1\n'],
  ['a.js', "const text = 'assert.equal = 1'\nprocess.exitCode = 1\n"],
  ['a.rb', 'class CartTest < Minitest::Test\nend\n'],
  ['src/lib.rs', 'macro_rules! assert_near { () => {} }\n'],
  ['jest.setup.js', 'global.jest = jest\nglobal.fetch = jest.fn()\nprocess.exit = jest.fn()\n'],
  ['setup.ts', "import { vi } from 'vitest'\nglobalThis.jest = vi\n"],
  ['setup.js', "const { test } = require('node:test')\nglobal.test = test\n"],
  ['src/mesh.ts', 'const vi: number[] = []\nvi[0] = 3\n'],
  ['src/mesh.ts', 'function fill(vi: number[], k: number) {\n  vi[k] = 3\n}\n'],
  ['src/a.js', 'const expect = {}\nexpect[key] = value\n'],
  ['test/a.test.js', 'const { exit } = process\nprocess.exit = stop\nprocess.exit = exit\n'],
  ['tests/test_a.py', 'import sys\nfrom unittest import mock\nsys.exit = mock.Mock()\n'],
  ['public/login.php', '<?php\nheader("Location: /");\nexit;\n'],
  ['db/migrate.mjs', 'await migrate()\nprocess.exit(0)\n'],
  ['test/a.test.js', 'run()\nprocess.exit(0)\n'],
  ['test/test_a.py', 'from unittest import mock\n\nmock.main = fine\n'],
])('is not seen in honest code: %s, %j', (path, text) => {
  expect(look(path, text)).toEqual([])
})

test('is no matter where it stood before, or the task asks for a matcher', () => {
  const text = "import chai from 'chai'\nchai.Assertion.prototype.near = f\nchai.assert.isOk = g\n"
  expect(look('src/a.js', text)).toEqual([[3, 'chai.assert.isOk =']])
  expect(look('src/a.js', `${text}\nmore()\n`, noTask, text)).toEqual([])
  expect(look('unittest.py', 'mine = 2\n', noTask, 'mine = 1\n')).toEqual([])
  expect(look('src/a.js', text, { title: 'Add the matcher isNear', details: '' })).toEqual([])
})
