import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importNewNames, mendImports } from '../../../answer/loss/mend-imports.ts'
import { readDraft } from '../../../answer/read-draft.ts'

type Row = readonly [name: string, path: string, before: string, content: string, kept: string]

const inFunction = 'def fill(grid):\n    import math\n    """Doc."""\n    return 0\n'

const itself: readonly Row[] = [
  [
    'of a package',
    'shop/cart.py',
    '',
    'from shop.cart import total, Cart\n\n\ndef total():\n    return 1\n\n\nclass Cart:\n    pass\n',
    'def total():\n    return 1\n\n\nclass Cart:\n    pass\n',
  ],
  [
    'of a source folder, below others',
    'src/shop/cart.py',
    '',
    'import math\nfrom shop.cart import total\n\n\ndef total():\n    return math.pi\n',
    'import math\n\n\ndef total():\n    return math.pi\n',
  ],
  [
    'relative',
    'shop/cart.py',
    '',
    'from .cart import (\n    total,\n)\n\n\nasync def total():\n    return 1\n',
    'async def total():\n    return 1\n',
  ],
  [
    'relative to the folder above',
    'shop/cart.py',
    '',
    'from ..shop.cart import total\n\ndef total(): return 1\n',
    'def total(): return 1\n',
  ],
  ['beside it', 'cart.py', '', 'from cart import f\n\ndef f(): return 1\n', 'def f(): return 1\n'],
  [
    'of a module',
    'src/cart.ts',
    '',
    "import { total, type Cart } from './cart.js'\n\nexport interface Cart {}\nexport const total = () => 1\n",
    'export interface Cart {}\nexport const total = () => 1\n',
  ],
  [
    'of a script',
    'lib/cart.js',
    '',
    "'use strict'\nconst { total } = require('../lib/cart')\n\nfunction total() {}\nmodule.exports = { total }\n",
    "'use strict'\n\nfunction total() {}\nmodule.exports = { total }\n",
  ],
  [
    'with other line ends',
    'cart.py',
    '',
    'from cart import f\r\n\r\ndef f(): return 1\r\n',
    'def f(): return 1\r\n',
  ],
]

/** What works, or means something else. */
const notItself: readonly (readonly [name: string, path: string, content: string])[] = [
  ['another package', 'utils/json.py', 'from json import loads\n\ndef loads(x): return x\n'],
  ['a name that is not declared', 'a.py', 'from a import g\n\ndef f(): return g()\n'],
  ['one of several names', 'a.py', 'from a import f, g\n\ndef f(): return g()\n'],
  ['another name', 'a/b.py', 'from a.b import f as g\n\ndef f(): return 1\n'],
  ['a method of that name', 'a.py', 'from a import f\n\nclass C:\n    def f(self): return 1\n'],
  ['inside a function', 'a.py', 'def f():\n    from a import f\n    return f\n'],
  ['a string', 'a.py', 'TEXT = """\nfrom a import f\n"""\n\ndef f(): return 1\n'],
  ['the module alone', 'a.py', 'import a\n\ndef f(): return a.f\n'],
  ['the package', 'a/__init__.py', 'from a.b import f\n\ndef g(): return f()\n'],
  [
    'a package of that name',
    'a.js',
    "import { f } from 'a'\n\nexport function g() { return f() }\n",
  ],
  [
    'a wrapper of another module system',
    'a.mjs',
    "const a = require('./a.cjs')\nexport default a\n",
  ],
  [
    'types of another module system',
    'a.mts',
    "import { type A } from './a.cjs'\n\nexport class A {}\n",
  ],
  ['a module without its ending', 'a.mjs', "import { f } from './a'\n\nexport const f = 1\n"],
  [
    'a class that builds on it',
    'compat/shop/a.py',
    'from shop.a import A\n\nclass A(A):\n    pass\n',
  ],
  [
    'a function that wraps it',
    'x/shop/a.py',
    'from shop.a import f\n\ng = f\n\ndef f(): return g()\n',
  ],
  ['a file beside it', 'a.ts', "import { f } from './b.ts'\n\nexport const f = f\n"],
]

describe('an import of a file from itself', () => {
  it.each(itself)('%s is removed', (_, path, before, content, kept) => {
    expect(mendImports(path, before, content)).toBe(kept)
    expect(mendImports(path, before, kept)).toBe(kept)
  })

  it.each(notItself)('%s stays', (_, path, content) => {
    expect(mendImports(path, '', content)).toBe(content)
  })
})

const restored: readonly Row[] = [
  [
    'of a function, below its head',
    'a.py',
    inFunction,
    'def fill(grid):\n    """Doc."""\n    return math.ceil(1.5)\n',
    'def fill(grid):\n    import math\n    """Doc."""\n    return math.ceil(1.5)\n',
  ],
  [
    'of a function with another head, at the top',
    'a.py',
    inFunction,
    '"""A module."""\n\ndef fill(grid, n):\n    return math.ceil(n)\n',
    '"""A module."""\n\nimport math\n\n\ndef fill(grid, n):\n    return math.ceil(n)\n',
  ],
  [
    'of several lines, with what is used',
    'a.py',
    'from b import (\n    c,\n    d as e,\n)\n\n\ndef f():\n    pass\n',
    'import g\n\n\ndef f():\n    return e(g.h)\n',
    'import g\nfrom b import d as e\n\n\ndef f():\n    return e(g.h)\n',
  ],
  [
    'below its own from __future__',
    'a.py',
    'from __future__ import annotations\nfrom b import c\n',
    'from __future__ import annotations\n\nd = c(1)\n',
    'from __future__ import annotations\nfrom b import c\n\nd = c(1)\n',
  ],
  [
    'of a file with other line ends',
    'a.py',
    'import b.c\r\n\r\n',
    'd = 1\r\nprint(b.c)\r\n',
    'import b.c\r\n\r\nd = 1\r\nprint(b.c)\r\n',
  ],
  [
    'of a module',
    'a.ts',
    "import { b, type C as D } from './b.ts'\nimport e from 'e'\n\nexport const f = 1\n",
    "import e from 'e'\n\nexport const f: D = e(2)\n",
    "import e from 'e'\nimport { type C as D } from './b.ts'\n\nexport const f: D = e(2)\n",
  ],
  [
    'of a script, below its directive',
    'a.cjs',
    "'use strict'\nconst { b: c } = require('b')\nmodule.exports = () => 1\n",
    "'use strict'\nmodule.exports = () => c(1)\n",
    "'use strict'\nconst { b: c } = require('b')\n\nmodule.exports = () => c(1)\n",
  ],
  [
    'of one name among others, with no more than that',
    'a.ts',
    "import b, { type C, d as e, f } from 'g'\n\nb(e, f)\n",
    "import b, { type C } from 'g'\n\nb(e)\n",
    "import b, { type C } from 'g'\nimport { d as e } from 'g'\n\nb(e)\n",
  ],
  [
    'that goes on behind a backslash',
    'a.py',
    'from b import c, d, \\\n    e\n\nf = 1\n',
    'from b import c, \\\n    e\n\nf = c(d, e)\n',
    'from b import c, \\\n    e\nfrom b import d\n\nf = c(d, e)\n',
  ],
]

const added: readonly Row[] = [
  [
    'a module',
    'a.py',
    '"""Doc."""\n\ndef f(n):\n    pass\n',
    '"""Doc."""\n\ndef f(n):\n    return math.sqrt(n)\n',
    '"""Doc."""\n\nimport math\n\n\ndef f(n):\n    return math.sqrt(n)\n',
  ],
  [
    'a name, to a new file',
    'a.py',
    '',
    'def f(words: List[str]) -> int:\n    return sorted(Counter(words).values(), key=int)[0]\n',
    'from typing import List\nfrom collections import Counter\n\n\ndef f(words: List[str]) -> int:\n    return sorted(Counter(words).values(), key=int)[0]\n',
  ],
]

/** What binds the name, or does not use it. */
const bound: readonly (readonly [name: string, path: string, content: string])[] = [
  ['a parameter', 'a.py', 'def f(math, c=1):\n    return math.x\n'],
  ['a parameter of a lambda', 'a.py', 'f = lambda math: math.x\n'],
  ['a value', 'a.py', 'math = g()\nprint(math.x)\n'],
  ['one of two values', 'a.py', '(a, math) = g()\nprint(math.x)\n'],
  ['a loop', 'a.py', 'for a, math in g():\n    print(math.x)\n'],
  ['a with statement', 'a.py', 'with g() as math:\n    print(math.x)\n'],
  ['a function', 'a.py', 'def math(): pass\nmath.x\n'],
  ['an import under that name', 'a.py', 'from b import c as math\nmath.x\n'],
  ['an import between others on its line', 'a.py', 'import b; import math\nmath.x\n'],
  ['an import of everything', 'a.py', 'from b import *\nmath.x\n'],
  ['a member', 'a.py', 'a.math.x\n'],
  ['a comment and a string', 'a.py', '# math.x\na = "math.x"\n'],
  ['a destructured parameter', 'a.js', 'export const f = ({ math }) => math.x\n'],
  ['a declaration', 'a.js', 'export const { a, math } = b\nmath.x\n'],
  ['a method and a key', 'a.js', 'export default { math(a) { return a }, b: { math: 1 } }\n'],
  [
    'an import with attributes',
    'a.js',
    "import a, { math } from 'b' with { type: 'json' }\nmath.x\n",
  ],
]

describe('mendImports', () => {
  it.each(restored)('puts back an import %s', (_, path, before, content, kept) => {
    expect(mendImports(path, before, content)).toBe(kept)
    expect(mendImports(path, before, before)).toBe(before)
    // The task is about it.
    expect(mendImports(path, before, content, () => true)).toBe(content)
  })

  it.each(added)(
    "adds an import of Python's standard library: %s",
    (_, path, before, content, kept) => {
      expect(mendImports(path, before, content)).toBe(kept)
      // As it was before.
      expect(mendImports(path, content, content)).toBe(content)
    },
  )

  it.each(bound)('leaves a name alone that is bound by %s', (_, path, content) => {
    const statement = path.endsWith('.py') ? 'import math\n' : "import math from 'math'\n"
    expect(mendImports(path, statement, content)).toBe(content)
  })

  it.each([
    ['a.py', 'from six.moves import range, zip\n', 'zip(range(2), [])\n'],
    ['a.py', 'from io import open\n', 'open(name)\n'],
    ['a.js', "const fetch = require('node-fetch')\n", 'fetch(url)\n'],
    ['a.js', "import { describe, it } from 'vitest'\n", 'describe(it)\n'],
    ['A.java', 'import b.C;\n', 'class A {\n  C d;\n}\n'],
  ])('leaves out of %s what may be there without %s', (path, before, content) => {
    expect(mendImports(path, before, content)).toBe(content)
  })

  it('adds nothing to the files of this project', () => {
    const root = join(import.meta.dirname, '../../../../../src')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    const texts = files
      .filter((path) => path.endsWith('.ts'))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const)
    expect(texts.length).toBeGreaterThan(500)
    expect(
      texts.flatMap(([path, text]) => (mendImports(path, text, text) === text ? [] : path)),
    ).toEqual([])
  })

  const answer = 'a.py\n```python\ndef f(n):\n    return math.sqrt(n)\n```\n'
  it.each([
    ['Write f', 'import math\n\n\ndef f(n):\n    return math.sqrt(n)\n'],
    ['Stop using math in f', 'def f(n):\n    return math.sqrt(n)\n'],
  ])('reads an answer to "%s"', async (title, content) => {
    const before = 'import math\n\n\ndef f(n):\n    return 1\n'
    const task = { id: 'T-1', title, details: '', files: ['a.py'], accept: [] }
    const draft = await readDraft(answer, {
      base: [],
      expectedPath: 'a.py',
      task: task as never,
      read: async () => new Map([['a.py', before]]),
      paths: ['a.py'],
    })
    expect(draft.changes.map((change) => change.action === 'modify' && change.content)).toEqual([
      content,
    ])
  })
})

const created = (path: string, content: string) => ({ action: 'create', path, content }) as const
const modified = (path: string, before: string, content: string) =>
  ({ action: 'modify', path, before, content }) as const

const encoding = modified(
  'src/pkg/encoding.py',
  'def encode(x):\n    return x\n',
  'def encode(x):\n    return x\n\n\ndef is_text(x):\n    return True\n',
)
const sum = modified(
  'lib/sum.js',
  'exports.sum = (a) => a\n',
  'exports.sum = (a) => a\nexports.mean = (a) => a\n',
)
const typed = created('src/a.ts', 'export const one = 1\nexport type Two = 2\n')

describe('names that the change itself brings', () => {
  it.each<[string, Parameters<typeof importNewNames>[0], string, string]>([
    [
      'of a package, in a test',
      [encoding],
      'from pkg.encoding import encode\n\ndef test_it():\n    assert is_text(encode(1))\n',
      'from pkg.encoding import encode\nfrom pkg.encoding import is_text\n\ndef test_it():\n    assert is_text(encode(1))\n',
    ],
    [
      'relative, below the last import of several',
      [encoding],
      'from src.pkg.encoding import (\n    encode,\n)\nimport re\n\nassert is_text(re)\n',
      'from src.pkg.encoding import (\n    encode,\n)\nfrom src.pkg.encoding import is_text\nimport re\n\nassert is_text(re)\n',
    ],
  ])('are imported %s', (_, others, text, mended) => {
    const [first] = importNewNames([modified('tests/test_encoding.py', '', text), ...others])
    expect(first).toMatchObject({ content: mended })
  })

  it.each<[string, Parameters<typeof importNewNames>[0], string, string]>([
    [
      'of a module that is required whole',
      [sum],
      "const assert = require('assert')\nconst { sum } = require('../lib/sum')\n\nassert(mean([sum(1)]))\n",
      "const assert = require('assert')\nconst { sum } = require('../lib/sum')\nconst { mean } = require('../lib/sum')\n\nassert(mean([sum(1)]))\n",
    ],
    [
      'of a module, its types not',
      [typed],
      "import type { Two } from '../src/a.ts'\nimport {} from '../src/a.ts'\n\nconst x: Two = one\n",
      "import type { Two } from '../src/a.ts'\nimport {} from '../src/a.ts'\nimport { one } from '../src/a.ts'\n\nconst x: Two = one\n",
    ],
    [
      'of a module, names of methods not',
      [typed],
      "import {} from '../src/a.ts'\n\ninterface It {\n  one(): this\n}\nit.one = 1\n",
      "import {} from '../src/a.ts'\n\ninterface It {\n  one(): this\n}\nit.one = 1\n",
    ],
  ])('are imported %s', (_, others, text, mended) => {
    const [first] = importNewNames([modified('test/it.test.ts', '', text), ...others])
    expect(first).toMatchObject({ content: mended })
  })

  it.each([
    [
      'bound there',
      'from pkg.encoding import encode\n\ndef is_text(x):\n    return encode(x)\n\nis_text(1)\n',
    ],
    ['imported there', 'from pkg.encoding import encode, is_text\n\nis_text(encode)\n'],
    ['not used', 'from pkg.encoding import encode\n\nencode("is_text")\n'],
    ['all imported', 'from pkg.encoding import *\n\nis_text(1)\n'],
    ['of a file that is not imported', 'import pkg\n\nis_text(pkg)\n'],
  ])('are left alone where they are %s', (_, text) => {
    const test = modified('tests/test_encoding.py', '', text)
    expect(importNewNames([test, encoding])).toEqual([test, encoding])
  })

  it('were there before: nothing changes', () => {
    const test = modified('tests/test_encoding.py', '', 'from pkg.encoding import f\n\nencode(f)\n')
    expect(importNewNames([test, encoding])).toEqual([test, encoding])
  })
})

it('an answer imports in a test what it adds to a file of the repository', async () => {
  const files: Readonly<Record<string, string>> = {
    'src/pkg/encoding.py': 'def encode(x):\n    return x\n',
    'tests/test_encoding.py': 'from pkg.encoding import encode\n',
  }
  const answer = `src/pkg/encoding.py
\`\`\`python
def encode(x):
    return x


def is_text(x):
    return True
\`\`\`

tests/test_encoding.py
\`\`\`python
from pkg.encoding import encode


def test_it():
    assert is_text(encode(1))
\`\`\`
`
  const { changes } = await readDraft(answer, {
    ...{ base: [], expectedPath: undefined, paths: Object.keys(files) },
    read: async (paths) => new Map(paths.map((path) => [path, files[path] ?? ''])),
  })
  const [, test] = changes
  expect(test).toMatchObject({
    content: expect.stringContaining('import encode\nfrom pkg.encoding import is_text\n'),
  })
})
