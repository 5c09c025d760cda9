import type { DependencyTool } from './dependency-tool.ts'

const packagesOf = (language: 'go' | 'rust' | 'java' | 'ruby') =>
  ({
    ...({ tree: 'all', withoutScripts: '', reads: [] } as const),
    ...{ shownAt: `.executor-packages/${language}`, made: 'packages', language },
  }) as const

/** A copy of the project to work in, and where the packages go. */
export const inCopy = (line: string): string =>
  `set -e; place="$PWD/packages"; cp -R project/. work; cd work; ${line}; cd ..; rm -rf work`

/** Runs a line in every directory that holds such a file. */
export const inEach = (name: string, line: string): string =>
  `find . -name ${name} -exec dirname {} \\; | while read -r directory; do (cd "$directory" && ${line}) || exit 1; done`

/** Entries of a dependency section that name more than a path or the workspace. */
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

/** Modules are built with the pom above them. */
const inEachRoot = (line: string): string =>
  inEach('pom.xml', `if test -e ../pom.xml; then exit 0; fi; ${line}`)

/**
 * Maven loads what a phase needs only when it comes to it, and no goal that only loads finds all of it.
 * So the project is compiled first, with the plugins that it has bound to the phases; one that fails here
 * fails in the test run, too, and says why there. What Surefire runs tests with is loaded for a test that
 * runs: a place holder of ours, by the plugins' goals alone. Where a package came from is forgotten, so
 * that it may be used without asking there again.
 */
const mavenInstall = inCopy(
  [
    inEachRoot(`${maven} test -DskipTests || true`),
    "find . -path '*/src/*' -type f -exec rm -f {} +",
    inEach(
      'pom.xml',
      'mkdir -p src/test/java && echo "class PlaceTest {}" >src/test/java/PlaceTest.java',
    ),
    inEachRoot(
      `${maven} resources:resources compiler:compile resources:testResources compiler:testCompile surefire:test`,
    ),
    'find "$place" -name _remote.repositories -exec rm -f {} +',
  ].join('; '),
)

const php = {
  name: 'composer install',
  program: 'composer',
  tree: 'here',
  install:
    'cp -R project/. work && (cd work && COMPOSER_CACHE_DIR=.cache composer install --no-interaction --quiet OPTIONS) && mv work/vendor vendor && rm -rf work',
  withoutScripts: '--no-scripts --no-plugins',
  made: 'vendor',
  shownAt: 'vendor',
  env: {},
  language: 'php',
} as const

/** Package managers that look at the whole project, or write into it. */
export const projectTools: readonly DependencyTool[] = [
  {
    ...packagesOf('go'),
    name: 'go mod download',
    program: 'go',
    lock: /^go\.mod$/,
    isNeeded: (text) => /^\s*require\b/m.test(text),
    unless: 'vendor/modules.txt',
    reads: ['go.sum', 'go.work', 'go.work.sum'],
    install: inCopy(
      `export GOMODCACHE="$place" GOFLAGS=-modcacherw; ${inEach('go.mod', 'go mod download')}`,
    ),
    env: { GOMODCACHE: '$PLACE', GOPROXY: 'off' },
  },
  {
    ...packagesOf('rust'),
    name: 'cargo fetch',
    program: 'cargo',
    lock: /^Cargo\.lock$/,
    isNeeded: (text) => /^source = "/m.test(text),
    reads: ['Cargo.toml'],
    install: inCopy(`export CARGO_HOME="$place"; ${inEach('Cargo.lock', 'cargo fetch --locked')}`),
    env: { CARGO_HOME: '$PLACE', CARGO_NET_OFFLINE: 'true' },
  },
  {
    ...packagesOf('rust'),
    name: 'cargo fetch',
    program: 'cargo',
    lock: /^Cargo\.toml$/,
    isNeeded: hasCrates,
    unless: 'Cargo.lock',
    install: inCopy(`export CARGO_HOME="$place"; ${inEach('Cargo.toml', 'cargo fetch')}`),
    env: { CARGO_HOME: '$PLACE', CARGO_NET_OFFLINE: 'true' },
  },
  {
    ...packagesOf('java'),
    name: 'mvn',
    program: 'mvn',
    lock: /^pom\.xml$/,
    install: mavenInstall,
    env: { MAVEN_OPTS: '-Dmaven.repo.local=$PLACE' },
  },
  {
    ...packagesOf('ruby'),
    name: 'bundle install',
    program: 'bundle',
    lock: /^Gemfile\.lock$/,
    isNeeded: (text) => /^ {4}\S/m.test(text),
    reads: ['Gemfile'],
    install: inCopy(
      `export BUNDLE_FROZEN=true BUNDLE_PATH="$place"; ${inEach('Gemfile.lock', 'bundle install --quiet')}`,
    ),
    env: { BUNDLE_PATH: '$PLACE', BUNDLE_FROZEN: 'true' },
  },
  {
    ...packagesOf('ruby'),
    name: 'bundle install',
    program: 'bundle',
    lock: /^Gemfile$/,
    isNeeded: (text) => /^\s*gem(?:spec)?\b/m.test(text),
    unless: 'Gemfile.lock',
    install: inCopy(`export BUNDLE_PATH="$place"; ${inEach('Gemfile', 'bundle install --quiet')}`),
    env: { BUNDLE_PATH: '$PLACE' },
  },
  {
    ...php,
    lock: /^composer\.lock$/,
    reads: ['composer.json'],
  },
  {
    ...php,
    lock: /^composer\.json$/,
    isNeeded: (text) => /"(?:require|require-dev|autoload)"\s*:\s*\{\s*"/.test(text),
    reads: [],
  },
]
