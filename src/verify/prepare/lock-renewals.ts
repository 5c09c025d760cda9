import type { DependencyTool } from '../detect/dependency-tool.ts'

/** How a package manager writes its lock anew, as little of it as it can, and runs nothing of anybody. */
export interface LockRenewal {
  /** A fixed shell line, or one of several by the lock, run beside the manifest in a copy of what it reads. */
  readonly line: string | ((lock: string) => string)
  /** The names of its lock; the one that is there is written. */
  readonly locks: readonly string[]
  /** What is written besides. */
  readonly also?: string
  /** Manifests by their names; those below the lock's folder count, too. */
  readonly manifests: RegExp
  /** The values of a manifest that the lock follows from, by their keys joined by `/`; others may change. */
  readonly keys: RegExp | null
  /** Needs the sources as well: what they import, and where the targets are. */
  readonly needsTree?: true
}

const node = {
  manifests: /^(?:package\.json|pnpm-workspace\.yaml)$/,
  keys: /^(?:(?:dev|optional|peer|bundled?)?[dD]ependencies|overrides|resolutions|workspaces|catalogs?|pnpm|packages|packageExtensions|dependenciesMeta|peerDependenciesMeta)(?:\/|$)/,
}
const python = {
  manifests: /^pyproject\.toml$/,
  keys: /^(?:project\/(?:name|version|dependencies|optional-dependencies|requires-python)|dependency-groups|build-system|tool\/(?:uv|poetry))(?:\/|$)/,
}

/**
 * By the installer's name and the file that it found. `go list` instead of `go mod tidy`: both add what packages
 * need to go.mod and go.sum, which a build with `-mod=readonly` asks for, and only `tidy` takes out what others left
 * there. Yarn 1 has no way to write a lock alone.
 */
export const lockRenewals: ReadonlyMap<string, LockRenewal> = new Map<string, LockRenewal>([
  [
    'npm',
    {
      ...node,
      locks: ['package-lock.json', 'npm-shrinkwrap.json'],
      line: 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund',
    },
  ],
  [
    'pnpm',
    {
      ...node,
      locks: ['pnpm-lock.yaml'],
      line: 'pnpm install --lockfile-only --ignore-scripts --no-frozen-lockfile',
    },
  ],
  [
    'yarn',
    {
      ...node,
      locks: ['yarn.lock'],
      line: (lock: string) =>
        /^__metadata:/m.test(lock)
          ? 'yarn install --mode=update-lockfile'
          : 'yarn install --ignore-scripts --no-bin-links --non-interactive',
    },
  ],
  ['bun', { ...node, locks: ['bun.lock'], line: 'bun install --lockfile-only --ignore-scripts' }],
  ['uv', { ...python, locks: ['uv.lock'], line: 'uv lock --no-build' }],
  [
    'poetry',
    {
      ...python,
      locks: ['poetry.lock'],
      line: 'poetry lock --no-interaction --no-update 2>/dev/null || poetry lock --no-interaction',
    },
  ],
  [
    'cargo',
    {
      locks: ['Cargo.lock'],
      manifests: /^Cargo\.toml$/,
      keys: /^(?!(?:profile|features|lib|bin|example|test|bench|lints|badges)(?:\/|$))/,
      line: 'cargo update --workspace',
      needsTree: true,
    },
  ],
  [
    'go',
    {
      locks: ['go.mod'],
      also: 'go.sum',
      manifests: /^go\.mod$/,
      keys: null,
      line: 'GOWORK=off go list -e -mod=mod -deps -test ./... >/dev/null',
      needsTree: true,
    },
  ],
  [
    'bundle',
    {
      locks: ['Gemfile.lock'],
      manifests: /^Gemfile$|\.gemspec$/,
      keys: null,
      line: 'bundle lock',
      needsTree: true,
    },
  ],
  [
    'composer',
    {
      locks: ['composer.lock'],
      manifests: /^composer\.json$/,
      keys: /^(?:name|version|require|require-dev|conflict|replace|provide|minimum-stability|prefer-stable|repositories|extra|config\/platform)(?:\/|$)/,
      line: 'composer update --no-install --no-scripts --no-plugins --no-interaction --minimal-changes',
    },
  ],
])

/** Settings that an installer reads besides its manifests. */
export const readBeside =
  /^(?:package\.json|pnpm-workspace\.yaml|\.npmrc|\.yarnrc|\.yarnrc\.yml|bunfig\.toml|pyproject\.toml|uv\.toml|poetry\.toml|composer\.json)$/

/** What keeps every installer to the copy, and its scripts from running. */
export const renewalEnvironment: DependencyTool['env'] = {
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
