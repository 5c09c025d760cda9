import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeTargets } from '../../detect/detect-languages.ts'
import { detectSuites } from '../../detect/detect-suites.ts'
import { readRepository } from '../../prepare/plan-dependencies.ts'
import { noTask, plainVerify, repositoryOf } from '../temporary-project.ts'

const script = (test: string, more: object = {}) => JSON.stringify({ scripts: { test }, ...more })
const testProject = '<PackageReference Include="Microsoft.NET.Test.Sdk" />'

type Row = readonly [
  name: string,
  texts: Readonly<Record<string, string>>,
  expected: readonly string[],
]

/** Each suite as `runner @ directory: what a person would type`. */
const rows: readonly Row[] = [
  ['Go', { 'go.mod': '', 'a_test.go': '' }, ['go @ .: go test ./...']],
  [
    'modules of Go that a go.work joins',
    {
      'go.work': '',
      'api/go.mod': '',
      'api/a_test.go': '',
      'lib/go.mod': '',
      'lib/deep/b_test.go': '',
      'tools/go.mod': '',
    },
    ['go @ api: cd api && go test ./...', 'go @ lib: cd lib && go test ./...'],
  ],
  [
    'modules of Go inside one another',
    { 'go.mod': '', 'sub/go.mod': '', 'sub/a_test.go': '' },
    ['go @ sub: cd sub && go test ./...'],
  ],
  ['installed Go', { 'go.mod': '', 'vendor/x/a_test.go': '' }, []],
  ['a crate', { 'Cargo.toml': '[package]', 'src/lib.rs': '' }, ['cargo @ .: cargo test']],
  [
    'a workspace of crates',
    {
      'Cargo.toml': '[workspace]\nmembers = ["a"]\nexclude = ["fuzz"]',
      'a/Cargo.toml': '[package]',
      'a/src/lib.rs': '',
      'fuzz/Cargo.toml': '[package]',
      'fuzz/src/main.rs': '',
    },
    ['cargo @ .: cargo test', 'cargo @ fuzz: cd fuzz && cargo test'],
  ],
  [
    'a workspace around a crate',
    { 'Cargo.toml': '[package]\n[workspace]', 'src/lib.rs': '' },
    ['cargo @ .: cargo test --workspace'],
  ],
  ['a broken manifest', { 'Cargo.toml': '[[', 'src/lib.rs': '' }, ['cargo @ .: cargo test']],
  [
    'Maven with modules',
    { 'pom.xml': '', 'a/pom.xml': '', 'a/src/test/java/A.java': '' },
    ['junit @ .: mvn test'],
  ],
  [
    'a Maven wrapper',
    { 'pom.xml': '', mvnw: '', 'src/test/java/A.java': '' },
    ['junit @ .: ./mvnw test'],
  ],
  [
    'a Gradle wrapper',
    { 'settings.gradle.kts': '', gradlew: '', 'app/src/test/kotlin/A.kt': '' },
    ['junit @ .: ./gradlew test'],
  ],
  [
    'Gradle beside Maven',
    { 'pom.xml': '', 'build.gradle': '', gradlew: '', 'src/test/java/A.java': '' },
    ['junit @ .: mvn test'],
  ],
  ['Java without tests', { 'pom.xml': '', 'src/main/java/A.java': '' }, []],
  [
    'a solution',
    { 'App.sln': '', 'tests/T.csproj': testProject, 'src/A.csproj': '' },
    ['dotnet @ .: dotnet test'],
  ],
  [
    'test projects without a solution',
    { 'tests/T.fsproj': testProject, 'src/A.csproj': '' },
    ['dotnet @ tests: cd tests && dotnet test'],
  ],
  ['a solution without tests', { 'App.sln': '', 'src/A.csproj': '' }, []],
  [
    'CMake',
    { 'CMakeLists.txt': 'enable_testing()', 'sub/CMakeLists.txt': '' },
    ['junit @ .: ctest'],
  ],
  ['CMake without tests', { 'CMakeLists.txt': '# enable_testing()' }, []],
  ['RSpec', { 'spec/a_spec.rb': '' }, ['rspec @ .: rspec']],
  ['RSpec with Bundler', { Gemfile: '', 'spec/a_spec.rb': '' }, ['rspec @ .: bundle exec rspec']],
  [
    'minitest',
    { 'test/a_test.rb': '', 'test/test_helper.rb': '' },
    ['minitest @ .: ruby -Ilib -Itest test/a_test.rb'],
  ],
  [
    'minitest by a Rakefile',
    { Rakefile: 'Rake::TestTask.new { |t| }', 'test/test_a.rb': '' },
    ['minitest @ .: rake test'],
  ],
  [
    'Rails',
    { Gemfile: '', 'bin/rails': '', 'test/models/a_test.rb': '' },
    ['minitest @ .: bin/rails test'],
  ],
  ['Ruby without tests', { Gemfile: '', 'test/test_helper.rb': '' }, []],
  ['PHPUnit', { 'tests/ATest.php': '' }, ['junit @ .: phpunit tests']],
  [
    'PHPUnit with Composer',
    {
      'composer.json': '{"require-dev":{"phpunit/phpunit":"^10"}}',
      'phpunit.xml.dist': '',
      'tests/Unit/ATest.php': '',
    },
    ['junit @ .: vendor/bin/phpunit'],
  ],
  ['a Makefile', { Makefile: 'all:\n\ntest: all\n\tsh t.sh\n' }, ['command @ .: make test']],
  ['a Makefile that checks', { Makefile: 'check:\n\tsh t.sh\n' }, ['command @ .: make check']],
  ['a Makefile without tests', { Makefile: 'all:\n' }, []],
  [
    'a Makefile beside a runner',
    { Makefile: 'test:\n\tx', 'go.mod': '', 'a_test.go': '' },
    ['go @ .: go test ./...'],
  ],
  ['pnpm', { 'package.json': script('vitest'), 'pnpm-lock.yaml': '' }, ['vitest @ .: pnpm test']],
  [
    'yarn by its field',
    { 'package.json': script('jest', { packageManager: 'yarn@4.1.0' }), 'package-lock.json': '' },
    ['jest @ .: yarn test'],
  ],
  ['Bun', { 'package.json': script('bun test'), 'bun.lock': '' }, ['junit @ .: bun run test']],
  [
    'Bun without a script',
    { 'a.test.ts': "import { test } from 'bun:test'\n" },
    ['junit @ .: bun test'],
  ],
  [
    'mocha without a script',
    { 'package.json': '{"devDependencies":{"mocha":"11"}}', 'test/a.spec.js': 'it()' },
    ['mocha @ .: npx mocha'],
  ],
  ...['pnpm -r test', 'pnpm -r --if-present run test', 'lerna run test --stream'].map(
    (line): Row => [
      `a root script that would stop at the first red package: ${line}`,
      {
        'package.json': script(line),
        'packages/a/package.json': script('vitest'),
        'packages/b/package.json': script('jest'),
      },
      [
        'vitest @ packages/a: cd packages/a && npm test',
        'jest @ packages/b: cd packages/b && npm test',
      ],
    ],
  ),
  ...[
    'npx turbo test',
    'pnpm -r --filter a test',
    'nx run-many -t test',
    'npm test --workspaces',
  ].map(
    (line): Row => [
      `a root script that runs all packages: ${line}`,
      { 'package.json': script(line), 'packages/a/package.json': script('vitest') },
      ['npm-script @ .: npm test'],
    ],
  ),
  [
    'a root script for its own folder',
    {
      'package.json': script('node --test test/'),
      'test/a.test.js': '',
      'packages/a/package.json': script('vitest'),
    },
    ['node-test @ .: npm test', 'vitest @ packages/a: cd packages/a && npm test'],
  ],
  [
    'a root script that names the packages',
    {
      'package.json': script('node --test "packages/*/test/*.js"'),
      'packages/a/package.json': script('vitest'),
    },
    ['node-test @ .: npm test'],
  ],
  [
    'several Python projects',
    {
      'api/pyproject.toml': '',
      'api/tests/test_a.py': 'def test_x(): pass\n',
      'lib/pyproject.toml': '',
      'lib/tests/test_b.py': 'def test_x(): pass\n',
    },
    ['pytest @ api: cd api && pytest', 'pytest @ lib: cd lib && pytest'],
  ],
  [
    'Django',
    { 'manage.py': '', 'shop/tests.py': 'from django.test import TestCase\n' },
    ['unittest @ .: python3 manage.py test'],
  ],
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

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['crates', { 'Cargo.toml': '[workspace]', 'a/src/lib.rs': '' }, / --no-fail-fast /],
    ['modules of Maven', { 'pom.xml': '', 'src/test/java/A.java': '' }, / --fail-at-end /],
    ['projects of Gradle', { 'build.gradle': '', 'src/test/java/A.java': '' }, / --continue /],
    ['targets of make', { Makefile: 'test: a b\n' }, /--keep-going/],
  ])('continues after a red one: %s', (_, texts, flag) => {
    const [suite] = detectSuites(repositoryOf(texts), plainVerify, noTask)
    expect(JSON.stringify(suite?.command)).toMatch(flag)
  })

  it('runs the programs of crates one by one where they do not all compile', () => {
    const [suite] = detectSuites(
      repositoryOf({
        'Cargo.toml': '[workspace]\n[package]\nname = "top"\n',
        'src/main.rs': '',
        'src/bin/b.rs': '',
        'tests/c.rs': '',
        'tests/d/main.rs': '',
        'tests/d/e.rs': '',
        "x'; rm/Cargo.toml": '[package]\nname = "$(x)"\n',
        "x'; rm/src/lib.rs": '',
        'a/Cargo.toml': '[package]\nname = "a-1"\n',
        'a/src/lib.rs': '',
      }),
      plainVerify,
      noTask,
    )
    const shell = suite && 'shell' in suite.command ? suite.command.shell : ''
    expect(/^for part in (.*?); do/m.exec(shell)?.[1]).toBe(
      "'-p top --bins' '-p top --test c' '-p top --test d' '-p a-1 --lib' '-p a-1 --doc'",
    )
    expect(shell).toMatch(/^cargo test --workspace --no-run /)
    expect(shell).toMatch(/\ncargo test --workspace --no-fail-fast [^\n]*$/)
  })

  it('knows the sources that messages name without their folder', () => {
    const texts = { 'go.mod': '', 'a/a_test.go': '', 'README.md': '' }
    const [suite] = detectSuites(repositoryOf(texts), plainVerify, noTask)
    expect(suite?.sources).toEqual(['a/a_test.go'])
  })
})

describe('lines of people', () => {
  it.each([
    ['go test ./pkg', 'go', /{ go test -json \.\/pkg 2>&1; \} >/],
    ['go test -bench . ./...', 'command', /; go test -bench/],
    ['bundle exec rspec spec/a_spec.rb', 'rspec', /rspec spec\/a_spec\.rb --no-color --format/],
    [
      'vendor/bin/phpunit --testsuite unit',
      'junit',
      /--testsuite unit --colors=never --log-junit /,
    ],
    ['php vendor/bin/phpunit', 'junit', /--log-junit /],
    ['mocha -R dot', 'mocha', /; mocha --reporter json -O output=/],
    ['uv run pytest -x', 'pytest', /pytest -x -p no:cacheprovider/],
    ['mvn -q test', 'junit', /; mvn --fail-at-end -q test; code=/],
    ['mvn -ff test', 'junit', /; mvn -ff test; code=/],
    ['./gradlew test', 'junit', /; \.\/gradlew --continue test; code=/],
    ['bun test', 'junit', /; bun test --reporter=junit /],
    ['cargo test --lib', 'cargo', /; cargo test --no-fail-fast --lib$/],
    ['cargo test --no-fail-fast', 'cargo', /; cargo test --no-fail-fast$/],
  ])('%s', (line, runner, shell) => {
    const [suite] = detectSuites(repositoryOf({}), { ...plainVerify, testCommand: line }, noTask)
    expect(suite?.runner).toBe(runner)
    expect(suite?.command).toMatchObject({ shell: expect.stringMatching(shell) })
  })
})

describe('makeTargets', () => {
  it.each([
    ['test:\n\techo', ['test']],
    ['test: ; echo', ['test']],
    ['test check: all', ['test', 'check']],
    ['test::\n\techo', ['test']],
    ['test \\\n check: all', ['test', 'check']],
    ['test:\r\n\techo\r\n', ['test']],
    ['test:\n# why\n\n\techo', ['test']],
    ['test:', []],
    ['.PHONY: test', []],
    ['test := 1\ntest ::= 1\ntest = a:b\ntest ?= a: b', []],
    ['test: CFLAGS = -g', []],
    ['test: export A := 1', []],
    ['all:\n\ttest: x', ['all']],
    ['define x\ntest: y\nendef', []],
    ['# test: x', []],
    ['', []],
  ])('%j', (text, targets) => {
    expect([...makeTargets(text)]).toEqual(targets)
  })

  it('reads any text', () => {
    const parts = fc.constantFrom(
      'test',
      ':',
      '=',
      '\n',
      '\t',
      ' ',
      '\\',
      '#',
      ';',
      '::',
      'define',
      '\0',
    )
    fc.assert(
      fc.property(fc.array(parts), (words) => {
        for (const name of makeTargets(words.join(''))) expect(name).toMatch(/^[^.\s]/)
      }),
    )
    expect(makeTargets(`${'a'.repeat(1_000_000)}:${' \t'.repeat(500_000)}`).size).toBe(0)
    expect(makeTargets(`${'a: b \\\n'.repeat(200_000)}`).size).toBeGreaterThanOrEqual(0)
  })
})
