import { describe, expect, it } from 'vitest'
import { findWeakenedTests } from '../../tampering/weakened-tests.ts'
import { created, deleted, modified } from './cases.ts'

const scripts = (test: string, more = {}) =>
  JSON.stringify({ name: 'a', scripts: { test, ...more } }, null, 2)
const jest =
  'export default {\n  testMatch: ["**/*.test.ts", "**/*.spec.ts"],\n  coverageThreshold: { global: { branches: 80, lines: 90 } },\n}\n'

/** Path, text before, text after, words that the message must contain. */
const looser: readonly (readonly [string, string, string, RegExp])[] = [
  ['package.json', scripts('jest'), scripts('jest --updateSnapshot'), /snapshots are rewritten/],
  ['package.json', scripts('jest'), scripts('jest -u'), /snapshots are rewritten/],
  [
    'package.json',
    scripts('vitest run'),
    scripts('vitest run --passWithNoTests'),
    /a run without tests counts/,
  ],
  ['package.json', scripts('jest'), scripts('jest || true'), /failing test command/],
  ['package.json', scripts('jest'), scripts('jest; exit 0'), /failing test command/],
  ['package.json', scripts('jest'), scripts('jest || echo failed'), /failing test command/],
  ['package.json', scripts('jest'), scripts('echo ok'), /no longer runs anything/],
  ['package.json', scripts('jest'), scripts('exit 0'), /no longer runs anything/],
  ['package.json', scripts('jest'), '{"name": "a"}', /test script was removed/],
  ['package.json', scripts('jest'), scripts('jest --testPathIgnorePatterns old'), /excluded/],
  ['jest.config.js', jest, jest.replace('80', '60'), /branches was lowered from 80 to 60/],
  ['jest.config.js', jest, jest.replace('branches: 80, ', ''), /branches \(80\) was removed/],
  [
    'jest.config.js',
    jest,
    jest.replace(', "**/*.spec.ts"', ''),
    /no longer includes \*\*\/\*\.spec\.ts/,
  ],
  [
    'jest.config.js',
    jest,
    jest.replace('{\n', '{\n  testPathIgnorePatterns: ["sum"],\n'),
    /excluded/,
  ],
  [
    'vitest.config.ts',
    'export default { test: {} }\n',
    'export default { test: {\n  exclude: ["test/sum.test.ts"],\n} }\n',
    /excluded/,
  ],
  [
    'vitest.config.ts',
    'export default { test: {} }\n',
    'export default { test: { passWithNoTests: true } }\n',
    /a run without tests counts/,
  ],
  [
    'pytest.ini',
    '[pytest]\n',
    '[pytest]\naddopts = --deselect tests/test_a.py::test_b\n',
    /excluded/,
  ],
  [
    'pytest.ini',
    '[pytest]\ntestpaths = tests integration\n',
    '[pytest]\ntestpaths = tests\n',
    /no longer includes integration/,
  ],
  [
    'pyproject.toml',
    '[tool.coverage.report]\nfail_under = 90\n',
    '[tool.coverage.report]\nfail_under = 50\n',
    /lowered from 90 to 50/,
  ],
  ['setup.cfg', '[tool:pytest]\n', '[tool:pytest]\naddopts = -k "not slow_sum"\n', /excluded/],
  ['conftest.py', '', 'collect_ignore = ["test_a.py"]\n', /excluded/],
  ['Makefile', 'test:\n\tpytest\n', 'test:\n\tpytest || true\n', /failing test command/],
  ['Makefile', 'test:\n\tpytest\n', 'test:\n\t-pytest\n', /failing test command/],
  [
    'pom.xml',
    '<configuration>\n</configuration>\n',
    '<configuration>\n<testFailureIgnore>true</testFailureIgnore>\n</configuration>\n',
    /ignored/,
  ],
  ['scripts/test.sh', 'npx jest\n', 'npx jest || true\n', /failing test command/],
]

const honest: readonly (readonly [string, string, string])[] = [
  ['package.json', scripts('jest'), scripts('vitest run')],
  ['package.json', scripts('jest'), scripts('jest --coverage', { lint: 'eslint .' })],
  ['package.json', scripts('echo "Error: no test specified" && exit 1'), scripts('node --test')],
  ['package.json', scripts('jest || true'), scripts('jest')],
  ['package.json', scripts('jest'), scripts('jest', { build: 'rm -r dist || true' })],
  ['jest.config.js', jest, jest.replace('80', '85')],
  ['jest.config.js', 'testMatch: ["a/**"]\n', 'testMatch: ["b/**"]\n'],
  ['jest.config.js', jest, jest.replace('"**/*.spec.ts"]', '"**/*.spec.ts", "**/*.e2e.ts"]')],
  [
    'vite.config.ts',
    'export default {}\n',
    'export default {\n  optimizeDeps: {\n    exclude: ["big"],\n  },\n}\n',
  ],
  ['pyproject.toml', '[project]\nversion = "1"\n', '[project]\nversion = "2"\n'],
  ['Makefile', 'test:\n\tpytest\n', 'test:\n\tpytest -q\n\nclean:\n\trm -rf build || true\n'],
]

describe('of the settings of the tests', () => {
  it.each(looser)('finds in %s: %s → %s', async (path, before, after, said) => {
    const found = await findWeakenedTests(modified(path, before, after))
    expect(found).toMatchObject([{ kind: 'settings', path, what: expect.stringMatching(said) }])
  })

  it.each(honest)('is quiet about %s: %s → %s', async (path, before, after) => {
    expect(await findWeakenedTests(modified(path, before, after))).toEqual([])
  })
})

const snapshot = 'exports[`a 1`] = `"x"`;\n\nexports[`b 1`] = `"y"`;\n'
const file = 'test/__snapshots__/a.test.ts.snap'

describe('of snapshots', () => {
  it.each([
    [
      'rewritten',
      modified(file, snapshot, snapshot.replace('"x"', '"z"')),
      ['the snapshot "a 1" was rewritten'],
    ],
    [
      'gone',
      modified(file, snapshot, 'exports[`a 1`] = `"x"`;\n'),
      ['the snapshot "b 1" was deleted'],
    ],
    ['added', modified(file, snapshot, `${snapshot}\nexports[\`c 1\`] = \`1\`;\n`), []],
    ['new', created(file, snapshot), []],
    ['deleted as a file', deleted(file, snapshot), ['the snapshot file was deleted']],
    [
      'other text rewritten',
      modified('a.approved.txt', 'a\nb\n', 'a\nc\n'),
      ['the snapshot was rewritten'],
    ],
    ['other text added to', modified('a.approved.txt', 'a\nb\n', 'a\nb\nc\n'), []],
  ])('tells one %s', async (_, changes, said) => {
    expect((await findWeakenedTests(changes)).map(({ what }) => what)).toEqual(said)
  })
})
