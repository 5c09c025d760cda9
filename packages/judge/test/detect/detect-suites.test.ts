import { describe, expect, it } from 'vitest'
import { detectSuites } from '../../detect/detect-suites.ts'
import { readRepository } from '../../prepare/plan-dependencies.ts'
import { noTask, plainVerify, repositoryOf } from '../temporary-project.ts'

const script = (test: string, more: object = {}) =>
  JSON.stringify({ scripts: { test, ...more }, devDependencies: {} })
const nodeTest = "import { test } from 'node:test'\ntest('x', () => {})\n"
const vitestTest = "import { test } from 'vitest'\n"
const unittestTest = 'import unittest\nclass T(unittest.TestCase):\n    def test_x(self): pass\n'
const pytestTest = 'def test_x():\n    assert True\n'

type Row = readonly [
  name: string,
  texts: Readonly<Record<string, string>>,
  expected: readonly string[],
]

/** Each suite as `runner @ directory: what a person would type`. */
const rows: readonly Row[] = [
  ['nothing at all', { 'README.md': '' }, []],
  ['sources without tests', { 'src/a.js': '', 'src/b.py': '', 'package.json': '{}' }, []],
  [
    'the script that npm itself writes',
    { 'package.json': script('echo "Error: no test specified" && exit 1') },
    [],
  ],
  ['a package.json that is no JSON', { 'package.json': '{"scripts": {"test": ' }, []],
  ['scripts of a strange kind', { 'package.json': '{"scripts": {"test": 3}}' }, []],
  ['a script: node', { 'package.json': script('node --test') }, ['node-test @ .: npm test']],
  ['a script: vitest', { 'package.json': script('vitest') }, ['vitest @ .: npm test']],
  ['a script: jest', { 'package.json': script('A=1 npx jest --ci') }, ['jest @ .: npm test']],
  [
    'a script that compiles first',
    { 'package.json': script('tsc --noEmit && vitest run') },
    ['vitest @ .: npm test'],
  ],
  [
    'a script that calls another',
    { 'package.json': script('npm run lint && npm run unit', { lint: 'eslint .', unit: 'jest' }) },
    ['jest @ .: npm test'],
  ],
  [
    'a script that calls itself',
    { 'package.json': script('npm run test') },
    ['npm-script @ .: npm test'],
  ],
  [
    'a script with something before it',
    { 'package.json': script('vitest', { pretest: 'make' }) },
    ['npm-script @ .: npm test'],
  ],
  [
    'a script that waits for changes',
    { 'package.json': script('node --test --watch') },
    ['node-test @ .: npm test'],
  ],
  [
    'a script that calls one that waits for changes',
    { 'package.json': script('npm run unit', { unit: 'vitest --watch' }) },
    ['vitest @ .: npm test'],
  ],
  ['an unknown script', { 'package.json': script('node test.js') }, ['npm-script @ .: npm test']],
  ['a script: mocha', { 'package.json': script('mocha') }, ['mocha @ .: npm test']],
  ['a script: ava', { 'package.json': script('npx ava') }, ['tap @ .: npm test']],
  ['a script with pipes', { 'package.json': script('jest | tee x') }, ['npm-script @ .: npm test']],
  [
    'two runners in one script',
    { 'package.json': script('jest && vitest run') },
    ['npm-script @ .: npm test'],
  ],
  ['node:test without a package.json', { 'a.test.mjs': nodeTest }, ['node-test @ .: node --test']],
  [
    'node:test, and another runner among the packages',
    { 'package.json': '{"devDependencies":{"mocha":"1"}}', 'a.test.mjs': nodeTest },
    ['node-test @ .: node --test'],
  ],
  ['node:test in a folder', { 'test/deep/a.js': nodeTest }, ['node-test @ .: node --test']],
  ['files beside tests', { 'test/server.js': 'export const x = 1' }, []],
  [
    'vitest as a dependency',
    { 'package.json': '{"devDependencies":{"vitest":"5"}}', 'a.test.ts': vitestTest },
    ['vitest @ .: npx vitest run'],
  ],
  [
    'jest by its configuration',
    { 'package.json': '{"jest": {}}', 'a.spec.js': 'it()' },
    ['jest @ .: npx jest'],
  ],
  ['vitest imported only', { 'a.test.ts': vitestTest }, ['vitest @ .: npx vitest run']],
  ['vitest without a test file', { 'package.json': '{"devDependencies":{"vitest":"5"}}' }, []],
  [
    'packages without a root script',
    {
      'package.json': '{}',
      'packages/a/package.json': script('node --test'),
      'packages/b/package.json': script('vitest'),
    },
    [
      'node-test @ packages/a: cd packages/a && npm test',
      'vitest @ packages/b: cd packages/b && npm test',
    ],
  ],
  [
    'packages below a root script',
    { 'package.json': script('node --test'), 'packages/a/package.json': script('vitest') },
    ['node-test @ .: npm test'],
  ],
  ['installed packages', { 'node_modules/a/package.json': script('jest') }, []],
  [
    'unittest in a package',
    { 'tests/__init__.py': '', 'tests/test_a.py': unittestTest },
    ['unittest @ .: python3 -m unittest discover -s tests -t .'],
  ],
  [
    'unittest in a plain folder',
    { 'tests/test_a.py': unittestTest },
    ['unittest @ .: python3 -m unittest discover -s tests'],
  ],
  [
    'unittest beside the sources',
    { 'test_a.py': unittestTest, 'a.py': '' },
    ['unittest @ .: python3 -m unittest discover'],
  ],
  [
    'unittest in a deep package',
    { 'app/__init__.py': '', 'app/tests/__init__.py': '', 'app/tests/test_a.py': unittestTest },
    ['unittest @ .: python3 -m unittest discover -s app -t .'],
  ],
  [
    'unittest by another name',
    { 'tests/user_test.py': unittestTest },
    ['unittest @ .: python3 -m unittest discover -s tests -p *_test.py'],
  ],
  ['pytest by its functions', { 'tests/test_a.py': pytestTest }, ['pytest @ .: pytest']],
  [
    'pytest by its configuration',
    { 'pyproject.toml': '[tool.pytest.ini_options]', 'tests/test_a.py': unittestTest },
    ['pytest @ .: pytest'],
  ],
  [
    'pytest, by a file that it does not find itself',
    { 'tox.ini': '[testenv]\ndeps = pytest\n', 'tests.py': unittestTest },
    ['pytest @ .: pytest tests.py'],
  ],
  [
    'pytest, by a file that its settings name',
    { 'pytest.ini': '[pytest]\npython_files = tests.py\n', 'tests.py': unittestTest },
    ['pytest @ .: pytest'],
  ],
  [
    'pytest, which finds another file',
    { 'pytest.ini': '', 'app/tests.py': unittestTest, 'test_a.py': pytestTest },
    ['pytest @ .: pytest'],
  ],
  [
    'a Python project inside',
    { 'backend/pyproject.toml': '', 'backend/tests/test_a.py': pytestTest },
    ['pytest @ backend: cd backend && pytest'],
  ],
  [
    'several languages',
    {
      'package.json': script('node --test'),
      'test_a.py': unittestTest,
      'go.mod': '',
      'a_test.go': '',
    },
    [
      'node-test @ .: npm test',
      'unittest @ .: python3 -m unittest discover',
      'go @ .: go test ./...',
    ],
  ],
  ['Go without tests', { 'go.mod': '', 'a.go': '' }, []],
]

describe('detectSuites', () => {
  it.each(rows)('finds in %s', (_name, texts, expected) => {
    const suites = detectSuites(repositoryOf(texts), plainVerify, noTask)
    expect(
      suites.map(({ runner, directory, display }) => `${runner} @ ${directory}: ${display}`),
    ).toEqual(expected)
  })

  it('finds the same when only the files that it asks for are read', async () => {
    for (const [, texts, expected] of rows) {
      const repository = await readRepository(
        Object.keys(texts),
        async (paths) => new Map(paths.map((path) => [path, texts[path] ?? ''])),
      )
      expect(detectSuites(repository, plainVerify, noTask)).toHaveLength(expected.length)
    }
  })

  it('finds pytest, with unittest to fall back on where no test needs pytest', () => {
    const find = (text: string) =>
      detectSuites(
        repositoryOf({ 'pytest.ini': '', 'tests/test_a.py': text }),
        plainVerify,
        noTask,
      )[0]
    expect(find(unittestTest)?.otherwise?.runner).toBe('unittest')
    expect(find(pytestTest)?.otherwise).toBeNull()
  })

  it('runs pytest as a person would where our words do not go with its settings', () => {
    const files = repositoryOf({ 'pytest.ini': '', 'tests/test_a.py': pytestTest })
    const [suite] = detectSuites(files, plainVerify, noTask)
    expect(suite?.plain?.command).toEqual({ argv: ['python3', '-m', 'pytest'] })
  })

  it.each([
    ['npx turbo run test', ['npm', 'test', '--silent', '--', '--continue']],
    ['turbo test --continue', ['npm', 'test', '--silent']],
    ['turbo build && turbo test', ['npm', 'test', '--silent']],
  ])('keeps turbo from stopping at the first red package: %s', (line, argv) => {
    const [suite] = detectSuites(
      repositoryOf({ 'package.json': script(line) }),
      plainVerify,
      noTask,
    )
    expect(suite?.command).toEqual({ argv })
  })

  it('looks into src/ when tests import from inside it, and only then', () => {
    const find = (text: string) =>
      detectSuites(
        repositoryOf({ 'src/shop/__init__.py': '', 'tests/test_a.py': text + unittestTest }),
        plainVerify,
        noTask,
      )[0]?.env
    expect(find('from shop.cart import Cart\n')).toEqual({ PYTHONPATH: 'src' })
    expect(find('from src.shop.cart import Cart\n')).toEqual({})
  })

  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['named as the project', { 'pyproject.toml': '[project]\nname = "shop"\n' }, true],
    ['named as the project, with a dash', { 'pyproject.toml': 'name = "The-Shop"\n' }, true],
    ['of another name', { 'pyproject.toml': '[project]\nname = "market"\n' }, false],
    ['of setuptools', { 'setup.cfg': '[options]\npackage_dir =\n    = src\n' }, true],
    ['of setup.py', { 'setup.py': 'setup(package_dir={"": "src"})\n' }, true],
    ['that setup.py looks for', { 'setup.py': 'setup(packages=find_packages("src"))\n' }, true],
    [
      'that setuptools looks for',
      { 'pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["src"]\n' },
      true,
    ],
    ['of Poetry', { 'pyproject.toml': 'packages = [{ include = "x", from = "src" }]\n' }, true],
    ['of Hatch', { 'pyproject.toml': 'packages = ["src/x"]\n' }, true],
    ['of PDM', { 'pyproject.toml': 'package-dir = "src"\n' }, true],
  ])('looks into src/ for a package %s', (_, manifests, isFound) => {
    const [suite] = detectSuites(
      repositoryOf({
        ...{ 'src/shop/__init__.py': '', 'src/the_shop/a.py': '', ...manifests },
        'tests/test_a.py': `from . import shop\n${unittestTest}`,
      }),
      plainVerify,
      noTask,
    )
    expect(suite?.env).toEqual(isFound ? { PYTHONPATH: 'src' } : {})
  })

  it('asks node for its files by name, and leaves a long list to node', () => {
    const files = Object.fromEntries(
      Array.from({ length: 201 }, (_, index) => [`test/a${index}.test.ts`, nodeTest]),
    )
    const [many] = detectSuites(repositoryOf(files), plainVerify, noTask)
    const [one] = detectSuites(repositoryOf({ '-x.test.ts': nodeTest }), plainVerify, noTask)
    expect(many?.command).toMatchObject({ argv: expect.not.arrayContaining(['./test/a1.test.ts']) })
    expect(one?.command).toMatchObject({
      argv: expect.arrayContaining(['--experimental-strip-types', './-x.test.ts']),
    })
  })
})

describe('commands of people', () => {
  const repository = repositoryOf({
    'package.json': script('node --test'),
    'test_a.py': unittestTest,
  })
  const show = (suites: ReturnType<typeof detectSuites>) =>
    suites.map(({ role, runner, display }) => `${role} ${runner}: ${display}`)

  it('replace what would be detected: the task before the configuration', () => {
    const verify = { ...plainVerify, testCommand: 'pytest -x' }
    expect(show(detectSuites(repository, verify, noTask))).toEqual(['tests pytest: pytest -x'])
    const task = { verify: './check.sh', accept: [] }
    expect(show(detectSuites(repository, verify, task))).toEqual(['tests command: ./check.sh'])
  })

  it('run as tests, lint, accept, each once', () => {
    const verify = { ...plainVerify, lintCommand: 'npx eslint .' }
    const task = {
      verify: null,
      accept: ['node --test a.test.js', 'npm test', 'curl x', 'npm test'],
    }
    expect(show(detectSuites(repository, verify, task))).toEqual([
      'tests unittest: python3 -m unittest discover',
      'lint lint: npx eslint .',
      'accept node-test: node --test a.test.js',
      'accept node-test: npm test',
      'accept accept: curl x',
    ])
  })

  it.each([
    ['node --test test/', /^[^;]*; node --test --test-reporter=\S+ .* test\/$/],
    ['vitest', /; vitest --run --reporter=default --reporter=json /],
    ['vitest run', /; vitest run --reporter=default/],
    ['python3 -m pytest', /; python3 -m pytest -p no:cacheprovider .*--junitxml=/],
    ['node --test --test-reporter=dot', /; node --test --test-reporter=spec .*=tap .*\d\.report$/],
    [
      'node --test --test-reporter=spec --test-reporter-destination=x',
      /; node --test --test-reporter=spec --test-reporter-destination=x$/,
    ],
    ['node --test --test-reporter ./own.js', /; node --test --test-reporter \.\/own\.js$/],
    ['mocha --reporter spec test', /; mocha test --reporter json -O output=/],
    ['mocha -R dot --bail', /; mocha --bail --reporter json -O output=/],
    ['mocha -R mochawesome -O quiet=true', /; mocha -R mochawesome -O quiet=true$/],
    ['ava --tap', /; \(\{ ava --tap; \}/],
    ['go test -json ./...', /go test -json \.\/\.\.\. 2>&1/],
    ['rspec -fd spec', /; rspec spec --no-color --format progress --format json --out /],
    ['rspec --format html --out x', /; rspec --format html --out x$/],
    ['bun test --dots', /; bun test --reporter=junit /],
    ['vitest --watch', /; vitest --watch$/],
    ['jest; rm -rf x', /; jest; rm -rf x$/],
    ['jest -- x', /; jest -- x$/],
    ['cargo test -- --ignored', /; cargo test --no-fail-fast -- --ignored$/],
    ['jest `x`', /; jest `x`$/],
  ])('are asked for a report where that is safe: %s', (line, expected) => {
    const [suite] = detectSuites(repositoryOf({}), { ...plainVerify, testCommand: line }, noTask)
    expect(suite?.command).toMatchObject({ shell: expect.stringMatching(expected) })
  })
})
