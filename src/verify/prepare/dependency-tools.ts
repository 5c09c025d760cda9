import type { DependencyTool } from '../detect/dependency-tool.ts'
import { projectTools } from '../detect/project-tools.ts'

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
  'poetry = text.get("tool", {}).get("poetry", {})',
  'tables = [poetry] + list(poetry.get("group", {}).values())',
  'tables = [table.get(key, {}) for table in tables for key in ("dependencies", "dev-dependencies")]',
  'version = lambda of: of if isinstance(of, str) else of.get("version", "*") if isinstance(of, dict) else "*"',
  'range = lambda of: "" if of == "*" else ">=" + of[1:] if of[0] in "^~" else of if of[0] in "<>=!" else "==" + of',
  'groups += [[name + range(version(of)) for name, of in table.items() if name != "python"] for table in tables]',
  'print("\\n".join(name for group in groups for name in group if isinstance(name, str)))',
].join('; ')

/** Python itself: a shim of pyenv would write beside itself after each installation, and fail. */
const pythonItself = '"$(python3 -c "import sys; print(sys.executable)")"'

const pipInstall = `${pythonItself} -m pip install --quiet --disable-pip-version-check --no-input --cache-dir .cache --target packages`

/** Or pnpm replaces itself by the version that a package.json names: tests have no network for that. */
const ownVersion = 'npm_config_manage_package_manager_versions'

/** The version that a package.json asks for, else the one that a lock was written by. */
const versionOf = (manifest: string, otherwise: string): string =>
  /"packageManager"\s*:\s*"\w+@(\d+(?:\.\d+)*)/.exec(manifest)?.[1] ?? otherwise

/** By the first digit of a lock's version. */
const pnpmVersions: Readonly<Record<string, string>> = { 5: '7', 6: '8' }

const fetchPnpm = (manifest: string, lock: string): string => {
  const written = /^lockfileVersion: '?(\d)/m.exec(lock)?.[1] ?? ''
  return `pnpm@${versionOf(manifest, pnpmVersions[written] ?? '10')}`
}

const fetchYarn = (manifest: string, lock: string): string => {
  const written = /^__metadata:\n {2}version: (\d+)/m.exec(lock)?.[1]
  return `@yarnpkg/cli-dist@${versionOf(manifest, Number(written) < 8 ? '3' : '4')}`
}

const node = {
  shownAt: 'node_modules',
  made: 'node_modules',
  env: {},
  language: 'javascript',
  withoutScripts: '--ignore-scripts',
} as const

const python = {
  shownAt: '.executor-packages',
  made: 'packages',
  // Settings of a project may replace what pytest leaves out by itself, folders with a dot among it.
  env: { PYTHONPATH: '$PLACE', PYTEST_ADDOPTS: "--ignore='$PLACE'" },
  language: 'python',
  withoutScripts: '--only-binary=:all:',
} as const

/** In each language the first whose file is there is taken. */
export const dependencyTools: readonly DependencyTool[] = [
  {
    ...node,
    name: 'npm ci',
    program: 'npm',
    lock: /^(?:package-lock|npm-shrinkwrap)\.json$/,
    reads: ['package.json', '.npmrc'],
    install: 'npm ci --no-audit --no-fund --cache .cache',
  },
  {
    ...node,
    name: 'pnpm install',
    program: 'pnpm',
    fetched: fetchPnpm,
    lock: /^pnpm-lock\.yaml$/,
    reads: ['package.json', '.npmrc', 'pnpm-workspace.yaml'],
    install: `export ${ownVersion}=false; pnpm install --frozen-lockfile --package-import-method=copy --store-dir .cache`,
    env: { [ownVersion]: 'false' },
  },
  {
    ...node,
    name: 'yarn install',
    program: 'yarn',
    gotBy: 'corepack enable',
    fetched: fetchYarn,
    lock: /^yarn\.lock$/,
    isNeeded: (text) => /^__metadata:/m.test(text),
    unless: '.pnp.cjs',
    reads: ['package.json', '.yarnrc.yml'],
    install:
      'export YARN_IGNORE_PATH=1 YARN_ENABLE_GLOBAL_CACHE=false YARN_ENABLE_TELEMETRY=0 YARN_NODE_LINKER=node-modules YARN_CACHE_FOLDER="$PWD/.cache"; yarn install --immutable',
    withoutScripts: '--mode=skip-build',
  },
  {
    ...node,
    name: 'yarn install',
    program: 'yarn',
    fetched: (manifest) => `yarn@${versionOf(manifest, '1')}`,
    lock: /^yarn\.lock$/,
    isNeeded: (text) => !/^__metadata:/m.test(text),
    unless: '.pnp.cjs',
    reads: ['package.json', '.yarnrc', '.npmrc'],
    install: 'yarn install --frozen-lockfile --non-interactive --cache-folder .cache',
  },
  {
    ...node,
    name: 'bun install',
    program: 'bun',
    lock: /^bun\.lockb?$/,
    reads: ['package.json', 'bunfig.toml'],
    install: 'BUN_INSTALL_CACHE_DIR=.cache bun install --frozen-lockfile',
  },
  {
    ...node,
    name: 'npm install',
    program: 'npm',
    lock: /^package\.json$/,
    isNeeded: hasPackages,
    unless: '.pnp.cjs',
    reads: ['.npmrc'],
    install: 'npm install --no-package-lock --no-audit --no-fund --cache .cache',
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
      'export POETRY_VIRTUALENVS_IN_PROJECT=true POETRY_CACHE_DIR=.cache OPTIONS && poetry install --no-root --no-interaction && ln -s .venv/lib/python3*/site-packages packages',
    withoutScripts: 'POETRY_INSTALLER_ONLY_BINARY=:all:',
  },
  {
    ...python,
    name: 'pip install',
    program: 'python3',
    lock: /^(?:requirements(?:-dev)?|dev-requirements)\.txt$/,
    isNeeded: hasRequirement,
    reads: ['requirements-dev.txt', 'requirements-test.txt', 'constraints.txt'],
    install: `for file in *requirements*.txt; do set -- "$@" -r "$file"; done; ${pipInstall} "$@"`,
  },
  {
    ...python,
    name: 'pip install',
    program: 'python3',
    lock: /^pyproject\.toml$/,
    isNeeded: hasProjectDependencies,
    reads: [],
    install: `python3 -c '${readProject}' > all.txt && ${pipInstall} -r all.txt`,
  },
  ...projectTools,
]
