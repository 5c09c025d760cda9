import { describe, expect, it, test } from 'vitest'
import type { Refusal } from '../../../../change/change-set.ts'
import { readDraft } from '../../../answer/read-draft.ts'

type Files = Readonly<Record<string, string>>

async function draftOf(
  files: Files,
  answer: string,
  more: { readonly title?: string; readonly refused?: readonly Refusal[] } = {},
) {
  const { title = 'Make it better', refused } = more
  return readDraft(answer, {
    ...{ base: [], expectedPath: undefined, task: { title, details: '' } },
    ...(refused && { refused }),
    paths: Object.keys(files),
    read: async (paths) =>
      new Map(paths.flatMap((path) => (files[path] === undefined ? [] : [[path, files[path]]]))),
  })
}
const fence = (path: string, text: string) => `${path}\n\`\`\`\`\n${text}\`\`\`\`\n`
const lines = (count: number, of: string) =>
  Array.from({ length: count }, (_, index) => `${of} ${index}\n`).join('')

const script =
  "import { x } from './x.js'\nexport function add(a, b) {\n  return a + b\n}\nexport function sub(a, b) {\n  return a - b\n}\nexport const zero = x\n"
const users: Files = {
  'src/sum.js': script,
  'src/x.js': 'export const x = 0\n',
  'test/sum.test.js': "import { add, sub } from '../src/sum.js'\ncheck(add, sub)\n",
}
const goCart =
  'package shop\n\ntype Cart struct{}\n\nfunc NewCart() Cart { return Cart{} }\n\nfunc (c Cart) Name() string { return "" }\n'
const javaCart =
  'package a.shop;\n\npublic class Cart {\n  public int total() { return 1; }\n  public int count() { return 2; }\n}\n'
const fragment = 'export function add(a, b) {\n  return Number(a) + Number(b)\n}\n'

describe('a file in full that exists', () => {
  test.each<[string, Files, string, string, RegExp]>([
    [
      'a definition that a test imports',
      users,
      'src/sum.js',
      fragment,
      /sub \(used in test\/sum\.test\.js\)/,
    ],
    [
      'a member that a file calls which has something of that name itself',
      { ...users, 'test/sum.test.js': "const s = require('../src/sum.js')\nlet sub = s.sub(1)\n" },
      'src/sum.js',
      fragment,
      /sub \(used in test\/sum\.test\.js\)/,
    ],
    [
      'a member that it only calls',
      {
        'a.js':
          'export class A {\n  real() {\n    return 1\n  }\n  all() {\n    return this.real()\n  }\n}\n',
        'b.js': "import { A } from './a.js'\nnew A().real()\n",
      },
      'a.js',
      'export class A {\n  all() {\n    return this.real() === 1\n  }\n}\n',
      /real \(used in b\.js\)/,
    ],
    [
      'a last export, without any marker',
      { ...users, 'src/app.js': "import { zero } from './sum.js'\nstart(zero)\n" },
      'src/sum.js',
      script.replace('export const zero = x\n', ''),
      /zero \(used in src\/app\.js\)/,
    ],
    [
      'with an elision in another language',
      users,
      'src/sum.js',
      `${fragment}// 其余代码保持不变\n`,
      /sub/,
    ],
    [
      'its only code',
      { 'a.py': 'x = 1\n' },
      'a.py',
      '# This file has been deleted.\n',
      /1 of its|of its 1 lines/,
    ],
    [
      'what a module of Python gives',
      {
        'shop/cart.py':
          'def total(items):\n    return sum(items)\n\n\ndef empty():\n    return []\n',
        'tests/test_cart.py':
          'from shop.cart import empty\n\n\ndef test_empty():\n    assert empty() == []\n',
      },
      'shop/cart.py',
      'def total(items):\n    return sum(items, 0)\n',
      /empty \(used in tests\/test_cart\.py\)/,
    ],
    [
      'a function of the same package',
      {
        'sum.go':
          'package sum\n\nfunc Add(a, b int) int { return a + b }\n\nfunc Sub(a, b int) int { return a - b }\n',
        'sum_test.go': 'package sum\n\nfunc TestSub(t *testing.T) { Sub(1, 2) }\n',
      },
      'sum.go',
      'package sum\n\nfunc Add(a, b int) int { return b + a }\n',
      /Sub \(used in sum_test\.go\)/,
    ],
    [
      'a method of a type that another file of the package names',
      {
        'shop/cart.go': goCart,
        'shop/run.go': 'package shop\n\nfunc Run() string {\n\treturn NewCart().Name()\n}\n',
      },
      'shop/cart.go',
      'package shop\n\ntype Cart struct{}\n\nfunc NewCart() Cart { return Cart{} }\n',
      /Name \(used in shop\/run\.go\)/,
    ],
    [
      'a function that another package imports by a name of its own',
      {
        'shop/cart.go': goCart,
        'main.go':
          'package main\n\nimport s "example.com/a/shop"\n\nfunc main() {\n\ts.NewCart()\n}\n',
      },
      'shop/cart.go',
      'package shop\n\ntype Cart struct{}\n\nfunc (c Cart) Name() string { return "" }\n',
      /NewCart \(used in main\.go\)/,
    ],
    [
      'a method of a class of Java',
      {
        'a/shop/Cart.java': javaCart,
        'a/Main.java':
          'package a;\n\nimport a.shop.Cart;\n\nclass Main {\n  int f(Cart c) { return c.total(); }\n}\n',
      },
      'a/shop/Cart.java',
      'package a.shop;\n\npublic class Cart {\n  public int count() { return 2; }\n}\n',
      /total \(used in a\/Main\.java\)/,
    ],
    [
      'a helper that it still calls',
      { 'a.py': 'def helper(x):\n    return x\n\n\ndef run(x):\n    return helper(x)\n' },
      'a.py',
      'def run(x):\n    return helper(x) + 1\n',
      /helper \(used in a\.py\)/,
    ],
    [
      'headings',
      { 'README.md': '# A\n\ntext\n\n## Use\n\nthis\n' },
      'README.md',
      '# A\n\ntext, better\n',
      /"Use"/,
    ],
    [
      'keys',
      { 'package.json': '{"name": "a", "scripts": {"test": "t", "lint": "l"}}\n' },
      'package.json',
      '{"name": "a", "scripts": {"test": "t2"}}\n',
      /"scripts\.lint"/,
    ],
    [
      'the end, though the rest is renewed',
      { 'a.txt': lines(80, 'line') },
      'a.txt',
      `new\n${lines(60, 'line').replace('line 7\n', 'line seven\n')}`,
      /19 of its 80 lines/,
    ],
    [
      'most of the lines',
      { 'a.txt': lines(80, 'line') },
      'a.txt',
      lines(5, 'new'),
      /75 of its 80 lines/,
    ],
    [
      'all but an excerpt of it',
      { 'a.css': lines(20, '.x {}') },
      'a.css',
      lines(14, '.x {}'),
      /6 of its 20 lines/,
    ],
  ])('is refused when it loses %s', async (_, files, path, text, names) => {
    const draft = await draftOf(files, fence(path, text))
    expect(draft.changes).toEqual([])
    expect(draft.refusals).toMatchObject([{ path, reason: names, lost: 'asked' }])
    expect(draft.refusals[0]?.reason).toContain('SEARCH/REPLACE')
  })

  test.each([
    [
      'a diff of a new file',
      `--- /dev/null\n+++ b/src/sum.js\n@@ -0,0 +1,3 @@\n${fragment.replace(/^/gm, '+').slice(0, -1)}`,
    ],
    [
      '*** Add File',
      `*** Begin Patch\n*** Add File: src/sum.js\n${fragment.replace(/^/gm, '+').slice(0, -1)}*** End Patch`,
    ],
  ])('is one also as %s', async (_, patch) => {
    const draft = await draftOf(users, `\`\`\`diff\n${patch}\n\`\`\`\n`)
    expect(draft).toMatchObject({ changes: [], refusals: [{ path: 'src/sum.js', lost: 'asked' }] })
  })

  test.each<[string, Files, string, string]>([
    ['nothing is lost', users, fence('src/sum.js', script.replace('a + b', 'b + a')), 'Add'],
    [
      'a heading is worded anew',
      { 'README.md': '# A\n\n### `parse(input)`\n\nthis\n\n## End\n' },
      fence('README.md', '# A\n\n### `parse(input, options?)`\n\nthis\n\n## End\n'),
      'Add',
    ],
    ['the task asks for it', users, fence('src/sum.js', fragment), 'Remove sub and zero'],
    [
      'no file uses the lost name',
      { 'src/sum.js': script },
      fence('src/sum.js', script.replace('export const zero = x\n', '').replace('a + b', 'b + a')),
      'Add',
    ],
    ...['var sub = require("depd")("x")', "const add = require('./sum.js'),\n  sub = add(1)"].map(
      (own): [string, Files, string, string] => [
        'others have something of their own of that name',
        {
          'src/sum.js': 'var sub = 1\nmodule.exports = add\nfunction add() {}\nadd.x = 1\n',
          'src/use.js': `${own}\nrequire('./sum.js')(sub)\nexports.sub = sub\n`,
        },
        fence('src/sum.js', 'module.exports = add\nfunction add() {}\nadd.x = 2\n'),
        'Add',
      ],
    ),
    ...(
      [
        ['a.js', 'get real() {\n    return 1\n  }', 'constructor() {\n    this.real = 1\n  }'],
        ['a.js', 'get real() {\n    return 1\n  }', 'real = 1'],
        ['a.ts', 'get real() {\n    return 1\n  }', 'constructor(readonly real: number) {}'],
        ['A.kt', 'fun real(): Int {\n    return 1\n  }', 'val real = 1'],
        ['a.rb', 'def real\n    1\n  end', 'attr_reader :imag, :real'],
        ['A.cs', 'public int real() {\n    return 1;\n  }', 'public int real => 1;'],
      ] as const
    ).map(([path, was, is]): [string, Files, string, string] => [
      `a member is written in another way, ${path}`,
      { [path]: `class A {\n  ${was}\n}\n`, [`use-${path}`]: `A().real\n` },
      fence(path, `class A {\n  ${is}\n}\n`),
      'Add',
    ]),
    [
      'a method of Java has no modifier any more',
      {
        'P.java':
          'class P {\n  public int real(int a) {\n    return 1;\n  }\n  int b = real(1);\n}\n',
        'U.java': 'class U { int a = new P().real(1); }\n',
      },
      fence(
        'P.java',
        'class P {\n  int real(int a) throws E {\n    return 2;\n  }\n  int b = real(1);\n}\n',
      ),
      'Add',
    ],
    [
      'an accessor of Java is one of a record',
      {
        'P.java': 'class P {\n  public int real() {\n    return 1;\n  }\n}\n',
        'U.java': 'class U { int a = new P().real(); }\n',
      },
      fence('P.java', 'record P(int real, int imag) {}\n'),
      'Add',
    ],
    [
      'an export is in a block',
      {
        'src/sum.js': 'export const add = (a, b) => {\n  return a\n}\n',
        'test/sum.test.js': "import { add } from '../src/sum.js'\nadd()\n",
      },
      fence('src/sum.js', 'if (main) {\n  module.exports.add = function (a, b) {}\n}\n'),
      'Add',
    ],
    [
      'a property of Python is an attribute',
      {
        'a.py': 'class A:\n    @property\n    def real(self):\n        return 1\n',
        'b.py': 'from a import A\n\nA().real\n',
      },
      fence('a.py', 'class A:\n    def __init__(self):\n        self.real = 1\n'),
      'Add',
    ],
    [
      'a function in Python has something of its own of that name',
      {
        'a.py': 'def helper():\n    pass\n\ndef run():\n    return 1\n',
        'b.py': 'import a\n\ndef helper():\n    return a.run()\n\nhelper()\n',
      },
      fence('a.py', 'def run():\n    return 2\n'),
      'Add',
    ],
    [
      'it moves to another file',
      users,
      `${fence('src/sum.js', script.replace(/export function sub[^}]*\}\n/, "export { sub } from './sub.js'\n"))}${fence('src/sub.js', 'export function sub(a, b) {\n  return a - b\n}\n')}`,
      'Add',
    ],
    [
      'another file only has a name of its own that is the same',
      { 'src/sum.js': script, 'src/other.js': 'const zero = 0\nexport const y = zero\n' },
      fence('src/sum.js', script.replace('export const zero = x\n', '').replace('a + b', 'b + a')),
      'Add',
    ],
    [
      'files of other packages have such names, and a comment',
      {
        'shop/cart.go': goCart,
        'shop/old_test.go': 'package shop\n\n/*\nfunc TestCart() { NewCart().Name() }\n*/\n',
        'shop.go':
          'package a\n\n// Cart of shop\nfunc (c Command) Name() string { return NewCart() }\n',
      },
      fence('shop/cart.go', 'package shop\n\ntype Cart struct{}\n'),
      'Add',
    ],
    [
      'classes of other packages have such names',
      {
        'a/shop/Cart.java': javaCart,
        'b/Cart.java':
          'package b;\n\nclass Cart {\n  int total() { return 1; }\n  int f() { return total(); }\n}\n',
        'a/shop/Bill.java':
          'package a.shop;\n\nclass Bill {\n  int f(Bill b) { return b.total(); }\n}\n',
      },
      fence(
        'a/shop/Cart.java',
        'package a.shop;\n\npublic class Cart {\n  public int count() { return 2; }\n}\n',
      ),
      'Add',
    ],
    [
      'a name of its own goes, and who imports it has such a name, too',
      {
        'a.js': 'function help() {\n  return 1\n}\nexport function a() {\n  return help()\n}\n',
        'b.js': "import { a } from './a.js'\nfunction help() {\n  return a()\n}\nhelp()\n",
      },
      fence('a.js', 'export function a() {\n  return 1\n}\n'),
      'Add',
    ],
    [
      'only a document speaks of what goes, which changes, too',
      {
        'field.py': 'def keep():\n    return 1\n\n\ndef _serialize():\n    return 2\n',
        'CHANGELOG.rst': 'Field\n=====\n\n``_serialize`` of field is private.\n',
      },
      `${fence('field.py', 'def keep():\n    return 1\n')}${fence('CHANGELOG.rst', 'Field\n=====\n\n``_serialize`` of field is private, and gone.\n')}`,
      'Add',
    ],
    [
      'a stub becomes code',
      { 'a.py': 'def f():\n    pass\n' },
      fence('a.py', 'def g():\n    return 1\n\n\ndef f():\n    return g()\n'),
      'Add',
    ],
    [
      'the task rewrites the document',
      { 'README.md': '# A\n\n## Use\n\nthis\n' },
      fence('README.md', '# B\n\n## How\n\nthat\n'),
      'Rewrite the README',
    ],
  ])('is taken where %s', async (_, files, answer, title) => {
    const draft = await draftOf(files, answer, { title })
    expect(draft.refusals).toEqual([])
    expect(draft.changes.length).toBeGreaterThan(0)
  })
})

describe('a file in full for the second time', () => {
  const asked = (path: string): readonly Refusal[] => [
    { path, reason: 'loses much', excerpt: '', lost: 'asked' },
  ]

  it('is taken where nothing uses what goes, and the loss is a note', async () => {
    const files = { 'README.md': '# A\n\n## Use\n\nthis\n' }
    const answer = fence('README.md', '# A\n\nthat\n')
    const draft = await draftOf(files, answer, { refused: asked('README.md') })
    expect(draft).toMatchObject({ changes: [{ path: 'README.md' }], refusals: [] })
    expect(draft.notes).toEqual(['README.md: was sent in full and loses "Use"'])
  })

  it('is refused for good where the tree uses what goes', async () => {
    const draft = await draftOf(users, fence('src/sum.js', fragment), {
      refused: asked('src/sum.js'),
    })
    expect(draft).toMatchObject({
      changes: [],
      refusals: [{ path: 'src/sum.js', reason: /sub \(used in/, lost: 'again' }],
    })
  })
})

it('takes a folder with signs in its name for what it is', async () => {
  const files = {
    'a (+/x.go': 'package x\n\nfunc X() {}\n\nfunc Y() {}\n',
    'y.go': 'package y\n\nimport "e.com/a (+"\n\nvar y = x.Y\n',
  }
  const answer = '<file path="a (+/x.go">\npackage x\n\nfunc X() {}\n</file>\n'
  expect((await draftOf(files, answer)).refusals).toMatchObject([{ reason: /Y \(used in y\.go\)/ }])
})

it('tells in an excerpt of nothing that is hidden', async () => {
  const text = `# A\n<!-- secret -->\n\n## Use\n\n${lines(9, 'word')}`
  const draft = await draftOf({ 'README.md': text }, fence('README.md', '# A\n\nword 1\n'))
  expect(draft.refusals).toHaveLength(1)
  expect(JSON.stringify(draft.refusals)).not.toContain('secret')
})
