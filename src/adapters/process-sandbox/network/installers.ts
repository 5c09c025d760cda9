import {
  cargoSettings,
  goSettings,
  mavenSettings,
  noSettings,
  npmSettings,
  pipSettings,
  type SettingsReader,
} from './settings.ts'

/** One installer: how its settings are read, and how it fetches one small package, of which nothing is run. */
interface Installer {
  readonly settings: SettingsReader
  readonly fetch: string
}

const writing = (name: string, lines: readonly string[]): string =>
  `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} > ${name}`

const apachePom = [
  '<project><modelVersion>4.0.0</modelVersion><packaging>pom</packaging><artifactId>a</artifactId>',
  '<parent><groupId>org.apache</groupId><artifactId>apache</artifactId><version>30</version>',
  '<relativePath/></parent></project>',
]

/** By the program that installs. */
export const installers: Readonly<Record<string, Installer>> = {
  npm: { settings: npmSettings, fetch: 'npm pack --ignore-scripts --cache .cache isarray' },
  python3: {
    settings: pipSettings,
    fetch:
      'python3 -m pip download --disable-pip-version-check --no-cache-dir --no-deps --only-binary=:all: six',
  },
  go: {
    settings: goSettings,
    fetch:
      'GOMODCACHE="$PWD/cache" GOFLAGS=-modcacherw go mod download golang.org/x/xerrors@latest',
  },
  cargo: {
    settings: cargoSettings,
    fetch: [
      'mkdir src && : > src/lib.rs',
      writing('Cargo.toml', [
        '[package]',
        'name = "a"',
        'version = "0.0.0"',
        '[dependencies]',
        'cfg-if = "1"',
      ]),
      'CARGO_HOME="$PWD/home" cargo fetch',
    ].join(' && '),
  },
  mvn: {
    settings: mavenSettings,
    fetch: `${writing('pom.xml', apachePom)} && mvn -B -q -Dmaven.repo.local="$PWD/repository" validate`,
  },
  bundle: {
    settings: noSettings,
    fetch: `${writing('Gemfile', ['source Gem.sources.first', 'gem "rake"'])} && BUNDLE_PATH="$PWD/gems" bundle install`,
  },
  composer: {
    settings: noSettings,
    fetch: `${writing('composer.json', ['{"require":{"psr/log":"*"}}'])} && COMPOSER_CACHE_DIR=.cache composer install --no-interaction --no-scripts --no-plugins`,
  },
}

/** Whose registries a program uses that is no installer by itself. */
const alike: Readonly<Record<string, string>> = {
  pnpm: 'npm',
  yarn: 'npm',
  bun: 'npm',
  uv: 'python3',
  poetry: 'python3',
}

export const installerOf = (program: string): string => alike[program] ?? program
