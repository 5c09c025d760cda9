import { expect, test } from 'vitest'
import { detectSuites, onFiles } from '../../detect/detect-suites.ts'
import { noTask, plainVerify, repositoryOf } from '../temporary-project.ts'

const script = (line: string) => JSON.stringify({ scripts: { test: line } })
const node = "require('node:test')('x', () => {})\n"
const unittest = 'import unittest\nclass T(unittest.TestCase):\n    def test_x(self): pass\n'

/** The commands without their common beginning and end. */
function commandsOn(texts: Readonly<Record<string, string>>, files: readonly string[]) {
  const there = new Set(['test', ...Object.keys(texts)])
  const repository = repositoryOf(texts)
  return detectSuites(repository, plainVerify, noTask)
    .flatMap((suite) => onFiles(repository, suite, files, (path) => there.has(path)))
    .map(({ command }) =>
      'shell' in command
        ? command.shell
            .replace(/^export PATH="[^"]*"; /, '')
            .replace(/ --[\w.-]+=?\S*executor.*| --reporter.*/, '')
        : command.argv.filter((word) => !/executor|^--test-|^import /.test(word)).join(' '),
    )
}

test.each<[line: string, shown: readonly string[]]>([
  ['vitest', ['vitest ./a.test.js --run']],
  ['tsc --noEmit && A=1 npx vitest run test', ['A=1 npx vitest run ./a.test.js']],
  ['jest --config jest.json --ci test', ['jest --config jest.json --ci ./a.test.js --json']],
  ["mocha -r test/setup.js 'test/**/*.js' --bail", ['mocha -r test/setup.js --bail ./a.test.js']],
  ['mocha --recursive test', ['mocha --recursive ./a.test.js']],
  ['cargo test', []],
  ['node test.js', []],
  ['mocha --reporter dot test', ['mocha ./a.test.js']],
  ['mocha -R dot -O a=b', []],
])('the line %j', (line, shown) => {
  const texts = { 'package.json': script(line), 'test/setup.js': '', 'jest.json': '{}' }
  expect(commandsOn(texts, ['a.test.js'])).toEqual(shown)
})

test.each<
  [
    name: string,
    texts: Readonly<Record<string, string>>,
    files: readonly string[],
    shown: readonly string[],
  ]
>([
  ['node:test', { 'b.test.js': node }, ['a.test.js'], ['node --test ./a.test.js']],
  [
    'pytest',
    { 'test_b.py': 'def test_x(): pass\n' },
    ['a/test_a.py'],
    [expect.stringMatching(/pytest .* \.\/a\/test_a\.py$/)],
  ],
  [
    'unittest, a file each',
    { 'tests/__init__.py': '', 'tests/test_b.py': unittest },
    ['tests/test_a.py', 'tests/test_c.py', 'other/test_d.py'],
    ['test_a.py', 'test_c.py'].map((name) =>
      expect.stringContaining(`discover -s tests -t . -p ${name}`),
    ),
  ],
  [
    'the test programs of a cargo package',
    { 'Cargo.toml': '[package]\nname = "a"\n', 'src/lib.rs': '', 'tests/b.rs': '' },
    ['src/sum.rs', 'tests/b.rs', 'tests/common/mod.rs', 'benches/c.rs'],
    [expect.stringMatching(/^cargo test .*--manifest-path Cargo\.toml --lib --bins --test b$/)],
  ],
  [
    'the classes of Maven',
    { 'pom.xml': '<project/>', 'a/src/test/java/b/CTest.java': '' },
    ['a/src/test/java/b/CTest.java', 'a/src/test/resources/d.txt'],
    [expect.stringMatching(/ -Dtest=CTest .*IfNoSpecifiedTests=false test; code=/)],
  ],
  [
    'the packages of a cargo workspace, one each',
    {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\n[package]\nname = "root"\n',
      ...{ 'a/Cargo.toml': '[package]\nname = "a"\n', 'a/src/main.rs': '' },
      ...{ 'b/Cargo.toml': '[package]\nname = "b"\n', 'b/src/lib.rs': '' },
    },
    ['a/src/main.rs', 'b/tests/c/main.rs', 'notes/d.rs'],
    [
      expect.stringMatching(/^cargo test --no-fail-fast .*--manifest-path a\/Cargo\.toml --bins$/),
      expect.stringMatching(
        /^cargo test --no-fail-fast .*--manifest-path b\/Cargo\.toml --test c$/,
      ),
    ],
  ],
  ['a name that a shell would read', { 'package.json': script('vitest') }, ["a';b.test.js"], []],
])('%s', (_, texts, files, shown) => {
  expect(commandsOn(texts, files)).toEqual(shown)
})
