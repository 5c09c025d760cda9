/** How one package manager installs, offline from then on, without running anybody's scripts. */
export interface DependencyTool {
  readonly name: string
  readonly program: string
  /** Its lock file, or (without a lock) its manifest: what the key of the cache is made of. */
  readonly lock: RegExp
  /** Files beside the lock that it reads, too. */
  readonly reads: readonly string[]
  /** A fixed shell line, run in an empty directory that holds those files. */
  readonly install: string
  /** Added unless install scripts are allowed. */
  readonly withoutScripts: string
  /** What it made, and where in the project the tests need it. */
  readonly made: string
  readonly shownAt: string
  /** `$PLACE` stands for the absolute path of `shownAt`. */
  readonly env: Readonly<Record<string, string>>
  readonly language: 'javascript' | 'python' | 'other'
  /** Whether a lock or manifest asks for anything at all. */
  readonly isNeeded?: (text: string) => boolean
}

/** A line that is no comment and no option. */
const hasRequirement = (text: string): boolean => /^\s*[^\s#-]/m.test(text)

const hasPackages = (text: string): boolean =>
  /"(?:dependencies|devDependencies|optionalDependencies)"\s*:\s*\{\s*"|"workspaces"\s*:/.test(text)

/** An array that is not empty: dependencies, one of their groups, or what only building needs. */
const hasProjectDependencies = (text: string): boolean =>
  /^\[(?:project|dependency-groups)/m.test(text) &&
  /^[\w-]+\s*=\s*\[\s*["']\w[^"']*["']/m.test(text)

/** Prints what a pyproject.toml asks for, one requirement a line. */
const readProject = [
  'import tomllib',
  'text = tomllib.load(open("pyproject.toml", "rb"))',
  'project = text.get("project", {})',
  'groups = [project.get("dependencies", [])]',
  'groups += project.get("optional-dependencies", {}).values()',
  'groups += text.get("dependency-groups", {}).values()',
  'print("\\n".join(name for group in groups for name in group if isinstance(name, str)))',
].join('; ')

const pipInstall =
  'python3 -m pip install --quiet --disable-pip-version-check --no-input --cache-dir .cache --target packages'

const node = {
  shownAt: 'node_modules',
  made: 'node_modules',
  env: {},
  language: 'javascript',
} as const

const python = {
  shownAt: '.executor-packages',
  made: 'packages',
  env: { PYTHONPATH: '$PLACE' },
  language: 'python',
} as const

const other = { shownAt: '.executor-packages', made: 'packages', language: 'other' } as const

/** In each language the first whose file is there is taken. */
export const dependencyTools: readonly DependencyTool[] = [
  {
    ...node,
    name: 'npm ci',
    program: 'npm',
    lock: /^(?:package-lock|npm-shrinkwrap)\.json$/,
    reads: ['package.json', '.npmrc'],
    install: 'npm ci --no-audit --no-fund --cache .cache',
    withoutScripts: '--ignore-scripts',
  },
  {
    ...node,
    name: 'pnpm install',
    program: 'pnpm',
    lock: /^pnpm-lock\.yaml$/,
    reads: ['package.json', '.npmrc', 'pnpm-workspace.yaml'],
    install: 'pnpm install --frozen-lockfile --package-import-method=copy --store-dir .cache',
    withoutScripts: '--ignore-scripts',
  },
  {
    ...node,
    name: 'yarn install',
    program: 'yarn',
    lock: /^yarn\.lock$/,
    reads: ['package.json', '.yarnrc.yml'],
    install:
      'YARN_NODE_LINKER=node-modules YARN_CACHE_FOLDER=.cache yarn install --frozen-lockfile',
    withoutScripts: '--ignore-scripts',
  },
  {
    ...node,
    name: 'bun install',
    program: 'bun',
    lock: /^bun\.lockb?$/,
    reads: ['package.json', 'bunfig.toml'],
    install: 'BUN_INSTALL_CACHE_DIR=.cache bun install --frozen-lockfile',
    withoutScripts: '--ignore-scripts',
  },
  {
    ...node,
    name: 'npm install',
    program: 'npm',
    lock: /^package\.json$/,
    isNeeded: hasPackages,
    reads: ['.npmrc'],
    install: 'npm install --no-package-lock --no-audit --no-fund --cache .cache',
    withoutScripts: '--ignore-scripts',
  },
  {
    ...python,
    name: 'uv',
    program: 'uv',
    lock: /^uv\.lock$/,
    reads: ['pyproject.toml'],
    install:
      'uv export --frozen --quiet --no-emit-project --output-file all.txt && uv pip install --quiet --cache-dir .cache --target packages -r all.txt',
    withoutScripts: '--no-build',
  },
  {
    ...python,
    name: 'poetry',
    program: 'poetry',
    lock: /^poetry\.lock$/,
    reads: ['pyproject.toml'],
    install:
      'export POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_CACHE_DIR=.cache && poetry install --no-root --no-interaction && ln -s .venv/lib/python3*/site-packages packages',
    withoutScripts: '',
  },
  {
    ...python,
    name: 'pip install',
    program: 'python3',
    lock: /^(?:requirements(?:-dev)?|dev-requirements)\.txt$/,
    isNeeded: hasRequirement,
    reads: ['requirements-dev.txt', 'requirements-test.txt', 'constraints.txt'],
    install: `for file in *requirements*.txt; do set -- "$@" -r "$file"; done; ${pipInstall} "$@"`,
    withoutScripts: '--only-binary=:all:',
  },
  {
    ...python,
    name: 'pip install',
    program: 'python3',
    lock: /^pyproject\.toml$/,
    isNeeded: hasProjectDependencies,
    reads: [],
    install: `python3 -c '${readProject}' > all.txt && ${pipInstall} -r all.txt`,
    withoutScripts: '--only-binary=:all:',
  },
  {
    ...other,
    name: 'go mod download',
    program: 'go',
    lock: /^go\.sum$/,
    reads: ['go.mod'],
    install: 'GOMODCACHE="$PWD/packages" GOFLAGS=-modcacherw go mod download',
    withoutScripts: '',
    env: { GOMODCACHE: '$PLACE', GOFLAGS: '-mod=mod', GOPROXY: 'off' },
  },
  {
    ...other,
    name: 'cargo fetch',
    program: 'cargo',
    lock: /^Cargo\.lock$/,
    reads: ['Cargo.toml'],
    install: 'mkdir -p src && : > src/lib.rs && CARGO_HOME="$PWD/packages" cargo fetch --locked',
    withoutScripts: '',
    env: { CARGO_HOME: '$PLACE', CARGO_NET_OFFLINE: 'true' },
  },
  {
    ...other,
    name: 'mvn dependency:go-offline',
    program: 'mvn',
    lock: /^pom\.xml$/,
    reads: [],
    install: 'mvn -B -q -Dmaven.repo.local="$PWD/packages" dependency:go-offline',
    withoutScripts: '',
    env: { MAVEN_ARGS: '-o -Dmaven.repo.local=$PLACE' },
  },
  {
    ...other,
    name: 'bundle install',
    program: 'bundle',
    lock: /^Gemfile\.lock$/,
    reads: ['Gemfile'],
    install: 'BUNDLE_FROZEN=true BUNDLE_PATH="$PWD/packages" bundle install --quiet',
    withoutScripts: '',
    env: { BUNDLE_PATH: '$PLACE', BUNDLE_FROZEN: 'true' },
  },
  {
    ...other,
    name: 'composer install',
    program: 'composer',
    lock: /^composer\.lock$/,
    reads: ['composer.json'],
    install: 'COMPOSER_CACHE_DIR=.cache composer install --no-interaction --quiet',
    withoutScripts: '--no-scripts --no-plugins',
    made: 'vendor',
    shownAt: 'vendor',
    env: {},
  },
]
