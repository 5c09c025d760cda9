import { describe, expect, test } from 'vitest'
import { memoryTree } from '../../../../test/fakes/memory-tree.ts'
import { findBrokenImports } from '../../imports/find-broken-imports.ts'

type Files = Readonly<Record<string, string>>

const broken = async (files: Files, path: string, content: string) =>
  findBrokenImports([{ path, content }], await memoryTree(files))

const helpers = { 'src/utils/helpers.py': 'def x(): ...\n', 'src/utils/__init__.py': '' }
const wrong = 'from utils.helpers import x\n'

describe('an import that is not relative, of a file that lies elsewhere', () => {
  test.each<[string, Files, string, string, string | null]>([
    ['of Python', helpers, 'app.py', wrong, 'src.utils.helpers'],
    ['of Python, in a folder beside it', helpers, 'tests/test_x.py', wrong, 'src.utils.helpers'],
    ['of a package by its module', helpers, 'app.py', 'from utils import helpers\n', 'src.utils'],
    [
      'of a deeper folder',
      { 'a/b/shop/cart.py': '' },
      'run.py',
      'import shop.cart\n',
      'a.b.shop.cart',
    ],
    [
      'of JavaScript',
      { 'src/utils/helpers.js': '', 'package.json': '{"dependencies": {"left-pad": "1"}}' },
      'src/app.js',
      "import { x } from 'utils/helpers'\n",
      './utils/helpers',
    ],
  ])('leads nowhere: %s', async (_, files, path, text, suggestion) => {
    const found = await broken(files, path, text)
    expect(found).toMatchObject([{ path, line: 1, type: 'import', suggestion }])
    const says = path.endsWith('.py') ? /^No module named '/ : /^Cannot find module '/
    expect(found[0]?.message).toMatch(says)
  })

  test.each<[string, Files, string, string]>([
    ['a file of its own folder', { 'src/utils/helpers.py': '' }, 'src/app.py', wrong],
    [
      'a package that is installed',
      helpers,
      'app.py',
      'import yaml\nfrom requests.adapters import x\n',
    ],
    [
      'a root that settings name',
      { ...helpers, 'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["src"]\n' },
      'tests/test_x.py',
      wrong,
    ],
    [
      'a root that a conftest makes one',
      { ...helpers, 'src/conftest.py': '' },
      'tests/test_x.py',
      wrong,
    ],
    [
      'what others import like this',
      { ...helpers, 'tests/test_y.py': wrong },
      'tests/test_x.py',
      wrong,
    ],
    [
      'a dependency of which the project keeps a copy',
      { 'vendor/requests/adapters.py': '', 'requirements.txt': 'requests>=2\n' },
      'app.py',
      'from requests.adapters import x\n',
    ],
    [
      'an alias',
      { 'src/utils/helpers.ts': '', 'tsconfig.json': '{"compilerOptions": {"baseUrl": "src"}}' },
      'src/app.ts',
      "import { x } from 'utils/helpers'\n",
    ],
    [
      'a dependency whose files look like it',
      { 'test/fixtures/lodash/fp.js': '', 'package.json': '{"dependencies": {"lodash": "4"}}' },
      'src/app.js',
      "import x from 'lodash/fp'\n",
    ],
    ['a builtin', { 'test/fs/promises.js': '' }, 'a.js', "import x from 'fs/promises'\n"],
  ])('is left alone: %s', async (_, files, path, text) => {
    expect(await broken(files, path, text)).toEqual([])
  })
})

test.each([
  ['src/add.js', "import { lib } from '../vendor/lib.js'\n"],
  ['src/add.ts', "import lib from '../vendor'\nimport more from '../vendor/deep/more'\n"],
  ['add.py', 'from vendor.lib import x\n'],
])('what lies in a submodule is unknown, and not missing: %s', async (path, text) => {
  expect(await broken({ vendor: '', 'src/one.js': '' }, path, text)).toEqual([])
  expect(await broken({ 'src/one.js': '' }, path, text.replaceAll('vendor', './gone'))).toEqual(
    path.endsWith('.py') ? [] : expect.arrayContaining([expect.objectContaining({ path })]),
  )
})
