import {
  hasProjectDependencies,
  pipInstall,
  pipInstallList,
  readProject,
  readSetup,
  readTox,
} from './python-packages.ts'

export type ModuleLanguage =
  | 'javascript'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'ruby'
  | 'php'
  | 'csharp'
  | 'c'

/** How a package manager rewrites its lock file with minimal changes, without running scripts. */
export interface LockRenewal {
  /** A fixed shell line, run beside the manifest in a copy of what it reads. */
  readonly line: string
  /** A file that it also writes. */
  readonly also?: string
  /** Matches manifests by name, in the lock's folder and below. */
  readonly manifests: RegExp
  /** The manifest keys, joined by `/`, that determine the lock; `null` for the whole manifest. */
  readonly keys: RegExp | null
  /** Also needs the sources: their imports and where the targets are. */
  readonly needsTree?: true
}

/** How one package manager installs for later offline use, without running install scripts. */
export interface DependencyTool {
  readonly name: string
  readonly program: string
  /** How to get the program, when it is not the usual way. */
  readonly gotBy?: string
  /** The package that npm fetches when the program is missing, from package.json and the lock. */
  readonly fetched?: (manifest: string, lock: string) => string
  /** Its lock file, or its manifest where there is no lock; part of the cache key. */
  readonly lock: RegExp
  /** Files beside the lock that it also reads. */
  readonly reads: readonly string[]
  /** Also visible, read-only at `project`: the lock's directory, or (once) the whole project. */
  readonly tree?: 'here' | 'all'
  /** A fixed shell line, run in an empty directory that holds those files or that tree. */
  readonly install: string
  /** Replaces `OPTIONS`, or is appended, unless install scripts are allowed. */
  readonly withoutScripts: string
  /** What it creates, and where in the project the tests need it. */
  readonly made: string
  readonly shownAt: string
  /** `$PLACE` stands for the absolute path of `shownAt`. */
  readonly env: Readonly<Record<string, string>>
  readonly language: ModuleLanguage
  /** Returns true when a lock or manifest requires any package. */
  readonly isNeeded?: (text: string) => boolean
  /** A file beside the lock that makes this tool unnecessary: vendored packages or a lock. */
  readonly unless?: string
  readonly renewal?: LockRenewal
}

/** Matches a line that is neither a comment nor an option. */
const hasRequirement = (text: string): boolean => /^\s*[^\s#-]/m.test(text)

const hasPackages = (text: string): boolean =>
  /"(?:dependencies|devDependencies|optionalDependencies)"\s*:\s*\{\s*"|"workspaces"\s*:/.test(text)

/** Stops pnpm from switching to the version in package.json: tests have no network to fetch it. */
const ownVersion = 'npm_config_manage_package_manager_versions'

/** The version that package.json requires, else the one that wrote the lock. */
const versionOf = (manifest: string, otherwise: string): string =>
  /"packageManager"\s*:\s*"\w+@(\d+(?:\.\d+)*)/.exec(manifest)?.[1] ?? otherwise

/** pnpm's major version, by the first digit of `lockfileVersion`. */
const pnpmVersions: Readonly<Record<string, string>> = { 5: '7', 6: '8' }

/** Matches the lock format of Yarn 2 and later. */
const isModernYarn = (text: string): boolean => /^__metadata:/m.test(text)

const fetchPnpm = (manifest: string, lock: string): string => {
  const written = /^lockfileVersion: '?(\d)/m.exec(lock)?.[1] ?? ''
  return `pnpm@${versionOf(manifest, pnpmVersions[written] ?? '10')}`
}

const fetchYarn = (manifest: string, lock: string): string => {
  const written = /^__metadata:\n {2}version: (\d+)/m.exec(lock)?.[1]
  return `@yarnpkg/cli-dist@${versionOf(manifest, Number(written) < 8 ? '3' : '4')}`
}

/** Runs a line in a copy of the project; `$place` is where the packages go. */
export const inCopy = (line: string): string =>
  `set -e; place="$PWD/packages"; cp -R project/. work; cd work; ${line}; cd ..; rm -rf work`

/** Runs a line in every directory that contains such a file. */
export const inEach = (name: string, line: string): string =>
  `find . -name ${name} -exec dirname {} \\; | while read -r directory; do (cd "$directory" && ${line}) || exit 1; done`

/** Finds dependency entries that name more than a path or the workspace. */
function hasCrates(text: string): boolean {
  let isSection = false
  for (const line of text.split('\n')) {
    const section = /^\s*\[([^\]]+)\]/.exec(line)?.[1]
    if (section !== undefined) isSection = /(?:^|[.-])dependencies(?:\.|$)/.test(section)
    else if (isSection && /^\s*[\w-]+\s*=/.test(line) && !/\b(?:path|workspace)\b/.test(line)) {
      return true
    }
  }
  return false
}

const maven = 'mvn -B -q --fail-at-end -Dmaven.repo.local="$place"'

/** Runs a line for each topmost pom, which builds the modules below it. */
const inEachRoot = (line: string): string =>
  inEach('pom.xml', `if test -e ../pom.xml; then exit 0; fi; ${line}`)

/**
 * Maven downloads what a phase needs only when it reaches the phase, and no download-only goal
 * finds everything. So this compiles the project first, with the plugins bound to the phases; a
 * failing plugin also fails the test run, which then says why. Surefire downloads its test provider
 * only for a test that runs: our placeholder, run by the plugins' goals alone, and compiled
 * by itself for tests in another language or folder. The project's own
 * tests must not run here, where the network is; their classes may outlive their sources. Deleting
 * `_remote.repositories` lets Maven use the packages without asking their origin again.
 */
const mavenInstall = inCopy(
  [
    inEachRoot(`${maven} test -DskipTests || true`),
    "find . '(' -path '*/src/*' -o -name '*.class' ')' -type f -exec rm -f {} +",
    inEach(
      'pom.xml',
      'mkdir -p src/test/java target/test-classes && echo "class PlaceTest {}" >src/test/java/PlaceTest.java && javac -d target/test-classes src/test/java/PlaceTest.java || true',
    ),
    inEachRoot(
      `${maven} resources:resources compiler:compile resources:testResources compiler:testCompile surefire:test`,
    ),
    'find "$place" -name _remote.repositories -exec rm -f {} +',
  ].join('; '),
)

type Common = Omit<DependencyTool, 'name' | 'program' | 'lock' | 'reads' | 'install'>

const node: Common = {
  ...{ language: 'javascript', shownAt: 'node_modules', made: 'node_modules', env: {} },
  withoutScripts: '--ignore-scripts',
}

const python: Common = {
  ...{ language: 'python', shownAt: '.executor-packages', made: 'packages' },
  withoutScripts: '--only-binary=:all:',
  // A project's settings may override pytest's default ignores, such as dot folders.
  env: { PYTHONPATH: '$PLACE', PYTEST_ADDOPTS: "--ignore='$PLACE'" },
}

/** Package managers that read the whole project, or write into it. */
const whole = (language: 'go' | 'rust' | 'java' | 'ruby'): Common & { readonly reads: [] } => ({
  ...{ language, tree: 'all', withoutScripts: '', reads: [], env: {} },
  ...{ shownAt: `.executor-packages/${language}`, made: 'packages' },
})

const cargo = {
  ...{ ...whole('rust'), name: 'cargo fetch', program: 'cargo' },
  env: { CARGO_HOME: '$PLACE', CARGO_NET_OFFLINE: 'true' },
}

const bundler = { ...whole('ruby'), name: 'bundle install', program: 'bundle' }

const composer: Omit<DependencyTool, 'lock' | 'reads'> = {
  ...{ language: 'php', name: 'composer install', program: 'composer', tree: 'here' },
  install:
    'cp -R project/. work && (cd work && COMPOSER_CACHE_DIR=.cache composer install --no-interaction --quiet OPTIONS) && mv work/vendor vendor && rm -rf work',
  withoutScripts: '--no-scripts --no-plugins',
  ...{ made: 'vendor', shownAt: 'vendor', env: {} },
}

const nodeRenewal = (line: string): LockRenewal => ({
  line,
  manifests: /^(?:package\.json|pnpm-workspace\.yaml)$/,
  keys: /^(?:(?:dev|optional|peer|bundled?)?[dD]ependencies|overrides|resolutions|workspaces|catalogs?|pnpm|packages|packageExtensions|dependenciesMeta|peerDependenciesMeta)(?:\/|$)/,
})

const pythonRenewal = (line: string): LockRenewal => ({
  line,
  manifests: /^pyproject\.toml$/,
  keys: /^(?:project\/(?:name|version|dependencies|optional-dependencies|requires-python)|dependency-groups|build-system|tool\/(?:uv|poetry))(?:\/|$)/,
})

/** Installs the requirements that a Python program prints. */
const listed = (program: string): string =>
  `python3 -c '${program}' > all.txt && { ${pipInstallList}; }`

/** In each language and directory, the first tool whose file exists is used. */
export const dependencyTools: readonly DependencyTool[] = [
  {
    ...{ ...node, name: 'npm ci', program: 'npm' },
    lock: /^(?:package-lock|npm-shrinkwrap)\.json$/,
    reads: ['package.json', '.npmrc'],
    install: 'npm ci --no-audit --no-fund --cache .cache',
    renewal: nodeRenewal('npm install --package-lock-only --ignore-scripts --no-audit --no-fund'),
  },
  {
    ...{ ...node, name: 'pnpm install', program: 'pnpm', fetched: fetchPnpm },
    lock: /^pnpm-lock\.yaml$/,
    reads: ['package.json', '.npmrc', 'pnpm-workspace.yaml'],
    install: `export ${ownVersion}=false; pnpm install --frozen-lockfile --package-import-method=copy --store-dir .cache`,
    env: { [ownVersion]: 'false' },
    renewal: nodeRenewal('pnpm install --lockfile-only --ignore-scripts --no-frozen-lockfile'),
  },
  {
    ...{ ...node, name: 'yarn install', program: 'yarn', fetched: fetchYarn },
    gotBy: 'corepack enable',
    lock: /^yarn\.lock$/,
    isNeeded: isModernYarn,
    unless: '.pnp.cjs',
    reads: ['package.json', '.yarnrc.yml'],
    install:
      'export YARN_IGNORE_PATH=1 YARN_ENABLE_GLOBAL_CACHE=false YARN_ENABLE_TELEMETRY=0 YARN_NODE_LINKER=node-modules YARN_CACHE_FOLDER="$PWD/.cache"; yarn install --immutable',
    withoutScripts: '--mode=skip-build',
    renewal: nodeRenewal('yarn install --mode=update-lockfile'),
  },
  {
    ...{ ...node, name: 'yarn install', program: 'yarn' },
    fetched: (manifest) => `yarn@${versionOf(manifest, '1')}`,
    lock: /^yarn\.lock$/,
    isNeeded: (text) => !isModernYarn(text),
    unless: '.pnp.cjs',
    reads: ['package.json', '.yarnrc', '.npmrc'],
    install: 'yarn install --frozen-lockfile --non-interactive --cache-folder .cache',
    // Yarn 1 cannot write only a lock.
    renewal: nodeRenewal('yarn install --ignore-scripts --no-bin-links --non-interactive'),
  },
  ...[/^bun\.lock$/, /^bun\.lockb$/].map((lock, index) => ({
    ...{ ...node, name: 'bun install', program: 'bun', lock },
    reads: ['package.json', 'bunfig.toml'],
    install: 'BUN_INSTALL_CACHE_DIR=.cache bun install --frozen-lockfile',
    ...(index === 0 && { renewal: nodeRenewal('bun install --lockfile-only --ignore-scripts') }),
  })),
  {
    ...{ ...node, name: 'npm install', program: 'npm' },
    lock: /^package\.json$/,
    isNeeded: hasPackages,
    unless: '.pnp.cjs',
    reads: ['.npmrc'],
    install: 'npm install --no-package-lock --no-audit --no-fund --cache .cache',
  },
  {
    ...{ ...python, name: 'uv', program: 'uv' },
    lock: /^uv\.lock$/,
    reads: ['pyproject.toml', 'uv.toml'],
    install:
      'uv export --frozen --quiet --no-emit-project --output-file all.txt && uv pip install --quiet --cache-dir .cache --target packages -r all.txt',
    withoutScripts: '--no-build',
    renewal: pythonRenewal('uv lock --no-build'),
  },
  {
    ...{ ...python, name: 'poetry', program: 'poetry' },
    lock: /^poetry\.lock$/,
    reads: ['pyproject.toml', 'poetry.toml'],
    install:
      'export POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_CACHE_DIR=.cache OPTIONS && poetry install --no-root --no-interaction && ln -s .venv/lib/python3*/site-packages packages',
    withoutScripts: 'POETRY_INSTALLER_ONLY_BINARY=:all:',
    renewal: pythonRenewal(
      'poetry lock --no-interaction --no-update 2>/dev/null || poetry lock --no-interaction',
    ),
  },
  {
    ...{ ...python, name: 'pip install', program: 'python3' },
    lock: /^(?:requirements(?:-dev)?|dev-requirements)\.txt$/,
    isNeeded: hasRequirement,
    reads: ['requirements-dev.txt', 'requirements-test.txt', 'constraints.txt'],
    install: `for file in *requirements*.txt; do set -- "$@" -r "$file"; done; ${pipInstall} "$@"`,
  },
  {
    ...{ ...python, name: 'pip install', program: 'python3' },
    lock: /^pyproject\.toml$/,
    isNeeded: hasProjectDependencies,
    reads: [],
    install: listed(readProject),
  },
  {
    ...{ ...python, name: 'pip install', program: 'python3' },
    lock: /^setup\.(?:cfg|py)$/,
    isNeeded: (text) => /\b(?:install|tests|extras)_require/.test(text),
    reads: ['setup.cfg', 'setup.py', 'tox.ini'],
    // The package works without what tox alone installs, which may be for another Python.
    install: `${listed(readSetup)} && { { ${listed(readTox)}; } || true; }`,
  },
  {
    ...{ ...python, name: 'pip install', program: 'python3' },
    lock: /^tox\.ini$/,
    isNeeded: (text) => /^deps[ \t]*=/m.test(text),
    reads: [],
    install: listed(readTox),
  },
  {
    ...{ ...whole('go'), name: 'go mod download', program: 'go' },
    lock: /^go\.mod$/,
    isNeeded: (text) => /^\s*require\b/m.test(text),
    unless: 'vendor/modules.txt',
    reads: ['go.sum', 'go.work', 'go.work.sum'],
    install: inCopy(
      `export GOMODCACHE="$place" GOFLAGS=-modcacherw; ${inEach('go.mod', 'go mod download')}`,
    ),
    env: { GOMODCACHE: '$PLACE', GOPROXY: 'off' },
    renewal: {
      // Adds what a build with `-mod=readonly` needs; only `go mod tidy` removes unused entries.
      line: 'GOWORK=off go list -e -mod=mod -deps -test ./... >/dev/null',
      ...{ also: 'go.sum', manifests: /^go\.mod$/, keys: null, needsTree: true },
    },
  },
  {
    ...cargo,
    lock: /^Cargo\.lock$/,
    isNeeded: (text) => /^source = "/m.test(text),
    reads: ['Cargo.toml'],
    install: inCopy(`export CARGO_HOME="$place"; ${inEach('Cargo.lock', 'cargo fetch --locked')}`),
    renewal: {
      line: 'cargo update --workspace',
      manifests: /^Cargo\.toml$/,
      keys: /^(?!(?:profile|features|lib|bin|example|test|bench|lints|badges)(?:\/|$))/,
      needsTree: true,
    },
  },
  {
    ...cargo,
    lock: /^Cargo\.toml$/,
    isNeeded: hasCrates,
    unless: 'Cargo.lock',
    install: inCopy(`export CARGO_HOME="$place"; ${inEach('Cargo.toml', 'cargo fetch')}`),
  },
  {
    ...{ ...whole('java'), name: 'mvn', program: 'mvn' },
    lock: /^pom\.xml$/,
    install: mavenInstall,
    env: { MAVEN_OPTS: '-Dmaven.repo.local=$PLACE' },
  },
  {
    ...bundler,
    lock: /^Gemfile\.lock$/,
    isNeeded: (text) => /^ {4}\S/m.test(text),
    reads: ['Gemfile'],
    install: inCopy(
      `export BUNDLE_FROZEN=true BUNDLE_PATH="$place"; ${inEach('Gemfile.lock', 'bundle install --quiet')}`,
    ),
    env: { BUNDLE_PATH: '$PLACE', BUNDLE_FROZEN: 'true' },
    renewal: {
      line: 'bundle lock',
      ...{ manifests: /^Gemfile$|\.gemspec$/, keys: null, needsTree: true },
    },
  },
  {
    ...bundler,
    lock: /^Gemfile$/,
    isNeeded: (text) => /^\s*gem(?:spec)?\b/m.test(text),
    unless: 'Gemfile.lock',
    install: inCopy(`export BUNDLE_PATH="$place"; ${inEach('Gemfile', 'bundle install --quiet')}`),
    env: { BUNDLE_PATH: '$PLACE' },
  },
  {
    ...composer,
    lock: /^composer\.lock$/,
    reads: ['composer.json'],
    renewal: {
      line: 'composer update --no-install --no-scripts --no-plugins --no-interaction --minimal-changes',
      manifests: /^composer\.json$/,
      keys: /^(?:name|version|require|require-dev|conflict|replace|provide|minimum-stability|prefer-stable|repositories|extra|config\/platform)(?:\/|$)/,
    },
  },
  {
    ...composer,
    lock: /^composer\.json$/,
    isNeeded: (text) => /"(?:require|require-dev|autoload)"\s*:\s*\{\s*"/.test(text),
    reads: [],
  },
]

/** Confines every installer to the copy and disables its scripts. */
export const renewalEnvironment: Readonly<Record<string, string>> = {
  ...{ npm_config_cache: '$PLACE/.cache', npm_config_store_dir: '$PLACE/.cache' },
  ...{ npm_config_manage_package_manager_versions: 'false', npm_config_ignore_scripts: 'true' },
  ...{ YARN_IGNORE_PATH: '1', YARN_ENABLE_SCRIPTS: 'false', YARN_ENABLE_TELEMETRY: '0' },
  ...{ YARN_ENABLE_GLOBAL_CACHE: 'false', YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' },
  ...{ YARN_CACHE_FOLDER: '$PLACE/.cache', BUN_INSTALL_CACHE_DIR: '$PLACE/.cache' },
  ...{ UV_CACHE_DIR: '$PLACE/.cache', POETRY_CACHE_DIR: '$PLACE/.cache' },
  ...{ POETRY_INSTALLER_ONLY_BINARY: ':all:' },
  ...{ CARGO_HOME: '$PLACE/.cache', GOMODCACHE: '$PLACE/.cache', GOFLAGS: '-modcacherw' },
  ...{ COMPOSER_CACHE_DIR: '$PLACE/.cache', BUNDLE_FROZEN: 'false' },
}
