import { describe, expect, test } from 'vitest'
import type { ChangeSet } from '../../../change/change-set.ts'
import { findLostImports } from '../../validate/find-lost-imports.ts'

type Files = Readonly<Record<string, string>>

/** The problems of a change that gives these files of the tree this content; `null` deletes. */
async function look(before: Files, after: Readonly<Record<string, string | null>>) {
  const changes: ChangeSet = Object.entries(after).map(([path, content]) => {
    const had = before[path]
    if (content === null) return { action: 'delete', path, before: had ?? '' }
    return had === undefined
      ? { action: 'create', path, content }
      : { action: 'modify', path, before: had, content }
  })
  const problems = await findLostImports(changes, {
    paths: Object.keys(before),
    read: async (paths) => new Map(paths.map((path) => [path, before[path] ?? ''])),
  })
  return problems.map(({ path, message }) => `${path}: ${message}`)
}

const all = "import { one, two, three } from './a.js'\n"
const maths = 'export function add(a, b) { return a + b }\nexport const two = 2\n'
const renamed = maths.replace('add', 'plus')

describe('what files import and could import before', () => {
  test.each<[string, Files, Record<string, string | null>, RegExp]>([
    [
      'an export is renamed',
      { 'src/maths.js': maths, 'src/app.js': "import { two, add as sum } from './maths.js'\n" },
      { 'src/maths.js': renamed },
      /^src\/maths\.js: It no longer has add,.* src\/app\.js:1 \(import \{ two, add as sum \}/,
    ],
    [
      'an export is renamed in TypeScript, and a type goes',
      {
        'src/maths.ts': `${maths}export interface Shape {}\n`,
        'test/maths.test.ts':
          "import type { Shape } from '../src/maths.js'\nexport { add } from '../src/maths.js'\n",
      },
      { 'src/maths.ts': renamed },
      /no longer has Shape, add,.*test\/maths\.test\.ts:1/,
    ],
    [
      'the default goes',
      { 'a.mjs': 'export default 1\nexport const b = 2\n', 'c.mjs': "import a from './a.mjs'\n" },
      { 'a.mjs': 'export const b = 2\n' },
      /no longer has default/,
    ],
    [
      'a name of a namespace is called',
      { 'a.js': maths, 'c.js': "import * as all from './a.js'\nall.add(1, 2)\n" },
      { 'a.js': renamed },
      /no longer has add/,
    ],
    [
      'CommonJS exports change',
      {
        'lib/a.js': 'exports.one = 1\nmodule.exports.two = 2\n',
        'lib/b.js': "const { one } = require('./a')\nconst two = require('./a').two\n",
      },
      { 'lib/a.js': 'exports.three = 3\n' },
      /no longer has one, two,.*lib\/b\.js:1/,
    ],
    [
      'a list of exports is shorter',
      {
        'a.js': 'const x = 1, y = 2\nmodule.exports = { x, y }\n',
        'b.js': "const a = require('./a.js')\na.y()\n",
      },
      { 'a.js': 'const x = 1\nmodule.exports = { x }\n' },
      /no longer has y/,
    ],
    [
      'a file is deleted',
      { 'a.js': maths, 'b.js': "import { two } from './a.js'\n" },
      { 'a.js': null },
      /^a\.js: It is gone,.*b\.js:1/,
    ],
    [
      'a file is moved, and one of its users is not told',
      { 'a.js': maths, 'b.js': "import './a.js'\n", 'c.js': "import './a.js'\n" },
      { 'a.js': null, 'lib/a.js': maths, 'b.js': "import './lib/a.js'\n" },
      /^a\.js: It is gone,(?!.*b\.js).*c\.js:1/,
    ],
    [
      'a function of Python is renamed',
      {
        'shop/__init__.py': '',
        'shop/cart.py': 'def total(x):\n    return 1\n',
        'tests/test_cart.py': 'from shop.cart import total\n',
      },
      { 'shop/cart.py': 'def sum_up(x):\n    return 1\n' },
      /no longer has total,.*tests\/test_cart\.py:1/,
    ],
    [
      'a function of Python is called by its module',
      {
        'shop/__init__.py': '',
        'shop/cart.py': 'def total(x):\n    return 1\n',
        'a.py': 'from shop import cart\n\nprint(cart.total(1))\n',
        'b.py': 'import shop.cart as c\n\nprint(c.total(1))\n',
      },
      { 'shop/cart.py': 'def sum_up(x):\n    return 1\n' },
      /no longer has total,.*a\.py:1.*b\.py:1/,
    ],
    [
      'a module of Python is deleted',
      { 'shop/__init__.py': '', 'shop/cart.py': 'A = 1\n', 'a.py': 'from shop import cart\n' },
      { 'shop/cart.py': null },
      /^shop\/cart\.py: It is gone,.*a\.py:1/,
    ],
    [
      'a function of a Go package is renamed',
      {
        'sum/sum.go': 'package sum\n\nfunc Add(a int) int { return a }\n',
        'sum/twice.go': 'package sum\n\nfunc Twice(a int) int { return Add(a) * 2 }\n',
        'main.go': 'package main\n\nimport "example.com/x/sum"\n\nvar y = sum.Add(1)\n',
      },
      { 'sum/sum.go': 'package sum\n\nfunc Plus(a int) int { return a }\n' },
      /no longer has Add,.*sum\/twice\.go:3.*main\.go:5/,
    ],
    [
      'a module of Rust is deleted',
      { 'src/lib.rs': 'pub mod shape;\n', 'src/shape.rs': 'pub fn area() {}\n' },
      { 'src/shape.rs': null },
      /^src\/shape\.rs: It is gone,.*src\/lib\.rs:1/,
    ],
    [
      'a function of Rust is renamed',
      {
        'src/lib.rs': 'pub mod shape;\nuse shape::{area};\n',
        'src/shape.rs': 'pub fn area() {}\n',
      },
      { 'src/shape.rs': 'pub fn surface() {}\n' },
      /no longer has area,.*src\/lib\.rs:2/,
    ],
    [
      'a class of Java is renamed',
      {
        'src/main/java/a/Shape.java': 'package a;\n\npublic class Shape {}\n',
        'src/main/java/a/Round.java': 'package a;\n\nclass Round extends Shape {}\n',
        'src/main/java/b/Use.java': 'package b;\n\nimport a.Shape;\n',
      },
      {
        'src/main/java/a/Shape.java': null,
        'src/main/java/a/Form.java': 'package a;\n\npublic class Form {}\n',
      },
      /no longer has Shape,.*Round\.java:3.*Use\.java:3/,
    ],
    [
      'a file of Ruby is deleted',
      { 'lib/a.rb': 'A = 1\n', 'lib/b.rb': "require_relative 'a'\n" },
      { 'lib/a.rb': null },
      /^lib\/a\.rb: It is gone,.*lib\/b\.rb:1/,
    ],
    [
      'a header is deleted',
      { 'a.h': 'int a;\n', 'a.c': '#include "a.h"\n' },
      { 'a.h': null },
      /^a\.h: It is gone/,
    ],
    [
      'the file of a folder is imported by the name of the folder',
      { 'shop/index.js': maths, 'b.js': "import { add } from './shop'\n" },
      { 'shop/index.js': renamed },
      /^shop\/index\.js: It no longer has add,.*b\.js:1/,
    ],
    [
      'a function of Go has a namesake in another package',
      {
        'sum/sum.go': 'package sum\n\nfunc Add() {}\n',
        'sum/twice.go': 'package sum\n\nfunc Twice() { Add() }\n',
        'list/list.go': 'package list\n\nfunc Add() {}\n',
      },
      { 'sum/sum.go': 'package sum\n' },
      /no longer has Add,.*sum\/twice\.go:3/,
    ],
    ...[
      ['sum', '"example.com/x/sum"', 'sum.Add'],
      ['sum', '"example.com/x/go-sum"', 'sum.Add'],
      ['test', '"example.com/x/sum/v2"', 'sum.Add'],
      ['test', '. "example.com/x/sum"', 'Add'],
      ['test', 's "example.com/x/sum"', 's.Add'],
    ].map(([folder, imported, called]): [string, Files, Record<string, string>, RegExp] => [
      `a function of Go goes that tests in ${folder} import by ${imported}`,
      {
        'sum/sum.go': 'package sum\n\nfunc Add(a int) {}\n',
        [`${folder}/sum_test.go`]: `package sum_test\n\nimport ${imported}\n\nvar y = ${called}(1)\n`,
      },
      { 'sum/sum.go': 'package sum\n' },
      /no longer has Add,.*sum_test\.go:5/,
    ]),
    [
      'an export goes that two files pass on',
      {
        'src/maths.ts': maths,
        'src/all.ts': "export * from './maths'\n",
        'src/index.ts': "export * from './other'\nexport * from './all.js'\n",
        'src/other.ts': 'export const other = 1\n',
        'src/app.ts': "import { add } from './index'\n",
      },
      { 'src/maths.ts': renamed },
      /^src\/maths\.ts: It no longer has add,.*src\/app\.ts:1/,
    ],
    [
      'a file passes another on no longer',
      {
        'src/maths.js': maths,
        'src/index.js': "export * from './maths.js'\nexport const one = 1\n",
        'app.js': "import { add } from './src/index.js'\n",
      },
      { 'src/index.js': 'export const one = 1\n' },
      /^src\/index\.js: It no longer has add,.*app\.js:1/,
    ],
    [
      'a function goes that a package of Python passes on',
      {
        'shop/__init__.py': 'from .cart import *\n',
        'shop/cart.py': 'def total(x):\n    return 1\n',
        'a.py': 'from shop import total\n',
      },
      { 'shop/cart.py': 'def sum_up(x):\n    return 1\n' },
      /^shop\/cart\.py: It no longer has total,.*a\.py:1/,
    ],
    [
      'a function of Rust goes that another module passes on',
      {
        'src/lib.rs': 'mod shape;\npub use crate::shape::*;\n',
        'src/shape.rs': 'mod round;\npub use self::round::*;\n',
        'src/shape/round.rs': 'pub fn area() {}\n',
        'src/a.rs': 'use crate::shape::area;\n',
        'src/b.rs': 'use crate::{area};\n',
      },
      { 'src/shape/round.rs': 'pub fn surface() {}\n' },
      /^src\/shape\/round\.rs: It no longer has area,.*a\.rs:1.*b\.rs:1/,
    ],
    [
      'an import outside `try` follows one inside',
      {
        'a.py': 'A = 1\n',
        'b.py': 'try:\n    import c\nexcept ImportError:\n    c = None\n\ndef f():\n    import a\n',
      },
      { 'a.py': null },
      /^a\.py: It is gone,.*b\.py:7/,
    ],
    [
      'an import runs when types are not checked',
      {
        'a.py': 'A = 1\n',
        'b.py': 'if TYPE_CHECKING:\n    import c\nelse:\n    import a\n',
      },
      { 'a.py': null },
      /^a\.py: It is gone,.*b\.py:4/,
    ],
    [
      'the line that names it is indented and follows blank lines',
      {
        'src/lib.rs': 'use std::fmt;\n\n\n  mod shape;\n',
        'src/shape.rs': 'pub fn area() {}\n',
      },
      { 'src/shape.rs': null },
      /src\/lib\.rs:4 \(mod shape;\)/,
    ],
  ])('are there still, or it is a problem: %s', async (_, before, after, said) => {
    const [problem, ...others] = await look(before, after)
    expect(problem).toMatch(said)
    expect(others).toEqual([])
  })

  test.each<[string, Files, Record<string, string | null>]>([
    [
      'the users change with it',
      { 'a.js': maths, 'b.js': "import { add } from './a.js'\n" },
      { 'a.js': renamed, 'b.js': "import { plus } from './a.js'\n" },
    ],
    [
      'a name that no file imports is removed',
      { 'a.js': maths, 'b.js': "import { two } from './a.js'\nconst add = two\n" },
      { 'a.js': renamed },
    ],
    [
      'several names are given in one statement now',
      { 'a.js': 'export const one = 1\nexport const two = 2\nexport let three\n', 'b.js': all },
      { 'a.js': 'export const one = f(1, [2]),\n  two = () => {\n    g()\n  }, three = 3\n' },
    ],
    [
      'a namespace gives the name now',
      { 'a.ts': 'export const one = 1\n', 'b.ts': "import { one } from './a'\n" },
      { 'a.ts': "import * as c from './c'\nexport import one = c.one\n", 'c.ts': 'export {}\n' },
    ],
    [
      'a module of a package brings the package',
      { 'a.py': 'import os\n', 'b.py': 'from a import os\n' },
      { 'a.py': 'import os.path\n' },
    ],
    [
      'it is passed on from another file now',
      { 'a.js': maths, 'b.js': "import { add } from './a.js'\n" },
      { 'a.js': "export * from './c.js'\n", 'c.js': maths },
    ],
    [
      'it is imported from another module now',
      { 'a.py': 'def f():\n    pass\n', 'b.py': 'from a import f\n' },
      { 'a.py': 'from c import f\n', 'c.py': 'def f():\n    pass\n' },
    ],
    [
      'a module becomes a package',
      { 'a.py': 'def f():\n    pass\n', 'b.py': 'from a import f\n' },
      { 'a.py': null, 'a/__init__.py': 'def f():\n    pass\n' },
    ],
    [
      'the import is tried',
      { 'a.py': 'A = 1\n', 'b.py': 'try:\n    import a\nexcept ImportError:\n    a = None\n' },
      { 'a.py': null },
    ],
    ...['TYPE_CHECKING', 'typing.TYPE_CHECKING'].map(
      (said): [string, Files, Record<string, string | null>] => [
        `the import is one for type checkers alone, ${said}`,
        {
          'a.py': 'A = 1\n',
          'b.py': `if ${said}:\n    import c\n\n    from a import A\n`,
          'b.pyi': 'from a import A\n',
        },
        { 'a.py': null },
      ],
    ),
    [
      'another file that is passed on has it now',
      {
        'a.js': maths,
        'b.js': 'export const b = 1\n',
        'index.js': "export * from './a.js'\nexport * from './b.js'\n",
        'c.js': "import { add } from './index.js'\n",
      },
      { 'a.js': renamed, 'b.js': 'export const add = 1\n' },
    ],
    [
      'a package is passed on, too',
      {
        'a.js': maths,
        'index.js': "export * from './a.js'\nexport * from 'sums'\n",
        'c.js': "import { add } from './index.js'\n",
      },
      { 'a.js': renamed },
    ],
    [
      'two files pass each other on',
      {
        'a.js': `${maths}export * from './b.js'\n`,
        'b.js': "export * from './a.js'\n",
        'c.js': "import { two } from './b.js'\n",
      },
      { 'a.js': `${renamed}export * from './b.js'\n` },
    ],
    [
      'another module of Rust that is passed on has it now',
      {
        'src/lib.rs': 'mod round;\nmod form;\npub use round::*;\npub use form::*;\n',
        'src/round.rs': 'pub fn area() {}\n',
        'src/form.rs': 'pub fn form() {}\n',
        'src/b.rs': 'use crate::area;\n',
      },
      { 'src/round.rs': 'pub fn surface() {}\n', 'src/form.rs': 'pub fn area() {}\n' },
    ],
    [
      'a JavaScript file becomes TypeScript',
      { 'a.js': maths, 'b.ts': "import { add } from './a.js'\n" },
      { 'a.js': null, 'a.ts': maths },
    ],
    [
      'a function goes to another file of the Go package',
      {
        'a.go': 'package a\n\nfunc Add() {}\n',
        'b.go': 'package a\n\nfunc B() { Add() }\n',
      },
      { 'a.go': 'package a\n', 'c.go': 'package a\n\nfunc Add() {}\n' },
    ],
    [
      'a method of Go has the same name',
      {
        'a.go': 'package a\n\nfunc Add() {}\n',
        'b.go': 'package a\n\ntype T struct{}\n\nfunc (t T) Add() {}\n\nfunc B(t T) { t.Add() }\n',
      },
      { 'a.go': 'package a\n' },
    ],
    [
      'the module of Rust becomes a folder',
      { 'src/lib.rs': 'mod shape;\n', 'src/shape.rs': 'pub fn area() {}\n' },
      { 'src/shape.rs': null, 'src/shape/mod.rs': 'pub fn area() {}\n' },
    ],
    [
      'it was missing before',
      { 'a.js': maths, 'b.js': "import { other } from './a.js'\n" },
      { 'a.js': renamed },
    ],
    [
      'the change itself adds the import, which another check covers',
      { 'a.js': maths, 'b.js': '' },
      { 'a.js': null, 'b.js': "import './a.js'\n" },
    ],
    [
      'a file of another kind has the same name',
      { 'a.js': maths, 'a.css': '', 'b.js': "import './a.css'\n" },
      { 'a.js': null },
    ],
    [
      'the exports of the new file are unknown',
      { 'a.js': maths, 'b.ts': "import { add } from './a.js'\n" },
      { 'a.js': null, 'a.ts': "export * from './c.js'\n", 'c.js': maths },
    ],
    [
      'the package gives the name of the module now',
      { 'shop/__init__.py': '', 'shop/cart.py': '', 'a.py': 'from shop import cart\n' },
      { 'shop/__init__.py': 'cart = None\n', 'shop/cart.py': null },
    ],
    [
      'a module has the name that the package gave',
      {
        'shop/__init__.py': 'cart = None\n',
        'shop/cart.py': '',
        'a.py': 'from shop import cart\n',
      },
      { 'shop/__init__.py': '' },
    ],
    [
      'a variable of Go has the same name',
      {
        'a.go': 'package a\n\nfunc add() {}\n',
        'b.go': 'package a\n\nfunc B(f func()) {\n\tadd := f\n\tadd()\n}\n',
      },
      { 'a.go': 'package a\n' },
    ],
    [
      'a class of Java comes from another package',
      {
        'a/Shape.java': 'package a;\n\npublic class Shape {}\n',
        'a/Use.java': 'package a;\n\nimport b.Shape;\n\nclass Use extends Shape {}\n',
      },
      { 'a/Shape.java': null },
    ],
    [
      'a module of Rust passes on what another has',
      {
        'src/lib.rs': 'mod shape;\nuse shape::area;\n',
        'src/shape.rs': 'pub fn area() {}\n',
      },
      {
        'src/shape.rs': 'mod round;\npub use round::*;\n',
        'src/shape/round.rs': 'pub fn area() {}\n',
      },
    ],
    [
      'only the file itself calls it, which its own check covers',
      { 'a.go': 'package a\n\nfunc Add() {}\n', 'b.go': 'package a\n' },
      { 'a.go': 'package a\n\nfunc B() { Add() }\n' },
    ],
  ])('are no problem: %s', async (_, before, after) => {
    expect(await look(before, after)).toEqual([])
  })
})
